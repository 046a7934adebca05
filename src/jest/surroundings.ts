import type { ExecutionEnd, ExecutionHooks } from '../runtime/index.ts'
import { ConsoleOutput } from '../testing/console-output.ts'
import { Snapshots } from '../testing/snapshots.ts'
import { bufferOfConsole } from './buffered-console.ts'
import type { JestExpect } from './framework.ts'
import { MockedTime } from './mocked-time.ts'
import { forgetMocks, someJest } from './tools.ts'

/** What Jest keeps of a running test: every execution of its body finds it as the first one did, and is checked as a test of its own. */
export class Surroundings implements ExecutionHooks {
  readonly #expect: JestExpect
  #time: MockedTime | undefined
  #snapshots: Snapshots | undefined
  #console: ConsoleOutput | undefined

  constructor(expect: JestExpect) {
    this.#expect = expect
  }

  begin(): void {
    this.#time = new MockedTime(someJest())
    this.#snapshots = new Snapshots(this.#expect.getState().snapshotState)
    this.#console = new ConsoleOutput(bufferOfConsole())
  }

  beforeEach(): void {
    this.#time!.restore()
    forgetMocks()
    this.#snapshots!.begin()
    this.#console!.begin()
    this.#takeErrors()
  }

  /** @throws what Jest would */
  afterEach(): void {
    const [error] = this.#takeErrors()
    if (error) throw error
    this.#snapshots!.check()
  }

  ended(end: ExecutionEnd, number: () => number): void {
    this.#console!.ended(end, number)
  }

  end({ staysSo }: { readonly staysSo: boolean }): void {
    if (!staysSo) this.#time!.restore()
    this.#takeErrors()
    this.#snapshots!.end()
    this.#console!.end()
  }

  /** Errors of assertions that did not throw, and of those that are missing; Jest begins to count anew. */
  #takeErrors(): readonly Error[] {
    const { suppressedErrors = [] } = this.#expect.getState()
    this.#expect.setState({ suppressedErrors: [] })
    return [...suppressedErrors, ...this.#expect.extractExpectedAssertionsErrors().map(({ error }) => error)]
  }
}
