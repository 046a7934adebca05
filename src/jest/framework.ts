/** What is used here of Jest. */

type TestFunction = (...args: unknown[]) => unknown

export interface JestTest {
  (name: string, body: TestFunction, timeout?: number): void
  readonly only: JestTest
  readonly skip: JestTest
  readonly todo: (name: string) => void
  readonly each: (...cases: unknown[]) => (name: string, body: TestFunction, timeout?: number) => void
}

export interface JestExpect {
  /** `suppressedErrors`: of matchers that do not throw, as those of snapshots. */
  getState(): { readonly currentTestName?: string; readonly testPath?: string; readonly snapshotState?: object; readonly suppressedErrors?: readonly Error[] }
  setState(state: object): void
  /** The errors of `expect.assertions(n)` and `expect.hasAssertions()`; begins to count anew. */
  extractExpectedAssertionsErrors(): readonly { readonly error: Error }[]
}

export interface Framework {
  readonly test: JestTest
  readonly expect: JestExpect
}
