import { Object } from '../intrinsics.ts'
import type { HoldsBefore } from '../access.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { Operation, currentThread, isThenable, type Waiting } from './operations.ts'
import type { Shared } from './shared.ts'

export class Read<T> extends Operation<T> {
  readonly #variable: Shared<T>

  constructor(variable: Shared<T>) {
    super(variable.run)
    this.#variable = variable
  }

  override get label(): string {
    return `${this.#variable.name}.read()`
  }

  override get looksAt(): LocationId {
    return this.#variable.location
  }

  override restore(step: number): () => void {
    return this.#variable.restore(step)
  }

  protected override take(): T {
    this.run.search.read(this.#variable.location)
    return this.#variable.look()
  }
}

export class Write<T> extends Operation<void> {
  readonly #variable: Shared<T>
  readonly #value: T

  constructor(variable: Shared<T>, value: T) {
    super(variable.run)
    this.#variable = variable
    this.#value = value
  }

  override get label(): string {
    return `${this.#variable.name}.write(...)`
  }

  protected override take(): void {
    this.run.search.assign(this.#variable.location, 0, this.#value)
    this.#variable.assign(this.#value)
  }
}

export class Add<T> extends Operation<void> {
  readonly #variable: Shared<T>
  readonly #amount: T & (number | string)

  constructor(variable: Shared<T>, amount: T & (number | string)) {
    super(variable.run)
    this.#variable = variable
    this.#amount = amount
  }

  override get label(): string {
    return `${this.#variable.name}.add(...)`
  }

  /** Unless it is a write in any case, what it finds decides. */
  override get fixed(): boolean {
    return this.run.search.isOrdered(this.#variable.location)
  }

  protected override take(): void {
    this.#variable.raise(this.#amount)
  }
}

export class Update<T> extends Operation<T> {
  readonly #variable: Shared<T>
  readonly #change: (value: T) => T

  constructor(variable: Shared<T>, change: (value: T) => T) {
    super(variable.run)
    this.#variable = variable
    this.#change = change
  }

  override get label(): string {
    return `${this.#variable.name}.update(...)`
  }

  protected override take(): T {
    const variable = this.#variable
    this.run.search.write(variable.location)
    variable.change(this.#change, 'update')
    return variable.current
  }
}

export class Combine<T> extends Operation<void> {
  readonly #variable: Shared<T>
  readonly #change: (value: T) => T

  constructor(variable: Shared<T>, change: (value: T) => T) {
    super(variable.run)
    this.#variable = variable
    this.#change = change
    variable.claimCombined()
  }

  override get label(): string {
    return `${this.#variable.name}.combine(...)`
  }

  protected override take(): void {
    this.run.search.combine(this.#variable.location)
    this.#variable.change(this.#change, 'combine')
  }
}

export class CompareAndSwap<T> extends Operation<boolean> {
  readonly #variable: Shared<T>
  readonly #expected: T
  readonly #next: T

  constructor(variable: Shared<T>, expected: T, next: T) {
    super(variable.run)
    this.#variable = variable
    this.#expected = expected
    this.#next = next
    variable.run.search.order(variable.location)
  }

  override get label(): string {
    return `${this.#variable.name}.compareAndSwap(...)`
  }

  override get fixed(): boolean {
    return false
  }

  override get looksAt(): LocationId | undefined {
    return this.value === true ? undefined : this.#variable.location
  }

  override restore(step: number): () => void {
    return this.#variable.restore(step)
  }

  override get writesBefore(): HoldsBefore {
    return (step) => Object.is(this.#variable.before(step), this.#expected)
  }

  protected override take(): boolean {
    const variable = this.#variable
    this.run.search.read(variable.location)
    if (!Object.is(variable.look(), this.#expected)) return false
    this.run.search.write(variable.location)
    variable.assign(this.#next)
    return true
  }
}

/** A read that is enabled only while a predicate holds. */
export class Until<T> extends Operation<T> {
  readonly #variable: Shared<T>
  readonly #predicate: (value: T) => boolean
  /** Whose it is, in words. */
  readonly #owner: string

  constructor(variable: Shared<T>, predicate: (value: T) => boolean) {
    super(variable.run)
    this.#variable = variable
    this.#predicate = predicate
    this.#owner = currentThread(variable.run)
    variable.claimWaitedFor()
    // Whether it holds is asked in every state.
    variable.run.search.order(variable.location)
  }

  override get label(): string {
    return `until(${this.#variable.name}, ...)`
  }

  override get enabled(): boolean {
    return this.#holds(this.#variable.current)
  }

  override waiting(process: ProcessId): Waiting {
    const { name, location } = this.#variable
    return { what: `a value of ${name}`, step: { kind: 'until', process, location, holdsBefore: this.#holdsBefore } }
  }

  readonly #holdsBefore = (step: number): boolean => this.#holds(this.#variable.before(step))

  protected override take(): T {
    this.run.search.until(this.#variable.location, this.#holdsBefore)
    return this.#variable.look()
  }

  #holds(value: T): boolean {
    let answer: unknown
    try {
      answer = this.#predicate(value)
    } catch (error) {
      this.run.refuse(
        `the predicate of ${this.label} in ${this.#owner} threw ${String(error)}: it is asked about every value that the variable has, ` +
          'so let it answer true or false for each',
        { cause: error },
      )
    }
    if (isThenable(answer)) {
      this.run.refuse(`the predicate of ${this.label} in ${this.#owner} returned a promise, which is always true: it must not be async`)
    }
    return Boolean(answer)
  }
}
