import type { PendingStep } from '../access.ts'
import { AtomicStep } from './atomic.ts'
import { checkedAnswer, checkedInvariant, startedBody } from './checked.ts'
import { deadlock } from './deadlock.ts'
import { Delay } from './delay.ts'
import { DivergenceError, EngineError, ProgramError, ReplayError } from '../errors.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { KeyedMap } from './keyed-map.ts'
import { List } from './list.ts'
import { LocationNumbers } from './location-numbers.ts'
import type { Look } from '../observation/look.ts'
import { Mutex } from './mutex.ts'
import { Thread, type Operation, type Run, type ThreadBody } from './operations.ts'
import type { FailureKind } from '../outcome.ts'
import type { Invariant, Program, ProgramBuilder } from './program.ts'
import type { Search } from '../search.ts'
import { Shared } from './shared.ts'
import { Until } from './shared-operations.ts'
import { Signal } from './signal.ts'
import { Join, Spawn } from './threads.ts'

/** Runs a model program under a search, one execution at a time. */
export class ProgramDriver {
  readonly #program: Program
  readonly #search: Search
  readonly #locations = new LocationNumbers()
  #isFirst = true

  constructor(program: Program, search: Search) {
    this.#program = program
    this.#search = search
  }

  /** After `search.next()` said yes. */
  execute(): void {
    const run = new ProgramRun({ program: this.#program, search: this.#search, locations: this.#locations, keepsOperations: this.#isFirst })
    this.#isFirst = false
    run.execute()
    run.release()
  }
}

interface RunOptions {
  readonly program: Program
  readonly search: Search
  readonly locations: LocationNumbers
  /** Whether operations that nobody takes can be named. */
  readonly keepsOperations: boolean
}

class ProgramRun implements Run {
  readonly search: Search
  readonly #program: Program
  readonly #locations: LocationNumbers
  readonly #threads: Thread[] = []
  /** By process id. */
  readonly #byProcess: Thread[] = []
  readonly #enabled: ProcessId[] = []
  readonly #one: ProcessId[] = [0 as ProcessId]
  #variables = 0
  #started = false
  #running: Operation<unknown> | undefined
  #failure: { kind: FailureKind; error: unknown } | undefined
  /** Why the program is written wrongly. */
  #refusal: ProgramError | undefined
  current: Thread | undefined
  inAtomic = false
  inInvariant = false
  isRunning = false
  unused = 0
  readonly made: Operation<unknown>[] | undefined
  step = 0
  now = 0

  constructor({ program, search, locations, keepsOperations }: RunOptions) {
    this.#program = program
    this.search = search
    this.#locations = locations
    this.made = keepsOperations ? [] : undefined
  }

  execute(): void {
    const invariant = checkedInvariant(this.#program.build(this.#builder()))
    this.#started = true
    this.isRunning = true
    for (const thread of this.#threads) this.#advance(thread)
    for (;;) {
      if (this.#takeForced()) continue
      if (!this.#findEnabled()) return this.search.finish({ status: 'complete', failure: this.#failure })
      if (this.#enabled.length === 0) return this.#end(invariant)
      if (this.search.exhausted) return this.search.finish({ status: 'truncated', pending: this.#pending() })
      const process = this.search.choose(this.#enabled)
      if (process === undefined) return this.search.finish({ status: 'blocked', pending: this.#pending() })
      this.#takeStep(this.#byProcess[process] as Thread)
    }
  }

  /** Lets go of what the execution made: the shapes of its generators outlive it for a while, and with them all that they can reach. */
  release(): void {
    this.#threads.length = 0
    this.#byProcess.length = 0
    this.#running = undefined
    this.current = undefined
  }

  start(name: string, body: ThreadBody, parent: Thread | undefined): Thread {
    const process = this.search.spawn(parent?.process)
    const thread = new Thread(this, name, process, startedBody(this, name, body))
    this.#threads.push(thread)
    this.#byProcess[process] = thread
    if (this.#started) this.#advance(thread)
    return thread
  }

  lookAtEnd(location: LocationId, look: Look): void {
    if (this.inInvariant) this.search.look(location, look)
  }

  entry(map: LocationId, key: unknown): LocationId {
    return this.#locations.entry(map, key)
  }

  checkRunning(operation: Operation<unknown>): void {
    if (operation === this.#running) return
    this.refuse(`${operation.label} ran although thread '${this.current?.name}' did not yield it: write yield* before it`)
  }

  refuse(why: string, options?: { readonly cause: unknown }): never {
    if (this.#refusal === undefined) {
      this.#refusal = new ProgramError(why, options)
      if (this.#started) this.#failure = { kind: 'error', error: this.#refusal }
    }
    throw this.#refusal
  }

  /** The next step where there is no choice; whether there was one. */
  #takeForced(): boolean {
    const { forced } = this.search
    if (forced === undefined) return false
    const thread = this.#byProcess[forced]
    if (thread?.pending?.enabled !== true) return false
    this.#one[0] = forced
    this.search.choose(this.#one)
    this.#takeStep(thread)
    return true
  }

  #takeStep(thread: Thread): void {
    const operation = thread.pending as Operation<unknown>
    this.#running = operation
    this.#advance(thread)
    this.search.endStep(operation)
    this.step++
  }

  /** Local computation up to the next operation; what it throws ends the thread and fails the execution. */
  #advance(thread: Thread): void {
    const before = this.current
    const running = this.#running
    this.current = thread
    try {
      thread.advance()
    } catch (error) {
      if (isOurs(error)) throw error
      this.#failure ??= { kind: 'error', error }
    }
    this.current = before
    this.#running = running
  }

  /** Also when time has to pass for it. False: it cannot be told, as the program is written wrongly. */
  #findEnabled(): boolean {
    try {
      this.#listEnabled()
      if (this.#enabled.length === 0 && this.#advanceTime()) this.#listEnabled()
      return true
    } catch (error) {
      if (error === this.#refusal) return false
      throw error
    }
  }

  #listEnabled(): void {
    const enabled = this.#enabled
    enabled.length = 0
    for (const thread of this.#threads) {
      if (thread.pending?.enabled === true) enabled.push(thread.process)
    }
  }

  /** To the end of the shortest delay; whether there is one. */
  #advanceTime(): boolean {
    let next = Infinity
    for (const { pending } of this.#threads) {
      if (pending instanceof Delay) next = Math.min(next, pending.end)
    }
    if (next === Infinity) return false
    this.now = next
    this.search.barrier()
    return true
  }

  #end(invariant: Invariant | void): void {
    this.isRunning = false
    const stuck = this.#threads.filter((thread) => !thread.ended)
    if (stuck.length > 0) this.#failure ??= { kind: 'deadlock', error: deadlock(stuck) }
    else if (this.unused > 0 && this.#failure === undefined) this.#failure = { kind: 'error', error: this.#unusedOperation() }
    else if (invariant !== undefined) this.#check(invariant)
    this.search.finish({ status: 'complete', failure: this.#failure, pending: this.#pending() })
  }

  #check(invariant: Invariant): void {
    if (this.#failure !== undefined) return
    this.inInvariant = true
    try {
      if (checkedAnswer(invariant()) === false) this.#failure = { kind: 'invariant', error: new Error('the invariant is false') }
    } catch (error) {
      this.#failure = { kind: 'invariant', error }
    }
  }

  /** Without `yield*` an operation does nothing. */
  #unusedOperation(): ProgramError {
    const unused = this.made?.find((operation) => !operation.done)
    const name = unused === undefined ? 'an operation' : unused.label
    return new ProgramError(`${name} was made and never taken: write yield* ${unused === undefined ? 'before it' : name}`)
  }

  #pending(): PendingStep[] {
    const steps: PendingStep[] = []
    for (const { pending, process } of this.#threads) {
      if (pending === undefined || pending.enabled) continue
      const { step } = pending.waiting(process)
      if (step !== undefined) steps.push(step)
    }
    return steps
  }

  #builder(): ProgramBuilder {
    return {
      shared: (name, initial) => new Shared(this, name, this.#location(), initial),
      list: (name, initial = []) => new List(this, name, { location: this.#location(), initial }),
      map: (name, initial = []) => new KeyedMap(this, name, { location: this.#location(), initial }),
      mutex: (name) => new Mutex(this, name, this.#location()),
      signal: (name) => new Signal(this, name, this.#location()),
      thread: (name, body) => {
        if (this.#started) this.refuse('thread was called after the program had started: use yield* spawn')
        return this.start(name, body, undefined)
      },
      spawn: (name, body) => new Spawn(this, name, body),
      join: (thread) => new Join(this, thread),
      until: (variable, predicate) => new Until(variable, predicate),
      delay: (time) => new Delay(this, time),
      atomic: (body, options = {}) => new AtomicStep(this, body, options.after),
    }
  }

  #location(): LocationId {
    const { current } = this
    if (current === undefined) return this.#locations.number(undefined, this.#variables++)
    return this.#locations.number(current.process, current.variables++)
  }
}

/** Errors that are about the exploration, not about the program under test. */
function isOurs(error: unknown): boolean {
  return error instanceof EngineError || error instanceof DivergenceError || error instanceof ReplayError
}
