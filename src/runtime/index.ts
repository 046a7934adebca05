import { globalName } from './emitted.ts'
import { runtime } from './runtime.ts'

export { DeadlockError, NondeterminismError, describePlace, type Waiting } from './errors.ts'
export { explore, record, type Body, type RunOptions, type Tasks } from './explore.ts'
export type { RecordedAccess, RecordedExecution, RecordedStep } from './recording.ts'
export { hasInstrumentedFiles, type SourcePlace } from './sources.ts'

/** Gives instrumented code its runtime. One per thread, whatever the number of copies of this package. */
export function install(): void {
  Reflect.set(globalThis, globalName, runtime)
}
