import { nativeClearTimeout, nativeSetTimeout, type Staged, type Stages } from '../runtime/index.ts'
import { exploreBody, type ExploredBody } from '../testing/explored-body.ts'
import { findingOf, reasonAgainst, replayed, type Finding } from '../testing/finding.ts'
import { ExplorationError } from '../testing/failure-error.ts'
import { messageOf, nameOf } from '../testing/messages.ts'
import { PlainFailure, reasonOfEnd } from '../testing/plain-failure.ts'
import { raceOf } from '../testing/race.ts'
import { Slowness, slowest } from '../testing/slowness.ts'
import { blocksAround, hooksAround, type CircusBlock, type CircusFunction, type CircusTest } from './circus.ts'
import type { Exploring } from './ordinary-tests.ts'

/** Hooks and tests that are given one call it when they are over. */
const takesDone = ({ length }: CircusFunction): boolean => length > 0

/** What a timer takes, in milliseconds. */
const longestTimeout = 2 ** 31 - 1

const slowness = new Slowness()

/** A test of Jest, with its hooks, that is explored in the place of being run. */
export class OrdinaryTest implements Staged {
  readonly #test: CircusTest
  readonly #own: Pick<CircusTest, 'fn' | 'timeout'>
  readonly #blocks: readonly CircusBlock[]
  readonly #hooks: CircusBlock['hooks'][]
  readonly #calls: Readonly<Record<'before' | 'after', readonly CircusFunction[]>>
  readonly #exploring: Exploring
  #isFirst = true
  #finding: Finding = { found: 'unexplored' }
  #executions: number | undefined

  constructor(test: CircusTest, exploring: Exploring) {
    this.#test = test
    this.#exploring = exploring
    this.#own = { fn: test.fn, timeout: test.timeout }
    this.#blocks = blocksAround(test)
    this.#hooks = this.#blocks.map(({ hooks }) => hooks)
    this.#calls = { before: hooksAround(this.#blocks, 'beforeEach').map(({ fn }) => fn), after: hooksAround(this.#blocks, 'afterEach').map(({ fn }) => fn) }
  }

  get finding(): Finding {
    return this.#finding
  }

  /** How many, if it was explored. */
  get executions(): number | undefined {
    return this.#executions
  }

  /** It runs as it is. */
  leave(reason: string): void {
    this.#finding = { found: 'unexplored', reason }
  }

  /** From now on Jest calls this as the test, and no hooks around it: they are part of each execution. Leaves what cannot be explored. */
  takeOver(): void {
    const reason = this.#reasonAgainst
    if (reason !== undefined) return this.leave(reason)
    for (const block of this.#blocks) block.hooks = block.hooks.filter(({ type }) => type !== 'beforeEach' && type !== 'afterEach')
    const explore = (): Promise<void> => this.#explore()
    Object.assign(this.#test, { fn: explore, timeout: Math.min(longestTimeout, 2 * this.#timeout + 2 * slowest * (this.#exploring.options.maxTime ?? 0)) })
  }

  get #reasonAgainst(): string | undefined {
    const { failing, concurrent } = this.#test
    if (failing) return 'it is expected to fail'
    if (concurrent) return 'it is marked concurrent'
    return [this.#own.fn, ...this.#calls.before, ...this.#calls.after].some(takesDone) ? 'it, or a hook of it, calls done() when it is over' : undefined
  }

  giveBack(): void {
    Object.assign(this.#test, this.#own)
    this.#blocks.forEach((block, i) => (block.hooks = this.#hooks[i]!))
  }

  async #explore(): Promise<void> {
    let explored: ExploredBody
    const { maxTime = Infinity } = this.#exploring.options
    try {
      explored = await exploreBody(this, { ...this.#exploring.options, maxTime: maxTime * slowness.now(), plainTime: this.#timeout, leavesRows: true })
    } catch (error) {
      return this.#runPlain(reasonOfEnd(error))
    }
    const { result } = explored
    const finding = this.#exploring.isReplay ? replayed(result) : findingOf(explored, { timeout: this.#timeout })
    if (!finding) return this.#runPlain(reasonAgainst(result))
    this.#finding = finding
    this.#executions = result.executions
    if (result.failures.length > 0) throw await this.#race(explored)
  }

  async #race({ explain }: ExploredBody): Promise<Error> {
    const { testFile } = this.#exploring
    const error = await explain({ name: this.#test.name, testFile, isOrdinary: true })
    const race = error instanceof ExplorationError ? raceOf(error.explanation, { root: process.cwd(), testFile: testFile ?? '' }) : undefined
    this.#finding = { found: 'race', ...(race && { race }) }
    return error
  }

  /** One execution. */
  async run(stages: Stages): Promise<readonly unknown[]> {
    const errors = await this.#once({ hook: (name, call) => stages.alone(name, call), body: (call) => stages.explored(call as () => unknown) })
    if (this.#isFirst && !this.#exploring.isReplay && errors.length > 0 && nameOf(errors[0]) !== 'GivenUp') throw new PlainFailure(messageOf(errors[0]))
    this.#isFirst = false
    return errors
  }

  /** Without control: so the test ends as it does without this package. */
  async #runPlain(reason: string): Promise<void> {
    const errors = await this.#once({ hook: (_, call) => call(), body: (call) => within(this.#timeout, call) })
    this.leave(reason)
    if (errors.length > 0) throw errors[0]
  }

  /** Milliseconds for one run. */
  get #timeout(): number {
    return this.#own.timeout ?? this.#exploring.timeout
  }

  /** As Jest runs it. Returns what went wrong. */
  async #once({ hook, body }: { readonly hook: (name: string, call: () => unknown) => unknown; readonly body: (call: () => unknown) => unknown }): Promise<readonly unknown[]> {
    const context = Object.create(null) as object
    const errors: unknown[] = []
    const tried = async (work: () => unknown): Promise<void> => {
      try {
        await work()
      } catch (error) {
        errors.push(error)
      }
    }
    for (const fn of this.#calls.before) if (errors.length === 0) await tried(() => hook('beforeEach', () => fn.call(context)))
    if (errors.length === 0) await tried(() => body(() => this.#own.fn.call(context)))
    for (const fn of this.#calls.after) await tried(() => hook('afterEach', () => fn.call(context)))
    return errors
  }
}

/** @throws where it takes longer, as Jest does */
function within(timeout: number, work: () => unknown): Promise<unknown> {
  return new Promise((done, failed) => {
    const timer = nativeSetTimeout(() => failed(new Error(`Exceeded timeout of ${timeout} ms for a test.`)), timeout)
    void (async () => work())().finally(() => nativeClearTimeout(timer)).then(done, failed)
  })
}
