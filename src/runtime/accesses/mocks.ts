import { Array } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'
import { isProxy } from '../execution/proxies.ts'
import type { Fn } from './handler.ts'

/** The property under which a mock keeps its calls. */
export const CALLS = property('mock')

/** What mocks write down of their calls. */
type CallLists = Readonly<Record<string, unknown>>

export interface Mock {
  readonly mock: CallLists
  /** What it has been told to do; of a spy undefined as long as it does what it stands for. */
  readonly getMockImplementation: () => unknown
  readonly mockImplementation: (implementation: unknown) => unknown
}

/** A mock of Vitest or Jest: `vi.fn()`, `jest.spyOn()`; no other library's mock of one, which is a Proxy. */
export function isMock(value: unknown): value is Mock & Fn {
  return typeof value === 'function' && !isProxy(value) && '_isMockFunction' in value && value._isMockFunction === true
}

/** Looks at the calls of a mock: at all of them, or only at how many there are. */
export function lookAtMock(execution: Execution, mock: Mock, site: SiteId, look: 'order' | 'size' = 'order'): void {
  const { calls } = mock.mock
  execution.accesses.read(execution.identities.of(mock), CALLS, site, Array.isArray(calls) ? calls.length : undefined, look)
}

/** Vitest's mocks wait for the promises that they return, to say of each how it was settled; Jest's do not. */
export const hearsResults = ({ mock }: Mock): boolean => 'settledResults' in mock

/** What has called the mock gets another promise: a test that takes it from the mock's results waits for the same. */
export function showsAsResult(mock: Mock, returned: object, answer: unknown): void {
  const { results } = mock.mock
  if (!Array.isArray(results)) return
  const result = (results as { value: unknown }[]).findLast(({ value }) => value === returned)
  if (result) result.value = answer
}
