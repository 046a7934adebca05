import { Math } from '../../intrinsics.ts'
import type { Ordinal } from '../../ids.ts'
import type { Trace } from '../../trace/trace.ts'
import { scramble } from '../../values.ts'

/** Classes that are told apart. Later ones count as met before. */
const mostClasses = 1_000_000

/** How often each class was met: executions are of one class if the same steps happen before each step. Told apart by a hash of 64 bits. */
export class ClassCounts {
  readonly #counts = new Map<string, number>()
  /** How many classes were met once, and twice. */
  #once = 0
  #twice = 0

  /** The execution that has just ended. */
  add(trace: Trace): void {
    const key = keyOf(trace)
    const count = this.#counts.get(key) ?? 0
    if (count === 0 && this.#counts.size >= mostClasses) return
    this.#counts.set(key, count + 1)
    if (count === 0) this.#once++
    if (count === 1) {
      this.#once--
      this.#twice++
    }
    if (count === 2) this.#twice--
  }

  /** How many classes were met. */
  get met(): number {
    return this.#counts.size
  }

  /** How many there are at least, by those that were met only once or twice (Chao 1984). */
  estimate(): number {
    return this.met + Math.round((this.#once * (this.#once - 1)) / (2 * (this.#twice + 1)))
  }
}

/** A hash of what happens before what, whatever the order of the steps. */
function keyOf({ clocks, processes, steps }: Trace): string {
  let high = 0
  let low = 0
  for (let step = 0; step < steps.count; step++) {
    let own = scramble(processes.id(steps.process[step] as Ordinal), steps.index[step] as number)
    let other = scramble(own, 1)
    for (let ordinal = 0; ordinal < processes.count; ordinal++) {
      const before = clocks.get(step, ordinal)
      if (before === 0) continue
      const mixed = scramble(processes.id(ordinal as Ordinal) + 1, before)
      own = (own + mixed) | 0
      other = (other + scramble(mixed, 2)) | 0
    }
    high = (high + scramble(own, 3)) | 0
    low = (low + scramble(other, 4)) | 0
  }
  return `${high} ${low}`
}
