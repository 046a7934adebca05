import type { Algorithm } from '../algorithms/algorithm.ts'
import { Pop, type Beginning } from '../algorithms/pop.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Share } from './share.ts'
import type { Trace } from '../trace/trace.ts'

/** Pieces for each one that is asked for: those of pop cost nothing, and differ much in size. */
const finer = 8

/** Executions in the first phase for each piece, at most. */
const mostPerPiece = 2

/**
 * A share of what parsimonious-optimal DPOR explores. Its executions are a tree, and what follows from one of them depends
 * on no other. First everybody runs the same ones, breadth first, until enough are waiting; each of those run is a piece.
 * Then each one waiting is a piece, with all that follows from it.
 */
export class DividedPop implements Algorithm {
  readonly #share: Share
  readonly #pop: Pop
  /** Those still to be run in the first phase, then the pieces of the second, from `#next` on. */
  #beginnings: Beginning[] = []
  #next = 0
  #isFirstPhase = true
  /** Pieces met so far. */
  #pieces = 0
  /** Whether the execution belongs to a piece of ours. */
  counts = false

  constructor(trace: Trace, share: Share) {
    this.#share = share
    this.#pop = new Pop(trace)
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (!this.#isFirstPhase && !this.counts) return NONE
    return this.#pop.choose(enabled, count)
  }

  stepEnded(): void {
    this.#pop.stepEnded()
  }

  ended(): void {
    if (this.#isFirstPhase) this.counts = this.#share.owns(this.#pieces++)
    else if (!this.counts) return
    this.#pop.ended()
    if (this.#isFirstPhase) this.#divide()
  }

  get more(): boolean {
    return this.#isFirstPhase ? this.#waiting > 0 : this.#pop.more || this.#left > 0
  }

  advance(): number {
    if (this.#isFirstPhase) return this.#pop.begin(this.#beginnings[this.#next++] as Beginning)
    if (this.#pop.more) return this.#pop.advance()
    do {
      this.counts = this.#share.owns(this.#pieces++)
      this.#next++
    } while (!this.counts && this.#waiting > 0)
    if (this.counts) return this.#pop.begin(this.#beginnings[this.#next - 1] as Beginning)
    return 0
  }

  /** Takes what follows from the execution; ends the first phase once enough is waiting. */
  #divide(): void {
    this.#beginnings.push(...this.#pop.takeAll())
    const pieces = this.#share.pieces * finer
    this.#isFirstPhase = this.#waiting > 0 && this.#waiting < pieces && this.#pieces < pieces * mostPerPiece
  }

  get #waiting(): number {
    return this.#beginnings.length - this.#next
  }

  get #left(): number {
    return this.#share.left(this.#pieces, this.#pieces + this.#waiting)
  }
}
