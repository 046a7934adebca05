import { vi } from 'vitest'
import { knowMock, restoringAll, spyingFor, spyingOn, stubbing, unstubbing } from '../runtime/index.ts'
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

/** What is called of `vi` is told, and what mocks do that stand for a whole module. */
export function knowVi(): void {
  knowTools(vi, tools)
  knowAutomocks()
}

/** As much as is used here of what makes mocks for `vi.mock(path)`, which does not come by `vi.fn`. */
interface Mocker {
  spyModule?: { readonly createMockInstance?: (options?: { readonly originalImplementation?: unknown }) => object }
}

function knowAutomocks(): void {
  const mocker = Reflect.get(globalThis, '__vitest_mocker__') as Mocker | undefined
  const make = mocker?.spyModule?.createMockInstance
  if (mocker && make) mocker.spyModule = { ...mocker.spyModule, createMockInstance: (options) => knowMock(spyingFor(options?.originalImplementation, make(options))) }
}
