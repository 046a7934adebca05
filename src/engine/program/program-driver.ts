import type { PendingStep } from '../access.ts'
import { AtomicStep } from './atomic.ts'
import { Delay } from './delay.ts'
import { DivergenceError, EngineError, ProgramError, ReplayError } from '../errors.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { Mutex } from './mutex.ts'
import { Thread, type Operation, type Run, type ThreadBody } from './operations.ts'
import type { FailureKind } from '../outcome.ts'
import type { Invariant, Program, ProgramBuilder } from './program.ts'
import type { Search } from '../search.ts'
import { Shared, Until } from './shared.ts'
import { Signal } from './signal.ts'
import { Join, Spawn } from './threads.ts'

/** Threads that wait for each other, or for what nobody does. */
export class DeadlockError extends Error {
  override readonly name = 'DeadlockError'
}

/** Runs a model program under a search, one execution at a time. */
export class ProgramDriver {
  readonly #program: Program
  readonly #search: Search
  readonly #locations = new LocationNumbers()

  constructor(program: Program, search: Search) {
    this.#program = program
    this.#search = search
  }

  /** After `search.next()` said yes. */
  execute(): void {
    const run = new ProgramRun(this.#program, this.#search, this.#locations)
    run.execute()
    run.release()
  }
}

/** Numbers variables by who makes them (the build, or a thread) and in what order, alike in every execution. */
class LocationNumbers {
  readonly #numbers: LocationId[][] = []
  #count = 0

  number(maker: ProcessId | undefined, index: number): LocationId {
    const numbers = (this.#numbers[maker === undefined ? 0 : maker + 1] ??= [])
    return (numbers[index] ??= this.#count++ as LocationId)
  }
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
  current: Thread | undefined
  inAtomic = false
  step = 0
  now = 0

  constructor(program: Program, search: Search, locations: LocationNumbers) {
    this.#program = program
    this.search = search
    this.#locations = locations
  }

  execute(): void {
    const invariant = this.#program.build(this.#builder())
    this.#started = true
    for (const thread of this.#threads) this.#advance(thread)
    for (;;) {
      if (this.#takeForced()) continue
      this.#findEnabled()
      if (this.#enabled.length === 0 && this.#advanceTime()) this.#findEnabled()
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
    sharePrototype(body)
    const thread = new Thread(this, name, process, body())
    this.#threads.push(thread)
    this.#byProcess[process] = thread
    if (this.#started) this.#advance(thread)
    return thread
  }

  checkRunning(operation: Operation<unknown>): void {
    if (operation === this.#running) return
    throw new ProgramError(`an operation ran that thread '${this.current?.name}' did not yield: write yield* before it`)
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

  #findEnabled(): void {
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
    const stuck = this.#threads.filter((thread) => !thread.ended)
    if (stuck.length > 0) this.#failure ??= { kind: 'deadlock', error: deadlock(stuck) }
    else if (invariant !== undefined) this.#check(invariant)
    this.search.finish({ status: 'complete', failure: this.#failure, pending: this.#pending() })
  }

  #check(invariant: Invariant): void {
    if (this.#failure !== undefined) return
    try {
      if (invariant() === false) this.#failure = { kind: 'invariant', error: new Error('the invariant is false') }
    } catch (error) {
      this.#failure = { kind: 'invariant', error }
    }
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
      mutex: (name) => new Mutex(this, name, this.#location()),
      signal: (name) => new Signal(this, name, this.#location()),
      thread: (name, body) => {
        if (this.#started) throw new ProgramError('thread was called after the program had started: use yield* spawn')
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

const { prototype: generatorFunction } = function* () {}.constructor
const generatorPrototype: unknown = Object.create(generatorFunction.prototype as object)

/**
 * Generator functions that are made anew for every execution get a prototype in common. A call of one whose prototype is
 * its own takes twice as long, as the shape of its generators has to be made first.
 */
function sharePrototype(body: ThreadBody): void {
  if (Object.getPrototypeOf(body) === generatorFunction) Reflect.set(body, 'prototype', generatorPrototype)
}

/** Errors that are about the exploration, not about the program under test. */
function isOurs(error: unknown): boolean {
  return error instanceof EngineError || error instanceof DivergenceError || error instanceof ReplayError
}

function deadlock(stuck: readonly Thread[]): DeadlockError {
  const waits = stuck.map((thread) => `'${thread.name}' waits for ${thread.pending?.waiting(thread.process).what}`)
  return new DeadlockError(`deadlock: ${waits.join('; ')}`)
}
