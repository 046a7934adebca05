import { controlNumbersOfFetch } from './globals/numbers-of-fetch.ts'
import { Reflect } from '../engine/intrinsics.ts'
import { globalName } from './calls/emitted.ts'
import { showKinds } from './calls/shown-kinds.ts'
import { showWrittenTexts, shownText, written } from './calls/function-texts.ts'
import { hideOwnFrames } from './execution/stack-frames.ts'
import { defineFlags } from './calls/flags.ts'
import { standsInPlace } from './execution/instrumented.ts'
import { shownOf } from './execution/written-texts.ts'
import { watchProxies } from './execution/watched-proxies.ts'
import { rememberEarlyFiles, runtime } from './calls/runtime.ts'
import { numberFunction } from './globals/random.ts'

export { DeadlockError, NondeterminismError, describePlace, type Waiting } from './execution/errors.ts'
export { isOutOfStack } from './execution/thrown.ts'
export { explore, exploreRecorded, record } from './exploration/explore.ts'
export type { FailingRun, RunOptions } from './exploration/run-options.ts'
export type { BodyExploration, Explored } from './exploration/results.ts'
export type { Body, Subject, Tasks } from './exploration/subject.ts'
export type { ExecutionEnd, ExecutionHooks } from './exploration/surroundings.ts'
export { GivenUp, type Staged, type Stages } from './exploration/staged.ts'
export type { AtEnd } from './exploration/start.ts'
export type { RecordedAccess, RecordedExecution, RecordedStep } from './execution/recorded-execution.ts'
export { asksForAssertionState, assertionStateChanged, assertionStateMade, assertionsExtended, libraryHasAsked } from './accesses/assertion-state.ts'
export { standsForPlatform } from './accesses/function-kinds.ts'
export { knowMockLibrary, type MockMakers } from './accesses/mock-library.ts'
export { knowMock } from './accesses/known-mocks.ts'
export { restoringAll, spyingFor, spyingOn, stubbing, unstubbing } from './accesses/spies.ts'
export { textOfFunction as textAsRun } from '../engine/intrinsics.ts'
export { byFixture, byRunner } from './accesses/runners-code.ts'
export { toldAsOpaque } from './accesses/opaque-calls.ts'
export { watchTimers } from './globals/globals.ts'
export { fakeClock } from './globals/fake-timers.ts'
export { asRuntime, callOwn } from './execution/replaced-tools.ts'
export { besideSteps, isInStep } from './execution/running.ts'
export { onDefinition } from './calls/definitions.ts'
export { NativeAggregateError, nativeClearTimeout, nativeNow, nativeSetTimeout } from './execution/native.ts'
export { io } from './promises/stand-ins.ts'
export { loaded } from './events/from-outside.ts'
export type { IoPart } from './execution/execution.ts'
export type { IoAt } from './exploration/event-options.ts'
export { isSameFailure } from './exploration/same-failure.ts'
export { plainRun } from './exploration/results.ts'
export { at } from './accesses/points.ts'
export { resource, type Resource } from './accesses/resource.ts'
export { defineDriver, type Driver, type DriverAccess, type DriverCall, type DriverMethod, type DriverWait } from './drivers/own-driver.ts'
export type { OtherOrders } from './exploration/other-orders.ts'
export type { RecordedOrder } from './exploration/same-processes.ts'
export type { RacedPlaces } from './exploration/raced-places.ts'
export type { OpaqueCalls } from './exploration/opaque-report.ts'
export { filesAside, hasInstrumentedFiles, type SourcePlace } from './execution/sources.ts'

/** Gives instrumented code its runtime. One per thread, whatever the number of copies of this package. */
export function install(): void {
  watchProxies()
  hideOwnFrames()
  standsInPlace(shownText)
  showWrittenTexts((fn, text) => shownOf(fn, text, written))
  for (const asked of showKinds()) standsInPlace(asked)
  defineFlags({ isNaming: true })
  rememberEarlyFiles()
  controlNumbersOfFetch(numberFunction)
  Reflect.set(globalThis, globalName, runtime)
}
