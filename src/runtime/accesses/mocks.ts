import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'

/** The property under which a mock keeps its calls. */
const CALLS = property('mock')

/** What Vitest's mocks write down of their calls. */
type CallLists = Readonly<Record<string, unknown>>

export interface Mock {
  readonly mock: CallLists
}

/** A mock of Vitest: `vi.fn()`, `vi.spyOn()`. */
export function isMock(value: unknown): value is Mock & ((...args: unknown[]) => unknown) {
  return typeof value === 'function' && '_isMockFunction' in value && value._isMockFunction === true
}

/** A call of a mock has run: it is at the end of the mock's lists. Which comes first matters to nobody until somebody looks there. */
export function mockCalled(execution: Execution, mock: Mock, site: SiteId): void {
  if (execution.identities.age(mock) !== 'of this execution') execution.journal.lastCall(mock, mock.mock)
  // Calls that look alike are told apart all the same.
  execution.accesses.append(execution.identities.of(mock), CALLS, site, {})
}

/** Looks at the calls of a mock: at all of them, or only at how many there are. */
export function lookAtMock(execution: Execution, mock: Mock, site: SiteId, look: 'order' | 'size' = 'order'): void {
  const { calls } = mock.mock
  execution.accesses.read(execution.identities.of(mock), CALLS, site, Array.isArray(calls) ? calls.length : undefined, look)
}
