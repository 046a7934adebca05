import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import type { Listening } from '../execution/ports.ts'

const moduleOf = (name: 'node:net' | 'node:dgram'): object | undefined => globalThis.process?.getBuiltinModule?.(name as 'node:net')
const methodOf = (module: object | undefined, type: string, name: string): unknown => module && ((Reflect.get(module, type) as { readonly prototype: Readonly<Record<string, unknown>> }).prototype[name])

/** Methods after which a server, or a socket, has an address. */
const listening = new Set([methodOf(moduleOf('node:net'), 'Server', 'listen'), methodOf(moduleOf('node:dgram'), 'Socket', 'bind')])

/** Methods that give it: who has listened by a function that is not seen, such as one of `promisify`, is met here. */
const asking = new Set([methodOf(moduleOf('node:net'), 'Server', 'address'), methodOf(moduleOf('node:dgram'), 'Socket', 'address')])

/** A method of the platform is called: whether something listens from then on, perhaps at a port that the platform chooses. */
export function noticeListening({ identities }: Execution, fn: object, receiver: unknown): void {
  if (listening.has(fn) || asking.has(fn)) identities.listens(receiver as Listening)
}
