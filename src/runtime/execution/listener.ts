import type { Call } from './process.ts'

/** Code that is not instrumented and waits for the promises that it was given, or that were made by what it called. */
export interface Listener {
  /** The call within which it runs; what is made by calls inside that one is theirs. */
  readonly call: Call | null
  /** A promise is settled: what such code does then it does in the running step. */
  readonly hears: () => void
}

/** What is done in a moment that one more listener hears of. */
export function alsoHears(before: (() => void) | undefined, hears: () => void): () => void {
  return before === undefined || before === hears ? hears : () => (before(), hears())
}
