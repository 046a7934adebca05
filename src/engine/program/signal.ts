import type { HoldsBefore } from '../access.ts'
import { checkAtomic } from './atomic.ts'
import type { LocationId } from '../ids.ts'
import { Operation, currentThread, type Run, type Waiting } from './operations.ts'

/** A flag that is raised once and never lowered. */
export class Signal {
  readonly name: string
  readonly location: LocationId
  readonly run: Run
  #raised = false
  /** The step that raised it. */
  #raisedAt = Infinity

  constructor(run: Run, name: string, location: LocationId) {
    this.run = run
    this.name = name
    this.location = location
  }

  /** Whether it is raised, without an access: for the invariant. */
  get raised(): boolean {
    if (this.run.isRunning) this.run.refuse(`${currentThread(this.run)} looks at ${this.name}.raised, which is for the invariant: use yield* ${this.name}.wait() or raise()`)
    return this.#raised
  }

  /** For operations. */
  get isRaised(): boolean {
    return this.#raised
  }

  /** Raises the flag; whether it was this operation that did. */
  raise(): Operation<boolean> {
    return new Raise(this)
  }

  /** Enabled once the flag is raised. */
  wait(): Operation<void> {
    return new Wait(this)
  }

  /** Inside `atomic`: what `raise` does. */
  set(): boolean {
    checkAtomic(this.run, `${this.name}.set()`)
    return this.lift()
  }

  /** For operations. */
  lift(): boolean {
    this.run.search.read(this.location)
    if (this.#raised) return false
    this.run.search.write(this.location)
    this.#raised = true
    this.#raisedAt = this.run.step
    return true
  }

  /** Whether it had not been raised before that step. For operations. */
  readonly wasLoweredBefore = (step: number): boolean => step <= this.#raisedAt
}

class Wait extends Operation<void> {
  readonly #signal: Signal

  constructor(signal: Signal) {
    super(signal.run)
    this.#signal = signal
  }

  override get label(): string {
    return `${this.#signal.name}.wait()`
  }

  override get enabled(): boolean {
    return this.#signal.isRaised
  }

  override waiting(): Waiting {
    return { what: `signal ${this.#signal.name}`, step: undefined }
  }

  protected override take(): void {
    this.run.search.wait(this.#signal.location)
  }
}

class Raise extends Operation<boolean> {
  readonly #signal: Signal

  constructor(signal: Signal) {
    super(signal.run)
    this.#signal = signal
  }

  override get label(): string {
    return `${this.#signal.name}.raise()`
  }

  override get fixed(): boolean {
    return false
  }

  override get writesBefore(): HoldsBefore {
    return this.#signal.wasLoweredBefore
  }

  protected override take(): boolean {
    return this.#signal.lift()
  }
}
