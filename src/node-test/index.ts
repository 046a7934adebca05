/** `dporTest` for `node:test`. */
export type { Failure, FailureKind, Interleave, Verdict } from '../engine/index.ts'
export { at, io, resource, type Resource, type Tasks } from '../runtime/index.ts'
export type { DporOptions } from '../options/index.ts'
export { dporTest, type DporTest, type DporTestOptions } from './dpor-test.ts'
