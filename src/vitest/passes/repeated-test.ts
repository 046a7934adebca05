import { byRunner, GivenUp, type AtEnd, type Body, type Stages, type Tasks } from '../../runtime/index.ts'
import { messageOf, nameOf } from '../../testing/messages.ts'
import { Passes } from '../../testing/passes.ts'
import { PlainFailure } from '../../testing/plain-failure.ts'
import { Annotations, type Annotation } from './annotations.ts'
import { listeningOnce } from './cancelling.ts'
import type { Ended, Judge } from './judge.ts'
import { lendErrorClass, lendingBetween, takeBackErrorClass } from './lent-error-class.ts'
import { delayOf, isTriedAgain } from './retries.ts'
import { HooksAtEnd, isStaged, staged } from './hooks-at-end.ts'
import type { Handler, RunnerTest } from './runner-test.ts'
import { TimeLimit } from './time-limit.ts'
import { beginAlone } from './two-stages.ts'

/**
 * A test that is explored: Vitest's own loop for `repeats` runs it once for each execution, with its hooks and fixtures. Where
 * the exploration cannot tell how the test ends, a last pass that nothing controls does.
 */
export class RepeatedTest {
  readonly #test: RunnerTest
  readonly #judge: Judge
  readonly #own: Pick<RunnerTest, 'retry' | 'repeats'>
  readonly #annotations: Annotations
  #passes = new Passes()
  #exploration: Promise<Ended> | undefined
  #isExploring = true
  #isInPass = false
  #isInTry = false
  #isFirst = true
  /** What attempts have failed with that were followed by another one. */
  readonly #tried: Error[] = []
  #leavesState = false
  #hasBegunAnew = false
  /** Passes without control that are still to come. */
  #plainLeft = 0
  #isFirstPlain = true
  /** What the pass goes on with after the test: hooks around it, fixtures that are in use. */
  #open = 0
  #isBodyOver = false
  /** What went wrong in this pass, besides what Vitest knows. */
  #failures: unknown[] = []
  /** Stages that are under way, or wait for each other. */
  #inStages = 0
  /** The exploration tells how the test ends. */
  #hasVerdict = false
  /** By this error, if it fails. */
  #verdict: Error | undefined
  readonly #hooksAtEnd: HooksAtEnd
  readonly #atEnd: AtEnd = (part) => {
    if (this.#open > 0) this.#hooksAtEnd.hasCleanUps = true
    return this.#hooksAtEnd.take(part)
  }

