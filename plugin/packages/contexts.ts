import type { ProvidedPackages } from './instrument.ts'

/** On `node:vm`, which all contexts of a worker share: what the setup file of a test file calls to have packages instrumented, or not. */
export const inContexts = Symbol.for('vitest-dpor: instruments what runs in contexts')

export type Switch = (provided: ProvidedPackages | undefined, tell: (name: string) => void) => void
