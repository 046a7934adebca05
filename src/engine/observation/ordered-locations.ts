import { Math } from '../intrinsics.ts'

/** What of a program may be merged until somebody observes it: nothing, the order of keys, or changes of values too. */
export type Merged = 'nothing' | 'keys' | 'all'

/** Passes after which everything is ordered: names that differ from execution to execution would cost passes without end. */
const mostPasses = 64

/**
 * The locations whose changes are ordered, because somebody observed in what order they came. They are the same throughout
 * a pass and only ever become more.
 */
export class OrderedLocations {
  #merged: Merged
  /** By location: 1 if it is ordered. */
  #ordered = new Uint8Array(64)
  /** By location: 1 if in this pass some access had a kind that it would not have had if the location were ordered. */
  #used = new Uint8Array(64)
  readonly #observed = new Set<number>()
  /** Whether something was observed, so that a pass under a finer relation has to follow. */
  haveGrown = false
  passes = 1

  constructor(merged: Merged) {
    this.#merged = merged
  }

  /** Whether there is nothing to observe. */
  get areAll(): boolean {
    return this.#merged === 'nothing'
  }

  /** Another pass has to follow, for a reason that only the driver knows. */
  startAnew(): void {
    this.haveGrown = true
  }

  hasValue(location: number): boolean {
    return this.#merged !== 'all' || this.#ordered[location] === 1
  }

  /** The same of a location that holds the order of keys. */
  hasKeys(location: number): boolean {
    return this.#merged === 'nothing' || this.#ordered[location] === 1
  }

  /** Some access has the kind that it has because the location is not ordered. */
  use(location: number): void {
    if (location >= this.#used.length) this.#reserve(location + 1)
    this.#used[location] = 1
  }

  /** The location is ordered: at once if that changes nothing of this pass, else from the next one on. */
  add(location: number): void {
    if (location >= this.#used.length) this.#reserve(location + 1)
    if (this.#ordered[location] === 1 || this.areAll) return
    if (this.#used[location] === 0) {
      this.#ordered[location] = 1
      return
    }
    this.#observed.add(location)
    this.haveGrown = true
  }

  /** Makes ordered what was observed, without a new pass. */
  grow(): void {
    for (const location of this.#observed) this.#ordered[location] = 1
    this.#observed.clear()
    this.haveGrown = false
  }

  beginPass(): void {
    this.grow()
    this.#used.fill(0)
    this.passes++
    if (this.passes > mostPasses) this.#merged = 'nothing'
  }

  #reserve(length: number): void {
    const capacity = Math.max(length, this.#used.length * 2)
    const [ordered, used] = [new Uint8Array(capacity), new Uint8Array(capacity)]
    ordered.set(this.#ordered)
    used.set(this.#used)
    this.#ordered = ordered
    this.#used = used
  }
}
