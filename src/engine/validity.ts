import { EngineError } from './errors.ts'

/**
 * Costly checks of the engine's own invariants. Off unless a test turns them on. `decided`: also that what a step looks at next is
 * decided by what it has found, which is the driver's to see to.
 */
export const validity = { checked: false, decided: false }

/**
 * States an invariant. The condition is evaluated only while `validity.checked` is on. What runs for every step asks that first
 * and states it in a function apart: closures cost more there than all else.
 */
export function assertValid(condition: () => boolean, invariant: string): void {
  if (validity.checked && !condition()) throw new EngineError(`not valid: ${invariant}`)
}
