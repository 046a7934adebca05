/** `dporTest` for Jest. */
import { expect, test } from '@jest/globals'
import { installed } from './installed.ts'

export type { Failure, FailureKind, Interleave, Verdict } from '../engine/index.ts'
export type { DporOptions } from '../options/index.ts'
export type { Driver, DriverAccess, DriverCall, DriverMethod, DriverWait, Resource, Tasks } from '../runtime/index.ts'
export type { DporTest, DporTestOptions } from './dpor-test.ts'

const here = installed()

/**
 * A test whose body is run once for every Mazurkiewicz class of its interleavings: `dporTest(name, options?, body)` or
 * `dporTest(name, options?, { setup, tasks, invariant })`. Hooks (`beforeEach`, `afterEach`) run once around the test, not around each execution.
 */
export const dporTest = here.dporTest({ test, expect })
export const { at, defineDriver, io, resource } = here
