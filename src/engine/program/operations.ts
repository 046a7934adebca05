import type { HoldsBefore, PendingStep } from '../access.ts'
import { ProgramError } from '../errors.ts'
import type { ProcessId } from '../ids.ts'
import type { Search } from '../search.ts'
import type { StepNature } from '../trace/trace.ts'

/** What a thread runs: it yields one operation for each step. */
export type ThreadBody = () => Iterator<Operation<unknown>, unknown, unknown>

/** A thread's pending step that is not enabled, with what it waits for in words. */
export interface Waiting {
  readonly what: string
  readonly step: PendingStep | undefined
}

/**
 * One step of a thread. `yield*` hands it over before it takes place; going on with the thread is what makes it
 * take place. It is its own iterator and, since millions of them are made, its own iterator result.
 */
export abstract class Operation<T> implements StepNature, IterableIterator<Operation<T>, T, unknown> {
  readonly run: Run
  /** Whether it has taken place. */
  done = false
  /** Itself once it is handed over, its result once it has taken place. */
  value: unknown = undefined

  constructor(run: Run) {
    this.run = run
  }

  /** Whether the footprint is the same in every state. */
  get fixed(): boolean {
    return true
  }

  /** Of a step that is a read or a write by the value that it finds: whether it would be a write just before the n-th write. */
  get writesBefore(): HoldsBefore | undefined {
    return undefined
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<Operation<T>, T> {
    if (this.value === this) {
      this.run.checkRunning(this)
      this.value = this.take()
      this.done = true
    } else this.value = this
    return this as unknown as IteratorResult<Operation<T>, T>
  }

  get enabled(): boolean {
    return true
  }

  /** What the thread waits for while the operation is not enabled. */
  waiting(_process: ProcessId): Waiting {
    return { what: 'nothing', step: undefined }
  }

  /** Takes place: records its accesses, has its effect, and tells its result. */
  protected abstract take(): T
}

/** What operations need to know of the execution they belong to. */
export interface Run {
  readonly search: Search
  /** The thread whose step is running. */
  readonly current: Thread | undefined
  /** Whether an `atomic` is running; `get` and `set` are for it alone. */
  inAtomic: boolean
  /** Steps so far. */
  readonly step: number
  /** Virtual time. */
  readonly now: number
  start(name: string, body: ThreadBody, parent: Thread | undefined): Thread
  /** Refuses an operation that runs although its thread did not yield it. */
  checkRunning(operation: Operation<unknown>): void
}

/** One thread of an execution. */
export class Thread {
  readonly name: string
  readonly process: ProcessId
  /** Its next step; none once it has ended. */
  pending: Operation<unknown> | undefined
  /** Variables it has made so far. */
  variables = 0
  readonly run: Run
  readonly #body: Iterator<Operation<unknown>, unknown, unknown>

  constructor(run: Run, name: string, process: ProcessId, body: Iterator<Operation<unknown>, unknown, unknown>) {
    this.run = run
    this.name = name
    this.process = process
    this.#body = body
  }

  /** Runs to the next operation, which takes the pending one. Throws what the body throws; the thread has ended then. */
  advance(): void {
    this.pending = undefined
    const result = this.#body.next()
    if (result.done === true) return
    if (!(result.value instanceof Operation) || result.value.run !== this.run) {
      throw new ProgramError(
        `thread '${this.name}' yielded something that is no operation of this execution: ` +
          "write yield* (with the star) before an operation, and use the builder's variables only",
      )
    }
    this.pending = result.value
  }

  get ended(): boolean {
    return this.pending === undefined
  }
}
