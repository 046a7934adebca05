import { Array } from '../../engine/intrinsics.ts'
import { inMicrotask } from './native.ts'
import type { Continuation } from './process.ts'

/** A place in the platform's queue of jobs, and what the job there puts at the end of the queue in its turn. */
export class Place {
  held: Queued[] = []
  /** A plain run would have come to it by now. */
  isReached = false
}

export type Queued = Continuation | Place

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

  /** Of the job that runs; undefined where the step's own code does. */
  get place(): Place | undefined {
    return this.#place
  }

  /** The continuation can go on: it stands in the queue, after the job at a place that is given. */
  wake(continuation: Continuation, after?: Place): void {
    this.#woken[this.#wokenCount++] = continuation
    this.#listAfter(after).push(continuation)
  }

  /** Keeps a place for what will turn out to stand here. */
  reserve(): Queued[] {
    const list: Queued[] = []
    this.#current.push(list)
    return list
  }

  /** Runs work that belongs to a reserved place. */
  inPlace(list: Queued[], work: () => void): void {
    this.#putInto(list, this.#place, work)
  }

  /** Runs a job one microtask later. Its place is at the end of the queue, as that is now or after the job at a place that is given. */
  later(job: () => void, after?: Place): void {
    const place = new Place()
    this.#listAfter(after).push(place)
    inMicrotask(() => this.#run(place, job))
  }

  /** Runs a job for which the microtask has come already. */
  now(job: () => void, list: (Queued | Queued[])[] = this.#current): void {
    const place = new Place()
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
