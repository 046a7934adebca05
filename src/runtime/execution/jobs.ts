import { Object } from '../../engine/intrinsics.ts'
import { inMicrotask } from './native.ts'
import { forEachQueued, Place, type Queued, type QueuedList } from './place.ts'
import type { Continuation } from './process.ts'

const betweenPlaces = 2 ** -20

/** A place in the queue that is kept for what will turn out to stand there. */
export interface Reserved extends QueuedList {
  /** How many callbacks `queueMicrotask` had been given by then. */
  readonly microtasks: number
  /** Of the first of them, among all places: those of one list follow each other closely. */
  number: number
}

/** Where what is queued is put, and what has led there. */
interface Where {
  /** The list of the step, of something in it, or of the job that runs. */
  readonly list: QueuedList
  /** Of the job that runs; undefined where the step's own code does. */
  readonly place: Place | undefined
  /** The same, or that of the running step. */
  readonly from: Place | undefined
  readonly reserved: Reserved | undefined
  /** A plain run comes there when this execution does. */
  readonly isExact: boolean
}

/**
 * What the running step puts into the platform's queue of jobs: what can go on, and jobs that pass an outcome on and run no code of
 * the user. Those jobs run within the step, but their places are kept: what such a job wakes stands where the platform would have put it,
 * so that the order of a plain run is known.
 */
export class Jobs {
  #where: Where = ofStep([], undefined)
  /** What the step itself has left. */
  #held = this.#where.list
  /** The first `#wokenCount`: to empty an array by its length is not for nothing. */
  readonly #woken: (Continuation | undefined)[] = []
  #wokenCount = 0
  #step = 0
  /** The running step, or the one that has led to the job for which it stands in. */
  #cause = 0
  #placeCount = 0
  /** Of what has been woken and has not gone on so far. */
  #places: Map<Continuation, Place> | undefined
  readonly #countMicrotasks: () => number

  /** @param countMicrotasks how many callbacks `queueMicrotask` has been given by now */
  constructor(countMicrotasks: () => number) {
    this.#countMicrotasks = countMicrotasks
  }

  /** How many callbacks of `queueMicrotask` stand before what is queued now, where that is not all of them. */
  get microtasks(): number | undefined {
    return this.#where.reserved?.microtasks
  }

  /** Of the job that runs; undefined where the step's own code does. */
  get place(): Place | undefined {
    return this.#where.place
  }

  /** The continuation can go on: it stands in the queue, after the job at a place that is given. */
  wake(continuation: Continuation, after?: Place): void {
    this.#woken[this.#wokenCount++] = continuation
    this.#places?.set(continuation, this.#newPlace(undefined, after))
    this.#listAfter(after).push(continuation)
  }

  /** Keeps a place for what will turn out to stand here. */
  reserve(): Reserved {
    const list: Reserved = Object.assign([], { microtasks: this.#countMicrotasks(), number: ++this.#placeCount })
    this.#where.list.push(list)
    return list
  }

  /** Runs work that belongs to a reserved place. */
  inPlace(list: Reserved, work: () => void): void {
    const { place, from, isExact } = this.#where
    this.#within({ list, place, from, reserved: list, isExact }, work)
  }

  /** Runs work in the name of a job that has run, and that a plain run has not come to yet. */
  at(place: Place, work: () => void): void {
    const { from, reserved } = this.#where
    this.#within({ list: place.held, place, from, reserved, isExact: false }, work)
  }

  /** What the running job is to do is left to a step of its own, which stands where the job does. */
  leave(continuation: Continuation): void {
    this.#woken[this.#wokenCount++] = continuation
    this.place!.stead = continuation
  }

  /** The running step does what was left to it at this place. */
  goOnFrom(place: Place): void {
    this.#where = ofStep(this.#held, place)
    this.#cause = place.origin.cause
  }

  /** From now on it is kept by what each step was woken. */
  keepPlaces(): void {
    this.#places ??= new Map()
  }

  /** The step goes on with this one. */
  begin(continuation: Continuation): void {
    this.#cause = ++this.#step
    const from = this.#places?.get(continuation)
    // What `queueMicrotask` is given takes no time of its own: it is there after so many jobs as that.
    if (from && continuation.queue === 'microtasks') this.#cause = from.origin.cause
    if (from !== this.#where.from) this.#where = ofStep(this.#held, from)
    this.#places?.delete(continuation)
  }

  /** Runs a job one microtask later. Its place is at the end of the queue, as that is now or after the job at a place that is given. */
  later(job: () => void, after?: Place): void {
    const by = after?.isReached === false ? after : this.place
    const place = this.#newPlace(by, after)
    this.#listAfter(after).push(place)
    inMicrotask(() => this.#run(place, job))
  }

  /** Runs a job for which the microtask has come already. */
  now(job: () => void): void {
    const place = this.#newPlace(this.place)
    this.#where.list.push(place)
    this.#run(place, job)
  }

  /** Takes what the step has left: all that can go on, and what stands in the queue, in order. */
  drain(wake: (continuation: Continuation) => void, queue: (queued: Queued) => void): void {
    const held = this.#held
    const count = this.#wokenCount
    if (held.length === 0 && count === 0) return
    this.#held = []
    this.#where = ofStep(this.#held, this.#where.from)
    forEachQueued(held, queue)
    for (let i = 0; i < count; i++) {
      wake(this.#woken[i]!)
      this.#woken[i] = undefined
    }
    this.#wokenCount = 0
  }

  #newPlace(by: Place | undefined, after?: Place): Place {
    const { reserved } = this.#where
    const since = after === undefined || after.origin.step === this.#step ? undefined : after
    const { from: now } = this.#where
    // What has led to the running step leads there by jobs as well.
    const isKnown = since === undefined || this.#hasLedTo(since)
    const isBehind = since !== undefined && isKnown && !(now && this.#hasLedTo(now) && since.isBefore(now))
    const from = isBehind ? since : now
    const isExact = this.#where.isExact && isKnown
    const number = reserved ? (reserved.number += betweenPlaces) : ++this.#placeCount
    const microtasks = reserved?.microtasks ?? this.#countMicrotasks()
    return new Place(by, from, { step: this.#step, cause: this.#cause, number, microtasks, isExact })
  }

  #hasLedTo(place: Place): boolean {
    return place.origin.cause === this.#cause && Place.isKnownToLead(this.#cause, place)
  }

  #run(place: Place, job: () => void): void {
    const { reserved, isExact } = this.#where
    this.#within({ list: place.held, place, from: place, reserved, isExact }, job)
  }

  #within(where: Where, work: () => void): void {
    const outer = this.#where
    this.#where = where
    try {
      work()
    } finally {
      this.#where = outer
    }
  }

  #listAfter(place: Place | undefined): QueuedList {
    return place === undefined || place.isReached ? this.#where.list : place.held
  }
}

function ofStep(list: Where['list'], from: Place | undefined): Where {
  return { list, place: undefined, from, reserved: undefined, isExact: true }
}
