import type { Emitted } from './emitted.ts'

/** What a file says of itself besides its places. */
export type Told = Parameters<Emitted['file']> extends [string, string, number, ...infer Rest] ? Rest : never

/** Of files that were loaded before the runtime of explorations was: a test file may come to explore by ways that nobody could foresee. */
let early: Told[] = []

export function rememberEarly(told: Told): void {
  if (told.length > 0) early.push(told)
}

export function takeEarly(): readonly Told[] {
  const taken = early
  early = []
  return taken
}
