import { footprintsConflict, isChange } from '../access.ts'
import type { ProcessId } from '../ids.ts'
import type { SavedRace } from '../resume/saved.ts'
import type { Change, Identity, KnownFootprints } from './known-footprints.ts'

interface Step {
  readonly process: ProcessId
  /** Location and kind of each access in turn; undefined where it is not known. */
  readonly footprint: Int32Array | undefined
}

export interface DeferredStep extends Step {
  readonly footprint: Int32Array
  readonly identity: Identity
}

/** e' of a deferred race: without a footprint, what the look-up of one begins with. */
export interface DeferredLast extends Step {
  readonly start: Identity | undefined
}

/** v of a reversed race that could not be judged because the footprint of some step was not known. */
export class DeferredContinuation {
  readonly #steps: readonly DeferredStep[]
  readonly #last: DeferredLast | undefined
  /** Sums of the halves of the identities of its steps. */
  readonly #high: number
  readonly #low: number

  constructor(steps: readonly DeferredStep[], last: DeferredLast | undefined) {
    this.#steps = steps
    this.#last = last
    this.#high = steps.reduce((sum, { identity }) => (sum + identity.high) | 0, 0)
    this.#low = steps.reduce((sum, { identity }) => (sum + identity.low) | 0, 0)
  }

  /** Whether it is the same steps, each after the same ones. */
  equals(other: DeferredContinuation): boolean {
    if (other.#high !== this.#high || other.#low !== this.#low || other.#steps.length !== this.#steps.length) return false
    return other.#last?.process === this.#last?.process && other.#last?.start?.low === this.#last?.start?.low
  }

  save(): SavedRace {
    return { steps: this.#steps.map(({ process }) => process), last: this.#last?.process }
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0 && this.#last === undefined
  }

  has(process: ProcessId): boolean {
    return this.#last?.process === process || this.#steps.some((step) => step.process === process)
  }

  /** Its steps with what is known by now, after the first `node` steps of the current execution. */
  sequence(known: KnownFootprints, node: number): Step[] {
    const last = this.#last
    if (last === undefined) return [...this.#steps]
    if (last.footprint !== undefined || last.start === undefined) return [...this.#steps, last]
    const footprint = known.lookUp(last.start, (location) => this.#changesOf(location), node)
    return [...this.#steps, { process: last.process, footprint }]
  }

  /** Whether it can begin with a step; `sequence` is what is known of it now. */
  canBeginWith(process: ProcessId, footprint: Int32Array, sequence: readonly Step[]): boolean {
    for (const step of sequence) {
      if (step.process === process) return true
      if (step.footprint === undefined || footprintsConflict(step.footprint, footprint)) return false
    }
    return true
  }

  /** What is left of it after a step; undefined if it cannot begin with that step. */
  after(process: ProcessId, footprint: Int32Array, known: KnownFootprints, node: number): DeferredContinuation | undefined {
    if (!this.canBeginWith(process, footprint, this.sequence(known, node))) return undefined
    const place = this.#steps.findIndex((step) => step.process === process)
    if (place >= 0) return new DeferredContinuation(this.#steps.toSpliced(place, 1), this.#last)
    return this.#last?.process === process ? new DeferredContinuation(this.#steps, undefined) : this
  }

  /** Its changes of the location, latest first. */
  #changesOf(location: number): Change[] {
    const changes: Change[] = []
    for (const { footprint, identity } of this.#steps.toReversed()) {
      for (let i = 0; i < footprint.length; i += 2) {
        const kind = footprint[i + 1] as number
        if (footprint[i] === location && isChange(kind)) changes.push({ identity, kind })
      }
    }
    return changes
  }
}
