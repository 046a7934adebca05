import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { goOfNow, toldNow, type Closing, type Go } from '../execution/late-closes.ts'
import { inMicrotask, noop } from '../execution/native.ts'
import type { Continuation, Process } from '../execution/process.ts'
import { Arriving } from './arrivals.ts'

/** What a listener listens to. */
export interface Heard {
  readonly emitter: object
  readonly event: unknown
  /** Tells of the listeners that they are looked at. */
  readonly look: () => void
  /** Whether it is still to be told: a step may have removed it before it is its turn. */
  readonly isWanted: () => boolean
  /** The listener, if it is to be told once: the platform has taken it away when it has its turn. */
  once?: unknown
}

/** That, and what it is told. */
interface Emission extends Heard {
  readonly args: readonly unknown[]
}

/** Something that the platform calls. */
interface Called {
  readonly run: () => void
  /** What it hands over, unless that is an emission. */
  readonly args?: readonly unknown[]
  /** Of a listener. */
  readonly emission?: Emission | undefined
  /** What the platform does if nobody listens any more to what it has emitted. */
  readonly unheard?: (() => void) | undefined
  /** It has had its turn. */
  readonly isOver?: (() => void) | undefined
}

interface Call extends Called {
  readonly source: Source
  /** The emission that it belongs to. */
  readonly turn: Turn | undefined
  /** To be called by the step that makes it: what it may be due to was done before it came. */
  readonly follow: () => void
}

/**
 * What the platform calls in one go while no step runs: all listeners of an event, those of what they emit themselves, as a stream does that another is piped
 * into. What waits for a microtask comes after all of it, so it is one step: of the source that is called first.
 */
class Burst {
  readonly calls: Call[] = []
  readonly arriving: Arriving
  readonly #comes: (burst: Burst) => void
  #isOver = false
  /** What the platform does meanwhile. */
  readonly go: Go = goOfNow()
  /** It tells of this. */
  readonly closing: Closing | undefined = toldNow()

  /** A thread has led to it. */
  readonly isOfThread = isThreadDone

  constructor(execution: Execution, comes: (burst: Burst) => void) {
    this.arriving = new Arriving(execution)
    this.#comes = comes
  }

  get sources(): ReadonlySet<Source> {
    return new Set(this.calls.map(({ source }) => source))
  }

  /**
   * Whether the same emitter has emitted the same in it by another emission, or anything before it exits: what comes in one go from a process, a thread or a
   * connection may come in two the next time. Messages of a thread that have not come by then come with its exit.
   */
  hasAnother({ emitter, event }: Heard): boolean {
    return this.calls.some((call) => call.turn !== emission && call.emission?.emitter === emitter && (call.emission.event === event || event === 'exit'))
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (growing === this) growing = undefined
    this.#comes(this)
  }
}

let isThreadDone = false

/** What the platform calls meanwhile is called because a thread is done. */
export function asThreadIsDone(work: () => void): void {
  isThreadDone = true
  try {
    work()
  } finally {
    isThreadDone = false
  }
}

/** What goes on with that later is called because of it as well. */
export const inLikeCase = (work: () => void): (() => void) => (isThreadDone ? () => asThreadIsDone(work) : work)

const ends = new Set<unknown>(['end', 'close'])

/** The one that may still grow. */
let growing: Burst | undefined

/** An emission of an emitter, and that in which it came about. */
interface Turn {
  readonly emitter: object
  readonly outer: Turn | undefined
}

/** That in which the platform is. */
let emission: Turn | undefined

/** An emission that has its turn, and whom it tells. */
interface Told {
  readonly turn: Turn | undefined
  readonly event: unknown
  readonly calls: ReadonlySet<Call>
}

/** The calls that have their turn, of which the first is made now. */
let taken: { readonly calls: readonly Call[]; readonly told: Told } | undefined

/** Listeners that are to be told once of what has its turn, and have yet to be: to who is told before them they are still there. */
export function yetToBeTold(emitter: object, event: unknown): unknown[] {
  if (!taken) return []
  const { calls: [, ...rest], told } = taken
  return rest.flatMap((call) => {
    const heard = call.emission
    return heard?.once !== undefined && heard.emitter === emitter && heard.event === event && told.calls.has(call) && heard.isWanted() ? [heard.once] : []
  })
}

/** Those of the emission to which the call belongs who still listen: an emitter tells all who do so when it begins, whatever they do with each other. */
function wanted(calls: readonly Call[], { turn, emission: heard }: Call): ReadonlySet<Call> {
  return new Set(calls.filter((one) => one.turn === turn && one.emission !== undefined && one.emission.event === heard!.event && one.emission.isWanted()))
}

/** The platform emits something while no step runs; what is returned is to be called when that is over. */
export function emissionBegins(emitter: object): () => void {
  const outer = emission
  emission = { emitter, outer }
  return () => {
    emission = outer
  }
}

/** What emits now, and what that has come from: lines come from the pipe of a process. */
function emitting(): readonly object[] {
  const all: object[] = []
  for (let turn = emission; turn; turn = turn.outer) all.push(turn.emitter)
  return all
}

