import vm from 'node:vm'
import { isInStep, knowMock, restoringAll, spyingOn } from '../runtime/index.ts'
import type { JestTimers } from './mocked-time.ts'
import { asItIs, knowTools, type KnownTools, type Tool } from '../testing/tools.ts'

const OuterDate = vm.runInThisContext('Date') as DateConstructor

/** A mock, as far as it is used here. */
interface Mock {
  mockClear(): void
  mockReset(): void
}

/** Mocks that are older than the execution, */
const older = new Set<Mock>()
/** and its own. */
let own: Mock[] = []

/** Before an execution: those of the one before are gone. */
export function forgetMocks(): void {
  own = []
}

function remembered(mock: unknown): unknown {
  knowMock(mock)
  if (isInStep()) own.push(mock as Mock)
  else older.add(mock as Mock)
  return mock
}

/** Jest forgets at once what all mocks have kept. Each is asked to itself, so that it tells. */
const each = (name: keyof Mock) => (tool: Tool): Tool => (...args) => {
  const mocks = [...older, ...own]
  for (const mock of mocks) mock[name]()
  const result = tool(...args)
  for (const mock of mocks) knowMock(mock)
  return result
}

/** Jest's fake timers ask the clock of Jest's own realm, where time is not that of an exploration. */
const inOwnTime = (tool: Tool): Tool => function (this: unknown, ...args) {
  const { now } = OuterDate
  OuterDate.now = () => Date.now()
  try {
    return Reflect.apply(tool, this, args)
  } finally {
    OuterDate.now = now
  }
}

const tools: KnownTools = {
  passingOn: [
    'runAllTicks', 'runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'advanceTimersByTime', 'advanceTimersByTimeAsync',
    'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync', 'advanceTimersToNextFrame', 'getTimerCount', 'clearAllTimers', 'setTimerTickMode', 'isMockFunction', 'now',
  ],
  replacing: { useFakeTimers: inOwnTime, setSystemTime: inOwnTime, useRealTimers: asItIs, replaceProperty: asItIs },
  telling: {
    fn: (tool) => (...args) => remembered(tool(...args)),
    mocked: (tool) => (...args) => knowMock(tool(...args)),
    spyOn: (tool) => (...args) => remembered(spyingOn(tool)(...args)),
    clearAllMocks: each('mockClear'),
    resetAllMocks: each('mockReset'),
    restoreAllMocks: restoringAll,
  },
}

let last: JestTimers | undefined

/** What is called of a file's `jest` is told. */
export function knowJest(jest: object): void {
  knowTools(jest, tools)
  last = jest as JestTimers
}

/** That of any file: they are of one test file, and of one clock. */
export const someJest = (): JestTimers => last!
