import type { ExecutionHooks } from '../runtime/index.ts'
import { Snapshots } from '../testing/snapshots.ts'
import type { JestExpect } from './framework.ts'
import { MockedTime } from './mocked-time.ts'
import { forgetMocks, someJest } from './tools.ts'

/** What Jest keeps of a running test: every execution of its body finds it as the first one did, and is checked as a test of its own. */
export class Surroundings implements ExecutionHooks {
  readonly #expect: JestExpect
  #time: MockedTime | undefined
  #snapshots: Snapshots | undefined

  constructor(expect: JestExpect) {
    this.#expect = expect
  }

  begin(): void {
    this.#time = new MockedTime(someJest())
    this.#snapshots = new Snapshots(this.#expect.getState().snapshotState)
  }

  beforeEach(): void {
    this.#time!.restore()
    forgetMocks()
    this.#snapshots!.begin()
    this.#expect.extractExpectedAssertionsErrors()
  }

  /** @throws what Jest would */
  afterEach(): void {
    const [missing] = this.#expect.extractExpectedAssertionsErrors()
    if (missing) throw missing.error
    this.#snapshots!.check()
  }

  cleanUps(): readonly (() => unknown)[] {
    return []
  }

  ended(): void {}

  end(): void {
    this.#time!.restore()
    this.#expect.extractExpectedAssertionsErrors()
    this.#snapshots!.end()
  }
}
