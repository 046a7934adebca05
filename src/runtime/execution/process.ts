import type { ProcessId, SiteId } from '../../engine/ids.ts'
import type { Loop } from './loops.ts'
import type { Moment } from './racing-timers.ts'
import type { Turn } from './turns.ts'

const noTimers: ReadonlyMap<string, number> = new Map()
const nothingTold: ReadonlyMap<string, number> = new Map()

/** One line of control of the running execution. */
export class Process {
  /** -1 for code that runs alone, before and after the explored part. What it leaves waiting gets an id when the explored part starts. */
  id: ProcessId | -1
  /** What a reader calls it: `withdraw#1`. */
  readonly name: string
  /** Steps taken so far. */
  steps = 0
  /** How many timers that may race it has set, and what led to it, by place and length. Never changed, only replaced. */
  timers: ReadonlyMap<string, number> = noTimers
  /** The latest time that it, or who led to it, was told to parts of a millisecond, by what tells it. Never changed, only replaced. */
  told: ReadonlyMap<string, number> = nothingTold
  /** It goes on after a pause of a user: what it does is what that one does next. */
  isUsers = false
  /** Of an interval: it goes on by itself. */
  repeats = false
  /** Of a timer that was set before the execution. */
  isOlder = false
  /** The loop that its steps are of, if that may be one that waits by asking again. */
  loop: Loop | undefined
  #goesOnAfter = 0

  constructor(id: ProcessId | -1, name: string) {
    this.id = id
    this.name = name
  }

  /** That one led to it. */
  inherits({ timers, told }: Process): void {
    this.timers = timers
    this.told = told
  }

  /** Whether something that its running step asks for can go on as this process, which is one thing at most. */
  canGoOn(step: number): boolean {
    if (this.repeats || this.#goesOnAfter === step) return false
    this.#goesOnAfter = step
    return true
  }
}

/** Names of processes within one execution: `withdraw#1`, `withdraw#2`. */
export class ProcessNames {
  readonly #counts = new Map<string, number>()

  next(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return `${name}#${count}`
  }
}

/** Something that a step can go on with: an async call past an `await`, a promise reaction, a timer callback. */
export interface Continuation {
  process: Process | undefined
  /**
   * Where Node would keep it: among the microtasks (if left out), with what `process.nextTick` was given, with timers that are due and immediates,
   * or with timers that are not due yet.
   */
  readonly queue?: 'microtasks' | 'ticks' | 'turns' | 'timers'
  /** It tells what a thread has done, which takes longer than a connection takes to end; or that one has ended. */
  readonly comesLate?: 'thread' | 'end' | undefined
  /** As what Node calls its code, where that is certain and it is no microtask. */
  readonly runsAs?: 'microtasks' | 'ticks' | 'turns'
  /** Of a timer: its virtual time. */
  readonly due?: number
  /** When it happens, if that is certain. */
  readonly moment?: Moment | undefined
  /** Its place among its like, where the language fixes their order. */
  turn?: Turn | undefined
  /** Where it waits in the source. */
  readonly site: SiteId
  readonly loop?: Loop | undefined
  /** Runs the first part of the step, up to the next `await` or to the end. */
  resume(): void
  /** The async call whose end this continuation now waits for or passes on, if any: it goes on as the same line of control. */
  delegate(): Call | undefined
}

/** What the loop and the recorder need to know of an async call. */
export interface Call extends Continuation {
  readonly name: string
  /** The loop that it is in, or was in last. */
  loop: Loop | undefined
  /** The call within whose step it began. */
  readonly caller: Call | undefined
  /** It waits at an `await`. */
  readonly isSuspended: boolean
  /** The call that waits for the end of this one, where that is known. */
  readonly awaitedBy?: Call | undefined
  /** The call whose end it waits for, */
  readonly awaits: Call | undefined
  /** or the calls, where it waits for several. */
  readonly awaitsParts: readonly Call[]
  /** The call to whose end the promise was left that it waits for: a callback returned it, or something was resolved with it. */
  readonly leftTo?: Call | undefined
  /** Calls of which one has to go on before it can, where that is known for certain. */
  blockers?(): readonly Call[]
  /** A promise that it has ended with, where a step is an event. */
  readonly endsWith?: object | undefined
  /** It does all that is left to do of that call, whose line of control goes on with it; known without this where each `await` is a step. */
  takesOver?(call: Call): void
}

/** What the loop needs to know of the first step of a body or a task. */
export interface FirstStep extends Continuation {
  readonly name: string
  /** It has run to its end, all of it. */
  readonly isDone: boolean
}

/** What the loop needs to know of a rejected promise. */
export interface Rejection {
  /** Something will see it. */
  readonly handled: boolean
  readonly value: unknown
  /** Node has told of it. */
  isTold?: boolean
}
