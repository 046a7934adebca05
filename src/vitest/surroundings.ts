import { expect, type TestContext } from 'vitest'
import type { AtEnd, ExecutionEnd, ExecutionHooks } from '../runtime/index.ts'
import { Snapshots } from '../testing/snapshots.ts'
import { stateOf } from './assertion-state.ts'
import { waitForLeft } from './left-assertions.ts'
import { AssertionCounts } from './assertion-counts.ts'
import { ConsoleOutput } from '../testing/console-output.ts'
import { MockedTime } from './mocked-time.ts'
import { TestHooks } from './test-hooks.ts'

interface Parts {
  readonly time: MockedTime
  readonly counts: AssertionCounts
  readonly snapshots: Snapshots
  readonly hooks: TestHooks
  readonly console: ConsoleOutput
}

/** What Vitest keeps of a running test: every execution of its body finds it as the first one did, and is checked as a test of its own. */
export class Surroundings implements ExecutionHooks {
  readonly leavesErrorsToListeners = true
  readonly #test: { readonly context: TestContext } | undefined
  readonly #snapshotState: () => unknown
  #parts: Parts | undefined
  /** Of the first exploration: others look for what that has found. */
  #snapshots: Snapshots | undefined

  /** @param snapshotState what Vitest keeps of the snapshots of its file, once it begins */
  constructor(test: { readonly context: TestContext } | undefined, snapshotState: () => unknown = () => stateOf(expect)['snapshotState']) {
    this.#test = test
    this.#snapshotState = snapshotState
  }

  begin(): void {
    const snapshots = this.#snapshots?.again() ?? new Snapshots(this.#snapshotState())
    this.#snapshots ??= snapshots
    this.#parts = {
      time: new MockedTime(),
      counts: new AssertionCounts(this.#test?.context),
      snapshots,
      hooks: new TestHooks(this.#test),
      console: new ConsoleOutput(),
    }
  }

  beforeEach(): void {
    const { time, counts, snapshots, hooks, console } = this.#parts!
    time.restore()
    hooks.begin()
    counts.begin()
    snapshots.begin()
    console.begin()
  }

  afterEach(): void {
    const { counts, snapshots, hooks } = this.#parts!
    hooks.check()
    counts.check()
    snapshots.check()
  }

  atEnd(part: Parameters<AtEnd>[0]): readonly (() => unknown)[] {
    const { counts, hooks } = this.#parts!
    const wait = waitForLeft({ promises: hooks.assertions })
    if (wait) return [wait]
    if (part === 'left by the body' || !hooks.hasCleanUps) return []
    // What is asserted there does not count.
    counts.check()
    return hooks.takeCleanUps()
  }

  cleanUps(end: ExecutionEnd): readonly (() => unknown)[] {
    return this.#parts!.hooks.cleanUps(end)
  }

  ended(end: ExecutionEnd, number: () => number): void {
    this.#parts!.console.ended(end, number)
  }

  end({ staysSo }: { readonly staysSo: boolean }): void {
    const { time, counts, snapshots, hooks, console } = this.#parts!
    if (!staysSo) time.restore()
    hooks.end()
    counts.end()
    snapshots.end()
    console.end()
  }
}
