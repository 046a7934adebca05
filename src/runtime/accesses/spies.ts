import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'
import { running } from '../execution/running.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { addKey, beforeChange, isObject, recordWrite } from './telling.ts'

/** What tests put in the place of properties by Vitest's own functions: spies, stubs of globals and of the environment. */

interface Place {
  readonly object: object
  readonly key: PropertyKey
  /** What was there. */
  readonly own: PropertyDescriptor | undefined
}

/** Where the spy stands, by the spy; until it is taken off again. */
const spied = new Map<unknown, Place>()
/** The function in whose place it stands, or stood: who has kept the spy may still call it. */
const originals = new WeakMap<object, Fn>()
/** Of stubs, by what they are taken off with: those that stand. */
const stubbed = { globals: new Set<PropertyKey>(), env: new Set<PropertyKey>() }

/** A property gets another value, and its own again before the next execution. */
function replaced<T>(execution: Execution, object: object, key: PropertyKey, run: () => T): T {
  const isThere = Object.hasOwn(object, key)
  const before = Reflect.getOwnPropertyDescriptor(object, key)
  beforeChange(execution, object, key)
  // Also of what is nobody's data, as the console and the global object.
  execution.journal.change(() => {
    if (!before) Reflect.deleteProperty(object, key)
    else if (object === globalThis.process?.env) Reflect.set(object, key, before.value)
    else Reflect.defineProperty(object, key, before)
  })
  const result = run()
  const site = execution.here
  recordWrite(execution, object, key, site, undefined)
  if (!isThere && !Array.isArray(object)) addKey(execution, object, property(key), site)
  return result
}

/** `vi.spyOn(object, key)`. */
export function spyingOn(native: Fn): Fn {
  return (...args) => {
    const [object, key, accessor] = args as [unknown, PropertyKey, unknown]
    const run = (): unknown => Reflect.apply(native, undefined, args)
    const own = isObject(object) ? Reflect.getOwnPropertyDescriptor(object, key) : undefined
    const original = isObject(object) && accessor === undefined ? functionAt(object, key) : undefined
    const spy = running !== null && isObject(object) ? replaced(running, object, key, run) : run()
    // It may be one that has stood there before: an earlier test has left it.
    if (running !== null && isObject(spy) && spied.has(spy)) running.identities.cameIn(spy, { mayBeOlder: true })
    if (isObject(object) && !spied.has(spy)) spied.set(spy, { object, key, own })
    return isObject(spy) ? spyingFor(original, spy) : spy
  }
}

/** A spy is made in the place of this function. */
export function spyingFor<T extends object>(original: unknown, spy: T): T {
  if (typeof original === 'function' && original !== spy) originals.set(spy, original as Fn)
  return spy
}

/** A method, own or inherited; what a module exports is behind a function that gives it. */
function functionAt(object: object, key: PropertyKey): Fn | undefined {
  const own = findProperty(object, key)?.own
  const value: unknown = own?.get && own.value === undefined ? Reflect.apply(own.get, object, []) : own?.value
  return typeof value === 'function' ? (value as Fn) : undefined
}

/** The function in whose place a spy stands, and which it calls unless it has been told to do something else. */
export const originalOf = (spy: object): Fn | undefined => originals.get(spy)

/** A spy is about to be taken off. */
export function beforeRestored(spy: unknown): void {
  const place = spied.get(spy)
  if (!place) return
  spied.delete(spy)
  const execution = running
  if (execution === null) return
  replaced(execution, place.object, place.key, () => {})
  execution.journal.change(() => void spied.set(spy, place))
}

/** `vi.restoreAllMocks()`. */
export function restoringAll(native: Fn): Fn {
  return function (this: unknown, ...args) {
    const places = [...spied]
    for (const [spy] of places) beforeRestored(spy)
    const result = Reflect.apply(native, this, args)
    // Vitest forgets a spy as soon as one execution has taken it off.
    for (const [spy, { object, key, own }] of places) {
      const now = Reflect.getOwnPropertyDescriptor(object, key)
      if (now === undefined || ![now.value, now.get, now.set].includes(spy)) continue
      if (own) Reflect.defineProperty(object, key, own)
      else Reflect.deleteProperty(object, key)
    }
    return result
  }
}

/** `vi.stubGlobal(name, value)` and `vi.stubEnv(name, value)`, */
export function stubbing(what: keyof typeof stubbed, native: Fn): Fn {
  return function (this: unknown, ...args) {
    const key = args[0] as PropertyKey
    stubbed[what].add(key)
    const run = (): unknown => Reflect.apply(native, this, args)
    return running === null ? run() : replaced(running, holderOf(what), key, run)
  }
}

/** and what takes all of them off. */
export function unstubbing(what: keyof typeof stubbed, native: Fn): Fn {
  return function (this: unknown, ...args) {
    const execution = running
    if (execution !== null) for (const key of stubbed[what]) replaced(execution, holderOf(what), key, () => {})
    else stubbed[what].clear()
    return Reflect.apply(native, this, args)
  }
}

function holderOf(what: keyof typeof stubbed): object {
  return what === 'globals' ? globalThis : globalThis.process.env
}
