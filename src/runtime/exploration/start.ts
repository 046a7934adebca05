import { arrived, gatedIfReal } from '../events/from-outside.ts'
import { promiseOfWaitedFor } from '../events/thenables.ts'
import type { Execution } from '../execution/execution.ts'
import { inMicrotask, NativePromise, nativeThen } from '../execution/native.ts'
import { asProgram, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import type { Call, FirstStep, Process } from '../execution/process.ts'
import type { PromiseRecord } from '../promises/promise-record.ts'
import { awaited } from '../promises/resolving.ts'

/** Microtasks after which a test runner goes on with what comes after a body. */
const hopsOfRunner = 10

/** What comes at the end of a body that has passed: all of it, or what the body itself has left to be waited for. */
export type AtEnd = (part: 'all' | 'left by the body') => readonly (() => unknown)[]

/** The first step of a body or a task, and how it ended. */
export class Start implements FirstStep {
  readonly name: string
  readonly site = 0
  process: Process | undefined
  isDone = false
  hasFailed = false
  /** What it returned, or what it threw. */
  value: unknown
  readonly #body: () => unknown
  readonly #atEnd: AtEnd | undefined
  #result: PromiseRecord | undefined
  /** Nobody waits for it any more. */
  #isLeft = false

  /** @param atEnd gives what the runner calls in the step in which the body ends, one after another, where a step is an event: a step that is still to come cannot come before that. By `'await'` it waits for what the body has left */
  constructor(name: string, body: () => unknown, atEnd?: AtEnd) {
    this.name = name
    this.#body = body
    this.#atEnd = atEnd
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    try {
      const result = asProgram(this.#body)
      if (execution.events) return this.#endLater(promiseOfWaitedFor(execution, result, execution.lastSite) ?? NativePromise.resolve(result), execution)
      this.#endsWith(result, execution, (value) => this.#waitForRest(value, execution))
    } catch (error) {
      this.#end(error, { failed: true })
    }
  }

  #endsWith(result: unknown, execution: Execution, passed: (value: unknown) => void): void {
    const record = awaited(execution, result, 0)
    if (!record) return passed(result)
    this.#result = record
    record.handle(0)
    record.whenSettled(() => (record.state === 'rejected' ? this.#end(record.value, { failed: true }) : passed(record.value)))
  }

  #waitForRest(value: unknown, execution: Execution): void {
    const [rest] = running === execution && !this.#isLeft ? (this.#atEnd?.('left by the body') ?? []) : []
    const end = (): void => this.#end(value, { failed: false })
    if (rest) this.#endsWith(asProgram(rest), execution, end)
    else end()
  }

  /** The platform tells when the body has ended. */
  #endLater(result: Promise<unknown>, execution: Execution): void {
    whenSettled(result, (value) => this.#passed(value, execution), (error) => this.#end(error, { failed: true }))
  }

  /** It is over, or the execution was given up: what it would go on with does not begin. What it waits for may still be settled, long after the execution, as by the time limit that a test runner has set for it. */
  leave(): void {
    this.#isLeft = true
  }

  #passed(value: unknown, execution: Execution): void {
    // What something real has settled is no step, which is the runner's to go on from.
    const works = this.#atEnd?.(running === execution ? 'all' : 'left by the body') ?? []
    if (works.length === 0) return this.#end(value, { failed: false })
    const errors: unknown[] = []
    const goOn = (i: number): void => {
      if (this.#isLeft) return
      // What something real has settled goes on in a step of its own.
      if (running !== execution) return arrived(execution, execution.lastSite, () => goOn(i))
      if (i === works.length) return this.#end(errors.length > 0 ? errors[0] : value, { failed: errors.length > 0 })
      const fails = (error: unknown): void => {
        errors.push(error)
        goOn(i + 1)
      }
      try {
        const result = asProgram(works[i]!)
        const promise = promiseOfWaitedFor(execution, result, execution.lastSite) ?? gatedIfReal(execution, NativePromise.resolve(result), { site: execution.lastSite })
        whenSettled(promise, () => goOn(i + 1), fails)
      } catch (error) {
        fails(error)
      }
    }
    afterHops(hopsOfRunner, () => goOn(0))
  }

  delegate(): Call | undefined {
    const owner = this.#result?.owner
    return owner?.isSuspended ? owner : undefined
  }

  #end(value: unknown, { failed }: { failed: boolean }): void {
    if (this.#isLeft) return
    this.isDone = true
    running?.startEnded()
    this.hasFailed = failed
    this.value = value
  }
}

function whenSettled(promise: Promise<unknown>, fulfilled: (value: unknown) => void, rejected: (error: unknown) => void): void {
  nativeThen.call(promise, calledByProgram(fulfilled), calledByProgram(rejected))
}

function afterHops(count: number, goOn: () => void): void {
  if (count === 0) goOn()
  else inMicrotask(calledByProgram(() => afterHops(count - 1, goOn)) as () => void)
}
