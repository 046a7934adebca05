import { Array } from '../../engine/intrinsics.ts'
import type { Continuation } from './process.ts'

export type Queued = Continuation | Place

/** What stands in a queue, one after the other, and lists for which places in it were kept. */
export type QueuedList = (Queued | QueuedList)[]

/** Calls back for all that stands there, in order. */
export function forEachQueued(queue: QueuedList, take: (queued: Queued) => void): void {
  for (let i = 0; i < queue.length; i++) {
    const queued = queue[i]!
    if (Array.isArray(queued)) forEachQueued(queued, take)
    else take(queued)
  }
}

/** Where a place comes from. */
interface Origin {
  /** The step that has put it there, by number, */
  readonly step: number
  /** and the step that has led to that one, if it stands in for a job. */
  readonly cause: number
  /** Of the place, among all. */
  readonly number: number
  /** How many callbacks `queueMicrotask` had been given by then. */
  readonly microtasks: number
  /** A plain run comes to it one job after what has put it there. */
  readonly isExact: boolean
}

/** A place in the platform's queue of jobs, and what the job there puts at the end of the queue in its turn. */
export class Place {
  held: QueuedList = []
  /** Stands here as a step of its own, where the job has been put off. */
  stead: Continuation | undefined
  /** A plain run would have come to it by now. */
  isReached = false
  /** By how many jobs, this one included, its cause leads to it, */
  readonly hops: number
  /** and everything that has led to it. */
  readonly depth: number
  readonly origin: Origin
  /** The job that has put it there. */
  readonly #by: Place | undefined
  /** The same, or where the step that has done so had its own. */
  readonly #from: Place | undefined

  constructor(by: Place | undefined, from: Place | undefined, origin: Origin) {
    this.#by = by
    this.#from = from
    this.origin = origin
    this.hops = from?.origin.cause === origin.cause ? from.hops + 1 : 1
    this.depth = from === undefined ? 1 : from.depth + 1
  }

  /** How many jobs come one after the other, each at the end of the queue, until it is its turn. */
  get distance(): number {
    if (this.isReached) return 0
    let distance = 1
    for (let place = this.#by; place && !place.isReached; place = place.#by) distance++
    return distance
  }

  /** Whether it is known how a step has led there: by jobs, and by steps that it has woken. */
  static isKnownToLead(cause: number, place: Place): boolean {
    let isFound = false
    for (let one: Place | undefined = place; one && one.origin.step >= cause; one = one.#from) {
      if (!one.origin.isExact) return false
      if (one.origin.cause === cause) isFound = true
    }
    return isFound
  }

  /** The steps that are known to lead there, the last one first. */
  static *causesOf(place: Place): Generator<number> {
    let last: number | undefined
    for (let one: Place | undefined = place; one?.origin.isExact; one = one.#from) {
      if (one.origin.cause !== last) yield (last = one.origin.cause)
    }
  }

  /** By how many jobs, and by nothing that takes longer, the first has led to the last; undefined if it has not. */
  static jobsBetween(first: Place, last: Place): number | undefined {
    let jobs = 0
    for (let one: Place | undefined = last; one; one = one.#from) {
      if (one === first) return jobs
      if (!one.origin.isExact || one.origin.cause !== first.origin.cause) return undefined
      jobs++
    }
    return undefined
  }

  /** Where it would lead to by so many jobs. */
  after(jobs: number): Place {
    return jobs === 0 ? this : new Place(undefined, this, { ...this.origin, isExact: true }).after(jobs - 1)
  }

  /** Whether it is known that a plain run comes to the step that has put the other one there first: the cause of this one has led to that step. */
  isAfterStepOf(other: Place): boolean {
    const step = other.#from
    return step !== undefined && Place.isKnownToLead(this.origin.cause, step) && step.isBefore(this)
  }

  /** Of two to which the cause of one of them has led: whether a plain run comes to this one first, if nothing takes longer than it has to. */
  isBefore(other: Place): boolean {
    if (this.depth !== other.depth) return this.depth < other.depth
    let [one, two]: [Place, Place] = [this, other]
    while (one.#from !== two.#from && one.#from && two.#from) [one, two] = [one.#from, two.#from]
    return one.origin.number < two.origin.number
  }
}

/** Whether a plain run comes to this one later. Of two that are as far away, the one that is there now has got into the queue later. */
export function isLater(place: Place, now: Place | undefined): boolean {
  return place.distance > (now?.distance ?? 0)
}
