import { KeptWeakMap } from '../../engine/intrinsics.ts'

/** By a function that is there in the place of another one: that one, whose text is the one to show. */
const replaced = new KeptWeakMap<object, object>()

export function standsFor<F extends object>(fn: F, other: object): F {
  replaced.set(fn, other)
  return fn
}

/** The function of which a function shows the text. */
export const withText = (fn: object): object => replaced.get(fn) ?? fn
