import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import { isPermanent } from './identity.ts'
import { recordRead, recordWrite } from './properties.ts'

/** What Vitest's mocks write down of their calls. */
type CallLists = Readonly<Record<string, unknown>>

interface Mock {
  readonly mock: CallLists
}

/** A mock of Vitest: `vi.fn()`, `vi.spyOn()`. */
export function isMock(value: unknown): value is Mock & ((...args: unknown[]) => unknown) {
  return typeof value === 'function' && '_isMockFunction' in value && value._isMockFunction === true
}

/** A call of a mock has run: it is at the end of the mock's lists, so the order of calls matters to whoever looks there. */
export function mockCalled(execution: Execution, mock: Mock, site: SiteId): void {
  if (isPermanent(mock)) execution.journal.lastCall(mock, mock.mock)
  recordWrite(execution, mock, 'mock', site, undefined)
}

export function lookAtMock(execution: Execution, mock: Mock, site: SiteId): void {
  recordRead(execution, mock, 'mock', site, undefined)
}
