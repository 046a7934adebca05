import type { Texts } from '../../src/runtime/calls/emitted.ts'
import type { ProvidedPackages } from './instrument.ts'

/** On `node:vm`, which all contexts of a worker share: what the setup file of a test file calls to have packages instrumented, or not. Returns what does so with texts of functions. */
export const inContexts = Symbol.for('vitest-dpor: instruments what runs in contexts')

export type Switch = (provided: ProvidedPackages | undefined, tell: (name: string) => void) => Texts | undefined
