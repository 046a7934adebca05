import { vi } from 'vitest'
import { knowMock, restoringAll, spyingOn, stubbing, unstubbing } from '../runtime/index.ts'
import { asItIs, knowTools, type KnownTools } from '../testing/tools.ts'

const tools: KnownTools = {
  passingOn: [
    'runAllTicks', 'runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'advanceTimersByTime', 'advanceTimersByTimeAsync',
    'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync', 'advanceTimersToNextFrame', 'getTimerCount', 'clearAllTimers', 'setTimerTickMode',
    'waitFor', 'waitUntil', 'isMockFunction', 'clearAllMocks', 'resetAllMocks',
  ],
  loading: ['importActual', 'importMock'],
  replacing: { useFakeTimers: asItIs, useRealTimers: asItIs, setSystemTime: asItIs },
  telling: {
    fn: (tool) => (...args) => knowMock(tool(...args)),
    mocked: (tool) => (...args) => knowMock(tool(...args)),
    spyOn: (tool) => (...args) => knowMock(spyingOn(tool)(...args)),
    restoreAllMocks: restoringAll,
    stubGlobal: (tool) => stubbing('globals', tool),
    unstubAllGlobals: (tool) => unstubbing('globals', tool),
    stubEnv: (tool) => stubbing('env', tool),
    unstubAllEnvs: (tool) => unstubbing('env', tool),
  },
}

/** What is called of `vi` is told. */
export const knowVi = (): void => knowTools(vi, tools)
