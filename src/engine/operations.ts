import type { PendingStep } from './access.ts'
import { ProgramError } from './errors.ts'
import type { LocationId, ProcessId } from './ids.ts'
import type { Search } from './search.ts'

/** What a thread runs: it yields one operation for each step. */
export type ThreadBody = () => Iterator<Operation<unknown>, unknown, unknown>

/** A thread's pending step that is not enabled, with what it waits for in words. */
export interface Waiting {
  readonly what: string
  readonly step: PendingStep | undefined
}

/**
 * One step of a thread. `yield*` hands it over before it takes place; going on with the thread is what makes it
 * take place.
 */
export abstract class Operation<T> implements IterableIterator<Operation<T>, T, unknown> {
  /** Whether the footprint is the same in every state. */
  readonly fixed: boolean = true
  readonly run: Run
  #handedOver = false

  constructor(run: Run) {
    this.run = run
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<Operation<T>, T> {
    if (this.#handedOver) {
      this.run.checkRunning(this)
      return { done: true, value: this.take() }
    }
    this.#handedOver = true
    return { done: false, value: this }
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

/** A variable that threads share. */
export class Shared<T> {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  #value: T
  /** For each step that wrote: the value before it. */
  #before: T[] | undefined
  #writtenAt = -1

  constructor(run: Run, name: string, location: LocationId, initial: T) {
    this.run = run
    this.name = name
    this.location = location
    this.#value = initial
  }

  /** The value as it is, without an access: for the invariant. */
  get value(): T {
    return this.#value
  }

  read(): Operation<T> {
    return new Read(this)
  }

  write(value: T): Operation<void> {
    return new Write(this, value)
  }

  /** One atomic read-modify-write, a write; its result is the new value. */
  update(change: (value: T) => T): Operation<T> {
    return new Update(this, change)
  }

  /** Whether the value was `expected` and is `next` now. A write when it succeeds, a read when it fails. */
  compareAndSwap(expected: T, next: T): Operation<boolean> {
    return new CompareAndSwap(this, expected, next)
  }

  /** Inside `atomic`. */
  get(): T {
    checkAtomic(this.run, `${this.name}.get()`)
    this.run.search.read(this.location)
    return this.#value
  }

  /** Inside `atomic`. */
  set(value: T): void {
    checkAtomic(this.run, `${this.name}.set()`)
    this.run.search.write(this.location)
    this.assign(value)
  }

  /** The value becomes this one, in the step now running. For operations. */
  assign(value: T): void {
    if (this.#writtenAt !== this.run.step) {
      this.#writtenAt = this.run.step
      this.#before ??= []
      this.#before.push(this.#value)
    }
    this.#value = value
  }

  /** The value before the n-th step that wrote. For operations. */
  before(write: number): T {
    return (this.#before as T[])[write] as T
  }
}

class Read<T> extends Operation<T> {
  readonly #variable: Shared<T>

  constructor(variable: Shared<T>) {
    super(variable.run)
    this.#variable = variable
  }

  protected override take(): T {
    this.run.search.read(this.#variable.location)
    return this.#variable.value
  }
}

class Write<T> extends Operation<void> {
  readonly #variable: Shared<T>
  readonly #value: T

  constructor(variable: Shared<T>, value: T) {
    super(variable.run)
    this.#variable = variable
    this.#value = value
  }

  protected override take(): void {
    this.run.search.write(this.#variable.location)
    this.#variable.assign(this.#value)
  }
}

class Update<T> extends Operation<T> {
  readonly #variable: Shared<T>
  readonly #change: (value: T) => T

  constructor(variable: Shared<T>, change: (value: T) => T) {
    super(variable.run)
    this.#variable = variable
    this.#change = change
  }

  protected override take(): T {
    const variable = this.#variable
    this.run.search.write(variable.location)
    variable.assign(this.#change(variable.value))
    return variable.value
  }
}

class CompareAndSwap<T> extends Operation<boolean> {
  override readonly fixed = false
  readonly #variable: Shared<T>
  readonly #expected: T
  readonly #next: T

  constructor(variable: Shared<T>, expected: T, next: T) {
    super(variable.run)
    this.#variable = variable
    this.#expected = expected
    this.#next = next
  }

  protected override take(): boolean {
    const variable = this.#variable
    this.run.search.read(variable.location)
    if (!Object.is(variable.value, this.#expected)) return false
    this.run.search.write(variable.location)
    variable.assign(this.#next)
    return true
  }
}

/** A read that is enabled only while a predicate holds. */
export class Until<T> extends Operation<T> {
  readonly #variable: Shared<T>
  readonly #predicate: (value: T) => boolean

  constructor(variable: Shared<T>, predicate: (value: T) => boolean) {
    super(variable.run)
    this.#variable = variable
    this.#predicate = predicate
  }

  override get enabled(): boolean {
    return this.#predicate(this.#variable.value)
  }

  override waiting(process: ProcessId): Waiting {
    const { name, location } = this.#variable
    return { what: `a value of ${name}`, step: { kind: 'until', process, location, holdsBefore: this.#holdsBefore } }
  }

  readonly #holdsBefore = (write: number): boolean => this.#predicate(this.#variable.before(write))

  protected override take(): T {
    this.run.search.until(this.#variable.location, this.#holdsBefore)
    return this.#variable.value
  }
}

/** A lock. */
export class Mutex {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  holder: Thread | undefined

  constructor(run: Run, name: string, location: LocationId) {
    this.run = run
    this.name = name
    this.location = location
  }

  /** Enabled while the lock is free. */
  lock(): Operation<void> {
    return new Lock(this)
  }

  /** By the thread that holds it. */
  unlock(): Operation<void> {
    return new Unlock(this)
  }
}

class Lock extends Operation<void> {
  readonly #mutex: Mutex

  constructor(mutex: Mutex) {
    super(mutex.run)
    this.#mutex = mutex
  }

  override get enabled(): boolean {
    return this.#mutex.holder === undefined
  }

  override waiting(process: ProcessId): Waiting {
    const { name, location, holder } = this.#mutex
    return { what: `${name}, held by '${holder?.name}'`, step: { kind: 'acquire', process, location } }
  }

  protected override take(): void {
    this.run.search.acquire(this.#mutex.location)
    this.#mutex.holder = this.run.current
  }
}

class Unlock extends Operation<void> {
  readonly #mutex: Mutex

  constructor(mutex: Mutex) {
    super(mutex.run)
    this.#mutex = mutex
  }

  protected override take(): void {
    const { name, holder } = this.#mutex
    const { current } = this.run
    if (holder === undefined || holder !== current) {
      const owner = holder === undefined ? 'nobody does' : `'${holder.name}' does`
      throw new ProgramError(`thread '${current?.name}' unlocks ${name}, which it does not hold (${owner})`)
    }
    this.run.search.release(this.#mutex.location)
    this.#mutex.holder = undefined
  }
}

/** A flag that is raised once and never lowered. */
export class Signal {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  raised = false

  constructor(run: Run, name: string, location: LocationId) {
    this.run = run
    this.name = name
    this.location = location
  }

  /** Raises the flag; whether it was this operation that did. */
  raise(): Operation<boolean> {
    return new Raise(this)
  }

  /** Enabled once the flag is raised. */
  wait(): Operation<void> {
    return new AtomicStep(this.run, () => {}, this)
  }

  /** Inside `atomic`: what `raise` does. */
  set(): boolean {
    checkAtomic(this.run, `${this.name}.set()`)
    return this.lift()
  }

  /** For operations. */
  lift(): boolean {
    this.run.search.read(this.location)
    if (this.raised) return false
    this.run.search.write(this.location)
    this.raised = true
    return true
  }
}

class Raise extends Operation<boolean> {
  override readonly fixed = false
  readonly #signal: Signal

  constructor(signal: Signal) {
    super(signal.run)
    this.#signal = signal
  }

  protected override take(): boolean {
    return this.#signal.lift()
  }
}

/** `after`: the step is enabled once this signal is raised. */
export type Atomic = <T>(body: () => T, options?: { readonly after?: Signal }) => Operation<T>

/** One step over several variables. */
export class AtomicStep<T> extends Operation<T> {
  override readonly fixed = false
  readonly #body: () => T
  readonly #after: Signal | undefined

  constructor(run: Run, body: () => T, after: Signal | undefined) {
    super(run)
    this.#body = body
    this.#after = after
  }

  override get enabled(): boolean {
    return this.#after === undefined || this.#after.raised
  }

  override waiting(): Waiting {
    return { what: `signal ${this.#after?.name}`, step: undefined }
  }

  protected override take(): T {
    if (this.#after !== undefined) this.run.search.wait(this.#after.location)
    this.run.inAtomic = true
    try {
      return this.#body()
    } finally {
      this.run.inAtomic = false
    }
  }
}

export class Spawn extends Operation<Thread> {
  readonly #name: string
  readonly #body: ThreadBody

  constructor(run: Run, name: string, body: ThreadBody) {
    super(run)
    this.#name = name
    this.#body = body
  }

  protected override take(): Thread {
    return this.run.start(this.#name, this.#body, this.run.current)
  }
}

export class Join extends Operation<void> {
  readonly #thread: Thread

  constructor(run: Run, thread: Thread) {
    super(run)
    this.#thread = thread
    if (!(thread instanceof Thread) || thread.run !== run) {
      throw new ProgramError('join was given something that is no thread of this execution')
    }
  }

  override get enabled(): boolean {
    return this.#thread.ended
  }

  override waiting(): Waiting {
    return { what: `the end of '${this.#thread.name}'`, step: undefined }
  }

  protected override take(): void {
    this.run.search.join(this.#thread.process)
  }
}

function checkAtomic(run: Run, call: string): void {
  if (!run.inAtomic) throw new ProgramError(`${call} was called outside atomic: use the yield* operations there`)
}
