import { ProgramError } from '../errors.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { Operation, type Run, type Thread, type Waiting } from './operations.ts'

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

  override get label(): string {
    return `${this.#mutex.name}.lock()`
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

  override get label(): string {
    return `${this.#mutex.name}.unlock()`
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
