import { KeptSet, KeptWeakMap, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import type { Family, Operation } from './family.ts'
import type { Fn } from './handler.ts'
import { changed, entryKey } from './telling.ts'

/**
 * Nobody is told that something was reclaimed which an execution has registered: it lives as long as an exploration looks at it, and
 * when that is over another test runs, whose state who is told would change.
 */

const { FinalizationRegistry } = globalThis

const prototype = FinalizationRegistry.prototype as unknown as Readonly<Record<'register' | 'unregister', Fn>>
const unregisterAtPlatform = prototype.unregister

/** By which of their tokens something is registered with the registries. */
const tokens = new PerExecution(() => new KeptWeakMap<object, Set<unknown>>())

const register: Operation = (native) => (execution, receiver, args, site) => {
  const [target, held, token] = args
  const own = {}
  // The platform says what is wrong with such a call.
  if (token !== undefined) Reflect.apply(native, new FinalizationRegistry(() => {}), [target, held, token])
  Reflect.apply(native, receiver, [target, held, own])
  Reflect.apply(unregisterAtPlatform, receiver, [own])
  const registry = receiver as object
  if (token === undefined) return
  tokensOf(execution, registry).add(token)
  changed(execution, registry, entryKey(execution, token), site, undefined)
}

const unregister: Operation = (native) => (execution, receiver, args, site) => {
  const wasRegistered = Reflect.apply(native, receiver, args as never[]) as boolean
  const registry = receiver as object
  changed(execution, registry, entryKey(execution, args[0]), site, undefined)
  return tokensOf(execution, registry).delete(args[0]) || wasRegistered
}

function tokensOf(execution: Execution, registry: object): Set<unknown> {
  const known = tokens.of(execution)
  let of = known.get(registry)
  if (!of) known.set(registry, (of = new KeptSet()))
  return of
}

/** Also where code that is not instrumented registers something. */
export const finalization: Family = { holder: prototype, methods: { register, unregister }, isWatched: true }
