import type { TestContext } from 'vitest'
import type { ExecutionEnd } from '../runtime/index.ts'

type Handler = (context: TestContext) => unknown

/** What a body leaves with its test, as far as it is used here. */
interface RunningTest {
  readonly context: TestContext
  onFinished?: Handler[] | undefined
  onFailed?: Handler[] | undefined
  /** Assertions that wait. */
  promises?: unknown[] | undefined
  result?: { state: string; errors?: unknown[] } | undefined
}

const lists = ['onFinished', 'onFailed', 'promises'] as const

/** What an execution asks of its test is of that execution: handlers for its end, soft assertions that failed. */
export class TestHooks {
  readonly #test: RunningTest | undefined
  readonly #before: readonly (readonly [name: (typeof lists)[number], list: readonly unknown[] | undefined])[]

  constructor(test: unknown) {
    this.#test = test as RunningTest | undefined
    this.#before = lists.map((name) => [name, this.#test?.[name]?.slice()])
  }

  begin(): void {
    this.#forgetFailure()
    this.#restore()
  }

  /** @throws the first that `expect.soft` has noted: it marks the test as failed without throwing */
  check(): void {
    const result = this.#test?.result
    if (result?.state !== 'fail' || this.#isOver) return
    const error: unknown = result.errors?.[0]
    this.#forgetFailure()
    throw error
  }

  /** Those of promises that the execution has not waited for so far. */
  get assertions(): readonly unknown[] {
    return this.#added('promises')
  }

  /** Whether there are handlers of `onTestFinished` for a test that has passed. */
  get hasCleanUps(): boolean {
    return this.#test?.result?.state !== 'fail' && this.#added('onFinished').length > 0
  }

  /** Those, of which `cleanUps` gives none any more. */
  takeCleanUps(): readonly (() => unknown)[] {
    const handlers = this.cleanUps({ isComplete: true, hasFailed: false })
    this.#test!.onFinished = this.#beforeOf('onFinished').slice()
    return handlers
  }

  /** The handlers of `onTestFinished`, the last one first, then those of `onTestFailed`. */
  cleanUps({ hasFailed }: ExecutionEnd): readonly (() => unknown)[] {
    const test = this.#test
    if (!test) return []
    const finished = this.#added('onFinished').toReversed()
    const handlers = hasFailed ? [...finished, ...this.#added('onFailed')] : finished
    return handlers.map((handler) => () => handler(test.context))
  }

  end(): void {
    this.begin()
  }

  /** Vitest has ended the test, by its timeout or because it was cancelled: what it says of it stays. */
  get #isOver(): boolean {
    return this.#test?.context.signal.aborted === true
  }

  #added(name: 'onFinished' | 'onFailed'): readonly Handler[]
  #added(name: 'promises'): readonly unknown[]
  #added(name: (typeof lists)[number]): readonly unknown[] {
    return this.#test?.[name]?.slice(this.#beforeOf(name).length) ?? []
  }

  #beforeOf(name: (typeof lists)[number]): Handler[] {
    return (this.#before.find(([one]) => one === name)?.[1] ?? []) as Handler[]
  }

  #restore(): void {
    if (!this.#test) return
    for (const [name, list] of this.#before) {
      if (this.#test[name] !== undefined || list !== undefined) this.#test[name] = list?.slice() as never
    }
  }

  #forgetFailure(): void {
    const result = this.#test?.result
    if (result?.state !== 'fail' || this.#isOver) return
    result.state = 'run'
    delete result.errors
  }
}
