import { Array, Object } from '../../engine/intrinsics.ts'
import { inMicrotask } from './native.ts'
import type { Continuation } from './process.ts'

/** A place in the platform's queue of jobs, and what the job there puts at the end of the queue in its turn. */
export class Place {
  held: Queued[] = []
  /** A plain run would have come to it by now. */
  isReached = false
  /** The job that has put it there. */
  readonly #by: Place | undefined

  constructor(by?: Place) {
    this.#by = by
  }

  /** How many jobs come one after the other, each at the end of the queue, until it is its turn. */
  get distance(): number {
    if (this.isReached) return 0
    let distance = 1
    for (let place = this.#by; place && !place.isReached; place = place.#by) distance++
    return distance
  }
}

export type Queued = Continuation | Place

/** A place in the queue that is kept for what will turn out to stand there. */
export interface Reserved extends Array<Queued> {
  /** How many callbacks `queueMicrotask` had been given by then. */
  readonly microtasks: number
}

/**
 * What the running step puts into the platform's queue of jobs: what can go on, and jobs that pass an outcome on and run no code of
 * the user. Those jobs run within the step, but their places are kept: what such a job wakes stands where the platform would have put it,
 * so that the order of a plain run is known.
 */
export class Jobs {
  #held: (Queued | Queued[])[] = []
  /** The first `#wokenCount`: to empty an array by its length is not for nothing. */
  readonly #woken: (Continuation | undefined)[] = []
  #wokenCount = 0
  /** Where what is queued now is put: the list of the step, of something in it, or of the job that runs. */
  #current = this.#held
  #place: Place | undefined
  #microtasks: number | undefined

  /** How many callbacks of `queueMicrotask` stand before what is queued now, where that is not all of them. */
  get microtasks(): number | undefined {
    return this.#microtasks
  }

  /** Of the job that runs; undefined where the step's own code does. */
  get place(): Place | undefined {
    return this.#place
  }

  /** The continuation can go on: it stands in the queue, after the job at a place that is given. */
  wake(continuation: Continuation, after?: Place): void {
    this.#woken[this.#wokenCount++] = continuation
    this.#listAfter(after).push(continuation)
  }

  /** Keeps a place for what will turn out to stand here. `microtasks`: how many callbacks `queueMicrotask` has been given. */
  reserve(microtasks: number): Reserved {
    const list: Reserved = Object.assign([], { microtasks })
    this.#current.push(list)
    return list
  }

  /** Runs work that belongs to a reserved place. */
  inPlace(list: Reserved, work: () => void): void {
    const outer = this.#microtasks
    this.#microtasks = list.microtasks
    try {
      this.#putInto(list, this.#place, work)
    } finally {
      this.#microtasks = outer
    }
  }

  /** Runs work in the name of a job that has run, and that a plain run has not come to yet. */
  at(place: Place, work: () => void): void {
    this.#run(place, work)
  }

  /** Runs a job one microtask later. Its place is at the end of the queue, as that is now or after the job at a place that is given. */
  later(job: () => void, after?: Place): void {
    const by = after?.isReached === false ? after : this.#place
    const place = new Place(by)
    this.#listAfter(after).push(place)
    inMicrotask(() => this.#run(place, job))
  }

  /** Runs a job for which the microtask has come already. */
  now(job: () => void, list: (Queued | Queued[])[] = this.#current): void {
    const place = new Place(this.#place)
    list.push(place)
    this.#run(place, job)
  }

  /** Takes what the step has left: all that can go on, and what stands in the queue, in order. */
  drain(wake: (continuation: Continuation) => void, queue: (queued: Queued) => void): void {
    const held = this.#held
    const count = this.#wokenCount
    if (held.length === 0 && count === 0) return
    this.#held = this.#current = []
    for (let i = 0; i < held.length; i++) {
      const queued = held[i]!
      if (Array.isArray(queued)) for (const one of queued) queue(one)
      else queue(queued)
    }
    for (let i = 0; i < count; i++) {
      wake(this.#woken[i]!)
      this.#woken[i] = undefined
    }
    this.#wokenCount = 0
  }

  #run(place: Place, job: () => void): void {
    this.#putInto(place.held, place, job)
  }

  #putInto(list: (Queued | Queued[])[], place: Place | undefined, work: () => void): void {
    const outerList = this.#current
    const outerPlace = this.#place
    this.#current = list
    this.#place = place
    try {
      work()
    } finally {
      this.#current = outerList
      this.#place = outerPlace
    }
  }

  #listAfter(place: Place | undefined): (Queued | Queued[])[] {
    return place === undefined || place.isReached ? this.#current : place.held
  }
}
