import { isProxy } from '../execution/proxies.ts'
import { registrants } from '../execution/stack-frames.ts'
import { isOfNode, kindOf, mayBeOfNode } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { isVersion } from './watching.ts'

/** Drivers of databases: what they are asked is a step, and by their connections they go on between steps. */
const ofDrivers = /[\\/]node_modules[\\/](?:@ioredis|@redis|ioredis|mysql2|pg|pg-cursor|pg-pool|pg-protocol|redis)[\\/]/

/**
 * Whether a listener that is registered now is neither instrumented, nor Node's own, nor that of a driver. It may call the program, and waits for its turn as the program's
 * own do.
 */
export function isOfOthers(listener: Fn): boolean {
  if (kindOf(listener) !== 'opaque' || isProxy(listener) || isVersion(listener) || isOfNode(listener)) return false
  const files = registrants()
  if (files.some((file) => ofDrivers.test(file))) return false
  // Node registers also what it is given.
  return !mayBeOfNode(listener) || files[0]?.startsWith('node:') !== true
}
