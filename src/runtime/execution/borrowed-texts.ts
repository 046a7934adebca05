import { KeptWeakMap, Object, Reflect } from '../../engine/intrinsics.ts'

/** On the global object: one for all copies of this package, of which one shows the texts. */
const shared = Symbol.for('vitest-dpor: borrowed texts')

type Borrowed = WeakMap<object, object>

if (!Object.hasOwn(globalThis, shared)) Object.defineProperty(globalThis, shared, { value: new KeptWeakMap<object, object>() })

/** By a function that is there in the place of another one: that one, whose text is the one to show. */
const borrowed = Reflect.get(globalThis, shared) as Borrowed

export function borrowsText<F extends object>(fn: F, other: object): F {
  borrowed.set(fn, other)
  return fn
}

/** The function of which a function shows the text. */
export const withText = (fn: object): object => borrowed.get(fn) ?? fn
