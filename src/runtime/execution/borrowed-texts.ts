import { KeptWeakMap } from '../../engine/intrinsics.ts'

/** By a function that is there in the place of another one: that one, whose text is the one to show. */
const borrowed = new KeptWeakMap<object, object>()

export function borrowsText<F extends object>(fn: F, other: object): F {
  borrowed.set(fn, other)
  return fn
}

/** The function of which a function shows the text. */
export const withText = (fn: object): object => borrowed.get(fn) ?? fn
