import type { Algorithm, MakeAlgorithm } from '../algorithms/algorithm.ts'
import type { Budget } from '../budget.ts'
import { checkOf } from './check.ts'
import type { SavedSearch } from './saved.ts'
import { Tally } from '../tally.ts'
import type { Trace } from '../trace/trace.ts'
import { Witness } from './witness.ts'

export interface SearchParts {
  readonly makeAlgorithm: MakeAlgorithm
  readonly budget: Budget
  readonly tally: Tally
}

/** Writes down where a search has come to, and makes the algorithms by which another one goes on from there. */
export class Resumption {
  readonly #trace: Trace
  readonly #parts: SearchParts
  /** An execution for each pass before this one: in it something was observed. */
  readonly #witnesses: string[] = []
  /** What the search goes on from, until everything is as it was. */
  #saved: SavedSearch | undefined

  constructor(trace: Trace, parts: SearchParts) {
    this.#trace = trace
    this.#parts = parts
  }

  get saved(): SavedSearch | undefined {
    return this.#saved
  }

  /** The search goes on from there: its first algorithm. */
  resume(saved: SavedSearch): Algorithm {
    this.#saved = saved
    this.#trace.processes.restore(saved.parents)
    return this.#restoring(saved)
  }

  /** An execution has shown that a pass was not the last one: the algorithm of the next. */
  passEnded(witness: string): Algorithm {
    this.#witnesses.push(witness)
    return this.#saved === undefined ? this.#parts.makeAlgorithm(this.#trace) : this.#restoring(this.#saved)
  }

  /** Before a pass that an execution with this schedule has called for. */
  beforePass(witness: string): SavedSearch {
    if (this.#saved !== undefined) return this.#saved
    return { parents: this.#parents, passes: [...this.#witnesses, witness], left: undefined, check: { steps: 0, hash: 0 }, isTruncated: false, tally: new Tally().save() }
  }

  /** Before an execution that has so many steps in common with the last one. Undefined where there is nothing to go on from. */
  save(algorithm: Algorithm, planned: number): SavedSearch | undefined {
    if (this.#saved !== undefined) return this.#saved
    const left = algorithm.save?.()
    if (left === undefined) return undefined
    const { budget, tally } = this.#parts
    const check = { steps: planned, hash: checkOf(this.#trace, planned) }
    return { parents: this.#parents, passes: this.#witnesses, left, check, isTruncated: budget.isTruncated, tally: tally.save() }
  }

  get #parents(): number[] {
    return [...this.#trace.processes.parents]
  }

  /** First what was observed is observed again, pass by pass; then what was left is brought back. */
  #restoring({ passes, left, check, isTruncated, tally }: SavedSearch): Algorithm {
    const witness = passes[this.#witnesses.length]
    if (witness !== undefined) return new Witness(this.#trace, witness)
    const algorithm = this.#parts.makeAlgorithm(this.#trace)
    if (left === undefined) {
      this.#saved = undefined
      return algorithm
    }
    this.#parts.tally.restore(tally)
    if (isTruncated) this.#parts.budget.truncated()
    return algorithm.restoring!(left, { check: check.hash, steps: check.steps, restored: () => (this.#saved = undefined) })
  }
}
