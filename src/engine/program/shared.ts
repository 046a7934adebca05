import { Object } from '../intrinsics.ts'
import type { LocationId } from '../ids.ts'
import { checkAtomic } from './atomic.ts'
import { withChange, placeBefore, type History } from './history.ts'
import { contentsOf } from './in-place.ts'
import { currentThread, isThenable, type Operation, type Run } from './operations.ts'
import { Add, Combine, CompareAndSwap, Read, Update, Write } from './shared-operations.ts'
import { hashValue } from '../values.ts'

/** What is done with a variable that does not go together, as bits. */
const COMBINED = 1
const WAITED_FOR = 2
const CHANGED_IN_PLACE = 4

/** A variable that threads share. */
export class Shared<T> {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  #value: T
  /** Of an object: what it held when it became the value. */
  #contents: number
  #history: History | undefined
  #uses = 0

  constructor(run: Run, name: string, location: LocationId, initial: T) {
    this.run = run
    this.name = name
    this.location = location
    this.#value = initial
    this.#contents = typeof initial === 'object' ? contentsOf(initial) : 0
  }

  /** The value at the end: for the invariant, which thereby looks at it. */
  get value(): T {
    if (this.run.isRunning) {
      this.run.refuse(
        `${currentThread(this.run)} looks at ${this.name}.value, which is for the invariant: ` +
          `use yield* ${this.name}.read(), or ${this.name}.get() inside atomic`,
      )
    }
    this.run.lookAtEnd(this.location, 'value')
    return this.#value
  }

  read(): Operation<T> {
    return new Read(this)
  }

  write(value: T): Operation<void> {
    return new Write(this, value)
  }

  /**
   * Adds to the value, by `+`, and does not tell the sum. By `equivalence: 'observation'` additions of safe integers to safe
   * integers commute; in all other cases it is an `update`.
   */
  add(amount: T & (number | string)): Operation<void> {
    return new Add(this, amount)
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
    return this.look()
  }

  /** Inside `atomic`. */
  set(value: T): void {
    checkAtomic(this.run, `${this.name}.set()`)
    this.run.search.assign(this.location, 0, value)
    this.assign(value)
  }

  /** Inside `atomic`: what `add` does. */
  plus(amount: T & (number | string)): void {
    checkAtomic(this.run, `${this.name}.plus()`)
    this.raise(amount)
  }

  /** Inside `atomic`: what `combine` does. */
  merge(change: (value: T) => T): void {
    checkAtomic(this.run, `${this.name}.merge()`)
    this.claimCombined()
    this.run.search.combine(this.location)
    this.change(change, 'merge')
  }

  /** It is changed by operations that commute. For operations. */
  claimCombined(): void {
    this.#claim(COMBINED)
  }

  /** Somebody waits for a value of it. For operations. */
  claimWaitedFor(): void {
    this.#claim(WAITED_FOR)
  }

  /** Refuses what cannot be told apart: which of several commuting changes enabled a wait, or what a value was before it was changed in place. */
  #claim(use: typeof COMBINED | typeof WAITED_FOR | typeof CHANGED_IN_PLACE): void {
    this.#uses |= use
    if ((this.#uses & WAITED_FOR) === 0 || this.#uses === WAITED_FOR) return
    if ((this.#uses & COMBINED) !== 0) {
      this.run.refuse(`${this.name} is both combined and waited for with until, which is not supported: use update`)
    }
    this.run.refuse(
      `the value of ${this.name} is changed in place and waited for with until, so that nobody knows what it was before: ` +
        'give update, write or set a new value, such as [...list, item]',
    )
  }

  /** The value, which the step now running sees. For operations. */
  look(): T {
    const value = this.current
    this.run.search.saw(hashValue(value))
    return value
  }

  /** The value, of which it is checked that nobody changed it but by an operation. For operations. */
  get current(): T {
    const value = this.#value
    if (typeof value === 'object' && contentsOf(value) !== this.#contents) {
      this.run.refuse(
        `the value of ${this.name} was changed in place, which is no access: give update, write or set a new value instead, ` +
          'or keep in a plain variable what only one thread changes',
      )
    }
    return value
  }

  /** The value becomes what `change` makes of it, in the step now running. For operations. */
  change(change: (value: T) => T, operation: 'update' | 'combine' | 'merge'): void {
    const before = operation === 'update' ? this.look() : this.#value
    let value: T
    try {
      value = change(before)
    } catch (error) {
      this.run.refuse(
        `the function given to ${this.name}.${operation} in ${currentThread(this.run)} threw ${String(error)}: ` +
          'let it return the new value, or the old one, in every case',
        { cause: error },
      )
    }
    this.assign(value)
  }

  /** Adds to the value, in the step now running. For operations. */
  raise(amount: T & (number | string)): void {
    const found = this.#value
    this.run.search.add(this.location, 0, amount, found)
    this.assign(((found as number) + (amount as number)) as T)
  }

  /** The value becomes this one, in the step now running. For operations. */
  assign(value: T): void {
    const { search, step } = this.run
    const before = this.#value
    search.saw(hashValue(value))
    this.#history = withChange(this.#history, step, before, this.#contents)
    if (typeof before === 'object' && contentsOf(before) !== this.#contents) this.#claim(CHANGED_IN_PLACE)
    if (typeof value === 'object' && value !== null) this.#checkObject(value)
    this.#value = value
    this.#contents = typeof value === 'object' ? contentsOf(value) : 0
  }

  /** The value before that step. For operations. */
  before(step: number): T {
    const history = this.#history ?? []
    const place = placeBefore(history, step)
    if (place === -1) return this.current
    const value = history[place] as T
    if (typeof value === 'object' && contentsOf(value) !== history[place + 1]) this.#claim(CHANGED_IN_PLACE)
    return value
  }

  /** For a while the value is what it was before that step: until what is returned is called. For rehearsals. */
  restore(step: number): () => void {
    const [value, contents] = [this.#value, this.#contents]
    this.#hold(this.before(step))
    return () => this.#hold(value, contents)
  }

  #hold(value: T, contents = contentsOf(value)): void {
    this.#value = value
    this.#contents = contents
  }

  #checkObject(value: object): void {
    if (Object.is(value, this.#value)) this.#claim(CHANGED_IN_PLACE)
    if (isThenable(value)) {
      this.run.refuse(`${this.name} was given a promise in ${currentThread(this.run)}: a model program waits by yield* alone, so let no function be async`)
    }
  }
}
