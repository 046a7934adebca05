import type { HoldsBefore } from '../access.ts'
import { checkAtomic } from './atomic.ts'
import type { LocationId } from '../ids.ts'
import { Operation, type Run, type Waiting } from './operations.ts'

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
    if (this.raised) return false
    this.run.search.write(this.location)
    this.raised = true
    return true
  }
}

const isFirst = (write: number): boolean => write === 0

class Wait extends Operation<void> {
  readonly #signal: Signal

  constructor(signal: Signal) {
    super(signal.run)
    this.#signal = signal
  }

  override get enabled(): boolean {
    return this.#signal.raised
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

  override get fixed(): boolean {
    return false
  }

  override get writesBefore(): HoldsBefore {
    return isFirst
  }

  protected override take(): boolean {
    return this.#signal.lift()
  }
}