  constructor(test: RunnerTest, judge: Judge, hooksAfter: (test: RunnerTest) => readonly Handler[]) {
    this.#test = test
    this.#hooksAtEnd = new HooksAtEnd(test, hooksAfter)
    this.#judge = judge
    this.#own = { retry: test.retry, repeats: test.repeats }
    this.#annotations = new Annotations(test)
    Object.assign(test, { retry: 0, repeats: { valueOf: () => this.#takePass() } })
  }

  /** It is to run once more, when all others of its suite are over as well. */
  get isToRunAgain(): boolean {
    return this.#judge.isToRunAgain
  }

  /** Vitest asks before each pass: it takes one as long as this is not less than the number of the pass. */
  #takePass(): number {
    if (this.#isExploring) return Infinity
    return this.#plainLeft-- > 0 ? Infinity : -1
  }

  /** Vitest tries the test. Of a try before it whose error it could not even read, it has not said that it was over. */
  async beginTry(): Promise<void> {
    if (this.#isInPass && this.#isInTry) {
      this.#open = 0
      await this.bodyIsOver()
      if (!this.#isExploring) this.#plainLeft--
    }
    await this.begin()
    this.#isInTry = this.#isInPass
  }

  /** A pass begins: it waits until an execution is asked for. */
  async begin(): Promise<void> {
    if (!this.#isExploring) return this.#beginPlain()
    if (this.#isInPass) return
    this.#exploration ??= this.#explore()
    if (await this.#passes.asked()) {
      this.#isInPass = true
      this.#annotations.passBegins()
      this.#isBodyOver = false
      this.#hooksAtEnd.passBegins()
      this.#failures = []
      this.#forgetResult('run')
    } else {
      // It could not even begin.
      await this.#settle()
      this.#plainLeft--
    }
  }

  /** Vitest 4 leaves what the pass before has come to, and who annotates the test would be told that it is over. */
  #beginPlain(): void {
    this.#annotations.giveBack()
    this.#hooksAtEnd.passBegins()
    // Of an explored pass Vitest may have heard something after it was judged.
    if (this.#isFirstPlain) this.#forgetResult('run')
    this.#isFirstPlain = false
    const { result } = this.#test
    if (result?.state === 'pass') result.state = 'run'
  }

  /** Runs code of the user's around the body in the execution that is under way, if there is one. */
  alone(name: string, work: () => unknown): Promise<unknown> {
    return this.#inStage((stages) => (stages ? aloneInTime(stages, name, work) : work()))
  }

  /** What a hook before the test has returned is to be called after it. */
  returnsCleanUp(): void {
    this.#hooksAtEnd.hasCleanUps = true
  }

  /** Whether a hook after the test has run in the step in which its body has ended. */
  hasRun(hook: Handler): boolean {
    return this.#hooksAtEnd.haveRun(hook)
  }

  /** What Vitest calls as the test. */
  async body(work: () => unknown): Promise<unknown> {
    if (!this.#passes.stages) return work()
    // A fixture could not be made.
    if (this.#failures.length > 0) throw this.#failures[0]
    return listeningOnce(this.#test.context.signal, async () => (this.#judge.showsBody ? work() : this.#inStage((stages) => stages!.explored(() => byRunner(work), this.#atEnd))))
  }

  /** The body itself, or the tasks. */
  async explored(subject: Body | Tasks): Promise<void> {
    // What the first execution would do before the exploration begins anew would be there twice.
    if (this.#leavesState) return
    await this.#inStage((stages) => stages?.explored(subject, this.#atEnd))
  }

  async #inStage(work: (stages: Stages | undefined) => unknown): Promise<unknown> {
    const stages = this.#stages
    if (!stages) return work(undefined)
    this.#inStages++
    try {
      return await work(stages)
    } finally {
      this.#inStages--
      this.#stageHandlers(stages)
    }
  }

  /** What the body has asked to be called at its end is part of the execution as well. */
  #stageHandlers(stages: Stages): void {
    for (const list of [this.#test.onFinished, this.#test.onFailed]) {
      list?.forEach((handler, i) => {
        if (!isStaged(handler)) list[i] = staged(handler, (...args) => stages.alone('clean-up', () => handler(...args)))
      })
    }
  }

  get #stages(): Stages | undefined {
    const { stages } = this.#passes
    return stages && lendingBetween(stages)
  }

  /** Of the execution that is under way. */
  get stages(): Stages | undefined {
    const stages = this.#stages
    return stages && { ...stages, leaveState: () => this.#leaveState(stages) }
  }

  /** Code of the user's that is called now is part of a stage already. */
  get isInStage(): boolean {
    return this.#inStages > 0
  }

  /** What is made now will be there for other tests: what the plain run has led to counts, and there is no other. */
  #leaveState(stages: Stages): void {
    this.#leavesState = true
    stages.leaveState()
  }

  /** A hook around the test: the first one that begins is the beginning of the pass, and its end that of the pass. */
  async around(hook: (runTest: () => unknown) => unknown, runTest: () => Promise<unknown>): Promise<void> {
    await this.begin()
    const { stages } = this.#passes
    if (!stages) return void (await hook(runTest))
    this.keepOpen()
    await this.#aroundInStages(hook, runTest).catch((error: unknown) => this.fails(error))
    // It may have failed before the test.
    this.#isBodyOver ||= this.#open === 1
    await this.close()
  }

  /** Hooks and fixtures around it may go on. */
  async bodyIsOver(): Promise<void> {
    this.#isBodyOver = true
    await this.#end()
  }

  fails(error: unknown): void {
    this.#failures.push(error)
  }

  keepOpen(): void {
    this.#open++
  }

  async close(): Promise<void> {
    this.#open--
    await this.#end()
  }

  async #aroundInStages(hook: (runTest: () => unknown) => unknown, runTest: () => Promise<unknown>): Promise<unknown> {
    const { parts, done, reached } = await beginAlone(this, 'aroundEach', hook)
    if (!reached) return done
    let failure: { readonly error: unknown } | undefined
    await runTest().catch((error: unknown) => (failure = { error }))
    await parts.end(failure)
    return done
  }

  /** A pass ends, if nothing still keeps it open. @throws the error that the test ends with */
  async #end(): Promise<void> {
    const { result } = this.#test
    if (!this.#isInPass || !this.#isBodyOver || this.#open > 0 || !result) return
    this.#isInPass = false
    this.#isInTry = false
    this.#hooksAtEnd.passEnds()
    try {
      await this.#endPass(result)
    } catch (error) {
      // Whatever it is, no pass follows that would end in the same way.
      this.#isExploring = false
      this.#passes.abandon(error)
      throw error
    }
  }

  async #endPass(result: NonNullable<RunnerTest['result']>): Promise<void> {
    takeBackErrorClass()
    // Of an execution that was given up, or in which it waits for ever, Vitest would wait for in the pass after this one.
    this.#test.promises = undefined
    const { state } = result
    const errors = [...(result.errors ?? []), ...this.#failures]
    const isPlain = this.#isFirst && this.#judge.endsByPlainFailure
    // Of an execution that was cut short the exploration itself knows why.
    const wasCut = nameOf(errors[0]) === 'GivenUp'
    this.#isFirst = false
    if (result.pending || state === 'skip') {
      const skipped = { ...result }
      await this.#passes.giveUp(new GivenUp())
      // What has changed in the execution is put back, and this with it.
      Object.assign(result, skipped)
      this.#isExploring = false
      return
    }
    const hasFailed = state === 'fail' || this.#failures.length > 0
    if (this.#leavesState) return this.#endOfFirst(state)
    const isAsked = await (isPlain && hasFailed && !wasCut ? this.#passes.giveUp(new PlainFailure(messageOf(errors[0]))) : this.#passes.ended(hasFailed ? errors : []))
    this.#forgetResult('pass')
    if (!isAsked) await this.#settle()
  }

  /** Of a pass that has made what stays for the whole file. */
  async #endOfFirst(state: string): Promise<void> {
    const result = this.#test.result!
    const { errors } = result
    await this.#passes.giveUp(new GivenUp())
    if (this.#judge.beginsAnew && !this.#hasBegunAnew) {
      this.#hasBegunAnew = true
      this.#beginAnew()
      return
    }
    this.#isExploring = false
    Object.assign(result, { state, errors })
    if (this.#failures.length > 0) throw this.#failures[0]
    if (state !== 'fail') this.#judge.left('it is the first that uses a fixture of its file')
  }

  /** With the next pass. */
  #beginAnew(): void {
    this.#isExploring = true
    this.#leavesState = false
    this.#isFirst = true
    this.#exploration = undefined
    this.#passes = new Passes()
    this.#forgetResult('pass')
  }

  #forgetResult(state: 'run' | 'pass'): void {
    const { result } = this.#test
    if (!result) return
    result.state = state
    delete result.errors
  }

  /** What it was annotated with, which nobody has told yet. */
  takeAnnotations(): Annotation[] {
    return this.#annotations.take()
  }

  /** After the last pass. */
  async finish(): Promise<void> {
    this.#giveBack()
    const { result } = this.#test
    if (!result) return
    result.repeatCount = 0
    if (result.attempts) result.attempts = result.attempts.slice(-1).map((attempt) => ({ ...(attempt as object), repeatIndex: 0 }))
    if (result.state === 'skip') return
    // Of the last execution Vitest may have heard something after it was judged.
    if (this.#hasVerdict && !this.#verdict) this.#forgetResult('pass')
    const told = new Set([...this.#tried, this.#verdict].map(messageOf))
    if (this.#verdict) result.errors = result.errors?.filter((error) => told.has(messageOf(error)))
    await this.#judge.finish(result.state)
  }

  /** The test is as it was defined. */
  #giveBack(): void {
    takeBackErrorClass()
    Object.assign(this.#test, this.#own)
    this.#annotations.giveBack()
  }

  /** Vitest goes on with something else, and has not said that it is over: where it could not even read an error it has left a pass in its middle. Gives the test, if that is so. */
  async leave(): Promise<RunnerTest | undefined> {
    if (this.#isInPass) {
      takeBackErrorClass()
      this.#isInPass = false
      this.#isExploring = false
      this.#passes.abandon(new GivenUp())
      // What has changed in the execution is put back, and the result with it.
      await this.#exploration
    }
    this.#giveBack()
    const { result } = this.#test
    if (!result || result.state === 'skip') return undefined
    result.state = 'fail'
    return this.#test
  }

  async #explore(): Promise<Ended> {
    const passes = this.#passes
    try {
      return { explored: await this.#judge.explore(passes) }
    } catch (error) {
      return { error }
    } finally {
      passes.over()
    }
  }

  /** As Vitest does with a test that has failed. */
  async #isTriedAgain(error: Error): Promise<boolean> {
    const { result } = this.#test
    const { retry } = this.#own
    if (!this.#judge.triesAgain || this.#isFirst || !result || !isTriedAgain(retry, error, this.#tried.length)) return false
    await delayOf(retry)
    this.#tried.push(error)
    result.retryCount = this.#tried.length
    this.#beginAnew()
    return true
  }

  /** The exploration has ended. @throws the error that the test ends with */
  async #settle(): Promise<void> {
    this.#isExploring = false
    const verdict = await this.#judge.verdictOn(await this.#exploration!)
    if (verdict !== 'plain' && verdict.error && (await this.#isTriedAgain(verdict.error))) return
    if (verdict === 'plain') {
      this.#annotations.forget()
      this.#plainLeft = Number(this.#own.repeats ?? 0) + 1
      this.#test.retry = this.#own.retry
      return
    }
    this.#hasVerdict = true
    this.#verdict = verdict.error
    if (verdict.error) {
      lendErrorClass()
      // Vitest tells of all attempts.
      throw this.#tried.length > 0 ? [...this.#tried, verdict.error] : verdict.error
    }
    if (this.#judge.repeatsAsItIs) this.#plainLeft = Number(this.#own.repeats ?? 0)
    if (this.#plainLeft > 0) {
      this.#hasVerdict = false
      this.#test.retry = this.#own.retry
    }
  }
}

/** Of what is given up Vitest says no more that it takes too long. */
async function aloneInTime(stages: Stages, name: string, work: () => unknown): Promise<unknown> {
  const limit = new TimeLimit()
  try {
    return await stages.alone(name, () => limit.of(work))
  } catch (error) {
    if (error instanceof GivenUp) limit.end()
    throw error
  }
}
