import { Math } from '../../engine/intrinsics.ts'
import type { ProcessId } from '../../engine/ids.ts'
import { forEachQueued, Place, type Queued } from './place.ts'
import type { Continuation } from './process.ts'

type Queue = NonNullable<Continuation['queue']>

/**
 * What can be taken next: continuations, and beside them the ids of their processes. The first is the one that Node would run next
 * if all had been taken in this order: microtasks until there are none, then what `process.nextTick` was given, and so on; then one
 * timer or immediate, and after it first its ticks.
 */
export class ReadyQueue {
  #continuations: Continuation[] = []
  #ids: ProcessId[] = []
  /** The queues of the platform. Those that were taken out of their turn are still there. */
  #queues: Record<Queue, Queued[]> = { microtasks: [], ticks: [], turns: [], timers: [] }
  /** Those that others have to come before, or that would ask in vain, with a number that says since when. */
  #held: Map<Continuation, number> | undefined
  #heldSoFar = 0
  /** Those of them that may go on now. */
  #mayGoOn: Continuation[] = []
  #isTicking = false
  readonly #asksInVain: (continuation: Continuation) => boolean
  readonly #isDictated: () => boolean

  /**
   * @param asksInVain whether all that a continuation does is to ask what has been asked. Such ones wait, but where the order is dictated:
   * there they go on as long as there is something else.
   */
  constructor({ asksInVain, isDictated }: { readonly asksInVain: (continuation: Continuation) => boolean; readonly isDictated: () => boolean }) {
    this.#asksInVain = asksInVain
    this.#isDictated = isDictated
  }

  get length(): number {
    return this.#ids.length
  }

  /** How many there are, with those that have to wait. */
  get count(): number {
    return this.#ids.length + (this.#held?.size ?? 0)
  }

  /** Whether nothing can be taken that leads to anything. */
  get isEmpty(): boolean {
    return this.#ids.length === 0 || this.#continuations.every(this.#asksInVain)
  }

  /** Whether Node would now be done with all that one turn of its event loop has led to. */
  get endsTurn(): boolean {
    return this.#continuations.every((continuation) => comesInTurns(queueOf(continuation)))
  }

  /** What can be taken but timers that are not due yet. */
  get others(): readonly Continuation[] {
    return this.#continuations.filter(({ queue }) => queue !== 'timers')
  }

  get hasOthers(): boolean {
    return this.#continuations.some((continuation) => continuation.queue !== 'timers' && !this.#asksInVain(continuation))
  }

  /** The processes that can go on, the one whose turn it is in a plain run first. */
  get processes(): readonly ProcessId[] {
    this.#bringForward(this.#next())
    return this.#ids
  }

  /** The processes that can go on where only timers can, these among them: in the order of time. */
  withTimers(timers: readonly Continuation[]): readonly ProcessId[] {
    const usual = this.processes
    const [first] = this.#continuations
    const [timer] = timers
    if (!timer) return usual
    const ids = timers.map(({ process }) => process!.id as ProcessId)
    return first && first.due! <= timer.due! ? [...usual, ...ids] : [...ids, ...usual]
  }

