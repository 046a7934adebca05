/** `dporTest` for `node:test`. */
export type { Failure, FailureKind, Interleave, Verdict } from '../engine/index.ts'
export { at, defineDriver, io, resource, type Driver, type DriverAccess, type DriverCall, type DriverMethod, type DriverWait, type Resource, type Tasks } from '../runtime/index.ts'
export type { DporOptions } from '../options/index.ts'
export { dporTest, type DporTest, type DporTestOptions } from './dpor-test.ts'
