export type Whole = typeof import('./whole.ts')

export const wholeKey = Symbol.for('vitest-dpor: what explores')

/** What explores in this worker, once it has been loaded as a script. */
export const wholeHere = (): Whole | undefined => Reflect.get(globalThis, wholeKey) as Whole | undefined
