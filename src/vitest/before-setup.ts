/** For what Vitest loads in a test worker before setup files, and which may import files that are instrumented: they find the runtime that does nothing. */
import { globalName } from '../runtime/calls/emitted.ts'
import { installInert } from '../runtime/calls/inert.ts'

if (!globalThis[globalName]) installInert()