  /** The continuation can be taken, unless others come before it; it stands in a queue, or after a place in one. */
  readonly add = (continuation: Continuation): void => {
    if (this.#hasToWait(continuation)) (this.#held ??= new Map()).set(continuation, this.#heldSoFar++)
    else this.#add(continuation)
  }

  /** Whether others come before it may have changed. */
  release(): void {
    if (this.#mayGoOn.length === 0) return
    const held = this.#held!
    const freed = this.#mayGoOn.toSorted((one, other) => held.get(one)! - held.get(other)!)
    this.#mayGoOn = []
    for (const continuation of freed) {
      if (this.#hasToWait(continuation)) continue
      held.delete(continuation)
      this.#add(continuation)
    }
  }

  /** If so, it is asked again once that may have changed. */
  #hasToWait(continuation: Continuation): boolean {
    if (continuation.turn?.awaitsOthers(() => this.#mayGoOn.push(continuation))) return true
    if (this.#isDictated() || !this.#asksInVain(continuation)) return false
    this.#mayGoOn.push(continuation)
    return true
  }

  #add(continuation: Continuation): void {
    this.#continuations.push(continuation)
    this.#ids.push((continuation.process?.id ?? -1) as ProcessId)
  }

  /** Something stands at the end of the queue that it belongs to. */
  readonly queue = (queued: Queued): void => {
    this.#queues[queued instanceof Place ? 'microtasks' : queueOf(queued)].push(queued)
  }

  takeFirst(): Continuation {
    this.#bringForward(this.#next())
    return this.#take(0)
  }

  take(process: ProcessId): Continuation {
    return this.#take(this.#ids.indexOf(process))
  }

  clear(): void {
    this.#continuations = []
    this.#ids = []
    this.#held = undefined
    this.#mayGoOn = []
    this.#queues = { microtasks: [], ticks: [], turns: [], timers: [] }
    this.#isTicking = false
  }

  #next(): Continuation | undefined {
    const next = this.#nextInOrder()
    if (next === undefined || comesInTurns(queueOf(next)) || !this.#asksInVain(next)) return next
    // Microtasks that ask in vain would keep all that comes later from happening.
    const othersWait = this.#continuations.every((continuation) => comesInTurns(queueOf(continuation)) || this.#asksInVain(continuation))
    return (othersWait ? (this.#head('turns') ?? this.#headOfTimers()) : undefined) ?? next
  }

  #nextInOrder(): Continuation | undefined {
    if (this.#isTicking) {
      const tick = this.#head('ticks')
      if (tick) return tick
      this.#isTicking = false
    }
    const microtask = this.#head('microtasks')
    if (microtask) return microtask
    const tick = this.#head('ticks')
    this.#isTicking = tick !== undefined
    return tick ?? this.#head('turns') ?? this.#headOfTimers()
  }

  /** Time moves to the next timer: those that are due then are now. */
  #headOfTimers(): Continuation | undefined {
    const timers = this.#queues.timers as Continuation[]
    if (timers.length === 0) return undefined
    const ready = new Set(this.#continuations)
    const next = timers.reduce((least, timer) => (ready.has(timer) ? Math.min(least, timer.due ?? 0) : least), Infinity)
    const later: Continuation[] = []
    for (const timer of timers) {
      if (ready.has(timer) && timer.due === next) this.#queues.turns.push(timer)
      else if (ready.has(timer) || this.#held?.has(timer)) later.push(timer)
    }
    this.#queues.timers = later
    return this.#head('turns')
  }

  /** The first of a queue that has not been taken, once the jobs before it have run. */
  #head(name: Queue): Continuation | undefined {
    const queue = this.#queues[name]
    for (let i = 0; i < queue.length; ) {
      const queued = queue[i]!
      if (queued instanceof Place) {
        queued.isReached = true
        if (queued.stead) queue[i] = queued.stead
        else queue.splice(i, 1)
        const { held } = queued
        queued.held = []
        forEachQueued(held, (one) => void queue.push(one))
      } else if (this.#continuations.includes(queued)) {
        if (queued.comesLate !== 'thread') return queued
        return queue.find((other): other is Continuation => !(other instanceof Place) && other.comesLate === 'end' && this.#continuations.includes(other)) ?? queued
      } else if (this.#held?.has(queued)) {
        i++
      } else {
        queue.splice(i, 1)
      }
    }
    return undefined
  }

  #bringForward(first: Continuation | undefined): void {
    const index = first === undefined ? 0 : this.#continuations.indexOf(first)
    if (index <= 0) return
    const id = this.#ids[index]!
    for (let i = index; i > 0; i--) {
      this.#continuations[i] = this.#continuations[i - 1]!
      this.#ids[i] = this.#ids[i - 1]!
    }
    this.#continuations[0] = first!
    this.#ids[0] = id
  }

  #take(index: number): Continuation {
    const taken = this.#continuations[index]!
    if (comesInTurns(queueOf(taken))) this.#isTicking = true
    const queue = this.#queues[queueOf(taken)]
    if (queue[0] === taken) queue.shift()
    // In long ones the platform moves the rest faster.
    if (index === 0) {
      this.#continuations.shift()
      this.#ids.shift()
      return taken
    }
    for (let i = index + 1; i < this.#ids.length; i++) {
      this.#continuations[i - 1] = this.#continuations[i]!
      this.#ids[i - 1] = this.#ids[i]!
    }
    this.#continuations.pop()
    this.#ids.pop()
    return taken
  }
}

function comesInTurns(queue: Queue): boolean {
  return queue === 'turns' || queue === 'timers'
}

function queueOf(continuation: Continuation): Queue {
  return continuation.queue ?? 'microtasks'
}
