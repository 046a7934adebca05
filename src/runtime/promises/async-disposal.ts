import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { suspended } from './async-call.ts'
import { rejection } from './making.ts'

type Method = (this: unknown) => unknown
type Find = (object: object, name: PropertyKey) => unknown

/**
 * `await using`: what stands for a value whose block waits for its disposal, so that this is an `await` like any other. The value
 * itself where the platform has an error to throw.
 */
export function disposedAsync(value: unknown, site: SiteId, find: Find): unknown {
  if (value === null || value === undefined) return standIn(() => suspended(undefined, site))
  if (typeof value !== 'object' && typeof value !== 'function') return value
  const method = find(value, Symbol.asyncDispose)
  if (method !== undefined && method !== null) return typeof method === 'function' ? standIn(() => suspended(Reflect.apply(method as Method, value, []), site)) : value
  const sync = find(value, Symbol.dispose)
  return typeof sync === 'function' ? standIn(() => suspended(settledBy(sync as Method, value, site), site)) : value
}

const standIn = (dispose: () => unknown): object => ({ [Symbol.asyncDispose]: calledByProgram(dispose) })

/** A method that is not async is called, and its outcome waited for; what it returns is dropped. */
function settledBy(dispose: Method, value: object, site: SiteId): unknown {
  try {
    Reflect.apply(dispose, value, [])
    return undefined
  } catch (error) {
    return rejection(error, site)
  }
}