/**
 * What the platform calls back when something real has happened: an answer of a file or a process, a message, a connection. The
 * calls of one source wait for their turn, one burst after another, as a process of their own.
 */
export class Source implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #execution: Execution
  readonly #isAlone: boolean
  readonly #isTarget: boolean
  readonly #object: ObjectId
  readonly #bursts: Burst[] = []
  /** Those in which it calls, and that wait for their turn. */
  readonly #pending = new Set<Burst>()

  /**
   * @param isAlone whether what it gives is due to its call alone
   * @param isTarget whether it is an event target that is no emitter
   * @param process that of what was there before the execution
   */
  constructor(execution: Execution, name: string, site: SiteId, { isAlone = false, isTarget = false, process }: { readonly isAlone?: boolean; readonly isTarget?: boolean; readonly process?: Process } = {}) {
    this.#execution = execution
    this.#isAlone = isAlone
    this.#isTarget = isTarget
    this.site = site
    this.#object = execution.identities.fresh()
    this.process = process ?? execution.processes.spawn(name)
    this.process.repeats = true
  }

  /** Something is registered with it by the running step: what it calls comes after that. */
  registered(): void {
    this.#execution.accesses.takeTurn(this.#object)
  }

  /** It calls, for these things. */
  comes(things: readonly object[], called: Called): void {
    const { outside, foreign } = this.#execution
    if (called.emission && growing?.hasAnother(called.emission)) growing.end()
    const burst = (growing ??= this.#begin())
    burst.arriving.from(things)
    burst.arriving.from(emitting())
    burst.calls.push({ ...called, source: this, turn: emission, follow: this.#isAlone ? noop : outside.comes(foreign.loopback.connectionsOf([...things, ...((called.emission ?? called).args ?? [])])) })
    this.#pending.add(burst)
    this.#execution.foreign.changed()
  }

  get comesLate(): Continuation['comesLate'] {
    const [next] = this.#bursts
    if (next?.isOfThread) return 'thread'
    return next?.calls.every(({ emission: heard }) => heard && ends.has(heard.event)) ? 'end' : undefined
  }

  get turn(): Continuation['turn'] {
    return this.#bursts[0]?.closing?.turn
  }

  #begin(): Burst {
    const burst = new Burst(this.#execution, (ended) => this.#arrive(ended))
    inMicrotask(() => burst.end())
    return burst
  }

  /**
   * The running step listens to what is emitted: also to what has come before, and has yet to be taken, but once at most where it is to be told once.
   * @param isFirst whether it is told before the others
   */
  listens(heard: Heard, { isOnce, isFirst }: { readonly isOnce: boolean; readonly isFirst: boolean }, call: (args: readonly unknown[]) => void): boolean {
    let isTold = false
    for (const burst of this.#pending) {
      const first = burst.calls.findIndex((one) => one.source === this && one.emission?.emitter === heard.emitter && one.emission.event === heard.event)
      const args = burst.calls[first]?.emission?.args
      if (args === undefined) continue
      burst.calls.splice(isFirst ? first : burst.calls.length, 0, { run: () => call(args), emission: { ...heard, args }, source: this, turn: burst.calls[first]!.turn, follow: noop })
      isTold = true
      if (isOnce) break
    }
    return isTold
  }

  #arrive(burst: Burst): void {
    const execution = this.#execution
    if (execution.foreign.isClosed) return
    const wake = (): void => {
      this.#bursts.push(burst)
      if (this.#bursts.length === 1) execution.wake(this)
    }
    const { closing, arriving } = burst
    arriving.comes(closing ? () => execution.foreign.lateCloses.tells(execution, { closing, after: arriving.steps, wake }) : wake)
    execution.foreign.changed()
  }

  resume(): void {
    const execution = this.#execution
    execution.enter(null)
    const burst = this.#bursts.shift()!
    execution.foreign.heldReading.callbackBegins()
    execution.foreign.lateCloses.callbackBegins(execution, burst.go)
    const { calls, sources } = burst
    for (const source of sources) {
      source.#pending.delete(burst)
      execution.accesses.followTurn(source.#object)
    }
    for (const { follow, emission: heard } of calls) {
      follow()
      heard?.look()
    }
    if (this.#bursts.length > 0) execution.wake(this)
    // What has waited for this may call as well from now on.
    burst.arriving.taken()
    let told: Told | undefined
    for (const [i, call] of calls.entries()) {
      const { source, run, emission: heard } = call
      if (heard && (!told || source.#isTarget || told.turn !== call.turn || told.event !== heard.event)) {
        told = { turn: call.turn, event: heard.event, calls: wanted(calls, call) }
        if (told.calls.size === 0) call.unheard?.()
      }
      if (heard && !told!.calls.has(call)) continue
      taken = told && { calls: calls.slice(i), told }
      try {
        run()
      } catch (error) {
        execution.uncaught(error)
        // An emitter calls no other listener then.
        if (!source.#isTarget) break
      } finally {
        taken = undefined
      }
    }
    for (const { isOver } of calls) isOver?.()
  }

  delegate(): undefined {
    return undefined
  }
}
