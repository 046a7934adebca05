import type { HoldsBefore } from '../access.ts'
import { ProgramError } from '../errors.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { checkAtomic } from './atomic.ts'
import { Operation, type Run, type Waiting } from './operations.ts'

/** A variable that threads share. */
export class Shared<T> {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  #value: T
  /** For each step that wrote: the value before it. */
  #before: T[] | undefined
  #writtenAt = -1
  #use: 'combined' | 'waited for' | undefined

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

  /**
   * A change whose order with other `combine`s of this variable does not matter, such as adding to a set; it conflicts
   * with everything else. WARNING: that the changes do commute is not checked.
   */
  combine(change: (value: T) => T): Operation<void> {
    return new Combine(this, change)
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

  /** Inside `atomic`: what `combine` does. */
  merge(change: (value: T) => T): void {
    checkAtomic(this.run, `${this.name}.merge()`)
    this.claim('combined')
    this.run.search.add(this.location)
    this.assign(change(this.#value))
  }

  /** Refuses to wait for a value that commuting changes make: which of them enabled the wait is not known. */
  claim(use: 'combined' | 'waited for'): void {
    if (this.#use !== undefined && this.#use !== use) {
      throw new ProgramError(`${this.name} is both combined and waited for with until, which is not supported: use update`)
    }
    this.#use = use
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

class Combine<T> extends Operation<void> {
  readonly #variable: Shared<T>
  readonly #change: (value: T) => T

  constructor(variable: Shared<T>, change: (value: T) => T) {
    super(variable.run)
    this.#variable = variable
    this.#change = change
    variable.claim('combined')
  }

  protected override take(): void {
    this.run.search.add(this.#variable.location)
    this.#variable.assign(this.#change(this.#variable.value))
  }
}

class CompareAndSwap<T> extends Operation<boolean> {
  readonly #variable: Shared<T>
  readonly #expected: T
  readonly #next: T

  constructor(variable: Shared<T>, expected: T, next: T) {
    super(variable.run)
    this.#variable = variable
    this.#expected = expected
    this.#next = next
  }

  override get fixed(): boolean {
    return false
  }

  override get writesBefore(): HoldsBefore {
    return (write) => Object.is(this.#variable.before(write), this.#expected)
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
    variable.claim('waited for')
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
