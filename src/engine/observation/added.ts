import { Math } from '../intrinsics.ts'

/** The integers that one step adds to a location. */
export interface Added {
  /** Sum of their absolute values. */
  readonly magnitude: number
  /** Absolute value of what it found there, as far as that is known. */
  readonly found: number
}

export function bothAdded(one: Added, other: Added): Added {
  return { magnitude: one.magnitude + other.magnitude, found: Math.max(one.found, other.found) }
}
