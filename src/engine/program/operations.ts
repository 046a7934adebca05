import type { HoldsBefore, PendingStep } from '../access.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import type { Look } from '../observation/look.ts'
import { Looks, type Look as LoopLook } from './looks.ts'
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
    run.unused++
    run.made?.push(this)
  }

  /** What it is, for messages: `x.read()`. */
  abstract readonly label: string

  /** Whether the footprint is the same in every state. */
  get fixed(): boolean {
    return true
  }

  /** The location that it looks at, if that is all that it does, or may be all as long as it has not taken place. */
  get looksAt(): LocationId | undefined {
    return undefined
  }

  /** The location that it looks at gets back what it was in that step; what is returned undoes that. */
  restore(_step: number): () => void {
    return () => {}
  }

  /** Of a step that is a read or a write by the value that it finds: whether it would be a write just before another step. */
  get writesBefore(): HoldsBefore | undefined {
    return undefined
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<Operation<T>, T> {
    if (this.value === this) {
      this.run.checkRunning(this)
      this.run.unused--
      this.value = this.take()
      this.done = true
    } else if (this.done) this.run.refuse(`${this.label} was yielded twice: make a new operation for every step`)
    else this.value = this
    return this as unknown as IteratorResult<Operation<T>, T>
  }

  /** Whether it was handed over by `yield*`, not by `yield`. */
  get isHandedOver(): boolean {
    return this.value === this
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

/** An operation that a function carries out, with what may be called inside `atomic` only. */
export class Told<T> extends Operation<T> {
  readonly label: string
  readonly #body: () => T
  readonly #fixed: boolean

  constructor(run: Run, body: () => T, { fixed, label }: { readonly fixed: boolean; readonly label: string }) {
    super(run)
    this.#body = body
    this.#fixed = fixed
    this.label = label
  }

  override get fixed(): boolean {
    return this.#fixed
  }

  protected override take(): T {
    this.run.inAtomic = true
    try {
      return this.#body()
    } finally {
      this.run.inAtomic = false
    }
  }
}

/** What model programs need of the search. */
export type ProgramSearch = Pick<
  Search,
  | 'acquire' | 'add' | 'append' | 'assign' | 'awaitChange' | 'barrier' | 'choose' | 'clear' | 'combine' | 'endStep' | 'exhausted' | 'finish' | 'forced' | 'hasChanged' | 'insert' | 'isOrdered'
  | 'join' | 'look' | 'order' | 'read' | 'release' | 'remove' | 'saw' | 'spawn' | 'stop' | 'until' | 'wait' | 'write'
>

/** What operations need to know of the execution they belong to. */
export interface Run {
  readonly search: ProgramSearch
  /** The thread whose step is running. */
  readonly current: Thread | undefined
  /** Whether an `atomic` is running; `get` and `set` are for it alone. */
  inAtomic: boolean
  /** Whether threads run, so that values may be seen by operations alone: after `build` and before the invariant. */
  readonly isRunning: boolean
  /** How many operations were made and not taken. */
  unused: number
  /** Those made, while they are kept. */
  readonly made: Operation<unknown>[] | undefined
  /** Steps so far. */
  readonly step: number
  /** Whether the invariant is running. */
  readonly inInvariant: boolean
  /** The invariant, if it is running, looks at the location. */
  lookAtEnd(location: LocationId, look: Look): void
  /** The location of the value that a map has for a key. */
  entry(map: LocationId, key: unknown): LocationId
  /** Virtual time. */
  readonly now: number
  start(name: string, body: ThreadBody, parent: Thread | undefined): Thread
  /** Refuses an operation that runs although its thread did not yield it. */
  checkRunning(operation: Operation<unknown>): void
  /** The program is written wrongly: throws a `ProgramError`, and lets the execution fail even if somebody catches it. */
  refuse(why: string, options?: { readonly cause: unknown }): never
}

/** In words, whose code is running. */
export function currentThread({ current }: Run): string {
  return current === undefined ? 'the program' : `thread '${current.name}'`
}

/** What every async function returns where a value was asked for. */
export function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

export interface ThreadStart {
  readonly name: string
  readonly process: ProcessId
  readonly ordinal: number
  readonly body: Iterator<Operation<unknown>, unknown, unknown>
}

/** One thread of an execution. */
export class Thread {
  readonly name: string
  readonly process: ProcessId
  /** Its next step; none once it has ended. */
  pending: Operation<unknown> | undefined
  /** Variables it has made so far. */
  variables = 0
  /** Its place in the order of creation. */
  readonly ordinal: number
  readonly looks = new Looks()
  /** What its last round has looked at, if the next one will be like it until something of that changes: it waits for that. */
  waitsFor: readonly LoopLook[] | undefined
  readonly run: Run
  readonly #body: Iterator<Operation<unknown>, unknown, unknown>

  constructor(run: Run, { name, process, ordinal, body }: ThreadStart) {
    this.run = run
    this.name = name
    this.process = process
    this.ordinal = ordinal
    this.#body = body
  }

  /** Runs to the next operation, which takes the pending one. Throws what the body throws; the thread has ended then. */
  advance(): void {
    this.pending = undefined
    const result = this.#body.next()
    if (result.done === true) return
    const operation = result.value
    if (!(operation instanceof Operation) || operation.run !== this.run) {
      return this.run.refuse(
        `thread '${this.name}' yielded something that is no operation of this execution: ` +
          "write yield* (with the star) before an operation, and use the builder's variables only",
      )
    }
    if (!operation.isHandedOver) {
      this.run.refuse(`thread '${this.name}' has yield ${operation.label} without the star, which does nothing: write yield* ${operation.label}`)
    }
    this.pending = operation
  }

  get ended(): boolean {
    return this.pending === undefined
  }

  /** Whether its next step can be taken: a loop that waits goes on once something has changed that it looked at. */
  get canGoOn(): boolean {
    if (this.pending?.enabled !== true) return false
    return this.waitsFor === undefined || this.waitsFor.some(({ location, step }) => this.run.search.hasChanged(location, step))
  }
}
