import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import type { Ordinal } from '../ids.ts'
import { checkOf } from '../resume/check.ts'
import { ProgramChanged } from '../resume/program-changed.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved, SavedPieces } from '../resume/saved.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Share } from './share.ts'
import type { Trace } from '../trace/trace.ts'

/** Pieces for each one that is asked for: they cost nothing, and differ much in size. */
const finer = 8

/** Executions in the first phase for each piece, at most. */
const mostPerPiece = 2

/** An algorithm whose executions are a tree, and what follows from one of them depends on no other. */
export interface Beginner<Beginning> extends Algorithm {
  /** Takes out all executions still to be explored, each by how it begins. */
  takeAll(): Beginning[]
  /** Prepares an execution with this beginning; how many of the steps of the last one it begins with. */
  begin(beginning: Beginning): number
}

/**
 * A share of what such an algorithm explores. First everybody runs the same executions, breadth first, until enough are waiting; each of those run is a piece.
 * Then each one waiting is a piece, with all that follows from it.
 */
export class DividedBeginnings<Beginning> implements Algorithm {
  readonly #trace: Trace
  readonly #share: Share
  readonly #algorithm: Beginner<Beginning>
  /** What explores the piece that is taken up again where it was left, while it does. */
  #resumed: Algorithm | undefined
  /** Those still to be run in the first phase, then the pieces of the second, from `#next` on. */
  #beginnings: Beginning[] = []
  #next = 0
  #isFirstPhase = true
  /** Pieces met so far. */
  #pieces = 0
  /** Whether the execution belongs to a piece of ours. */
  #isOurs = false
  /** Where another one has come to. */
  #from: { readonly saved: SavedPieces; readonly checked: Checked } | undefined

  constructor(trace: Trace, algorithm: Beginner<Beginning>, share: Share) {
    this.#trace = trace
    this.#share = share
    this.#algorithm = algorithm
  }

  get counts(): boolean {
    return this.#isOurs && this.#inside.counts !== false
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (!this.#isFirstPhase && !this.#isOurs) return NONE
    return this.#inside.choose(enabled, count)
  }

  missing(process: Ordinal): void {
    this.#inside.missing?.(process)
  }

  stepEnded(): void {
    this.#inside.stepEnded()
  }

  ended(execution: EndedExecution): void {
    if (this.#isFirstPhase) this.#meet()
    else if (!this.#isOurs) return
    this.#check()
    this.#inside.ended(execution)
    if (this.#isFirstPhase) this.#divide()
  }

  get more(): boolean {
    return this.#isFirstPhase ? this.#waiting > 0 : this.#inside.more || this.#left > 0
  }

  advance(): number {
    if (this.#isFirstPhase) return this.#algorithm.begin(this.#beginnings[this.#next++] as Beginning)
    if (this.#inside.more) return this.#inside.advance()
    this.#resumed = undefined
    do {
      this.#meet()
      this.#next++
    } while (!this.#isOurs && this.#waiting > 0)
    if (this.#resumed === undefined && this.#isOurs) return this.#algorithm.begin(this.#beginnings[this.#next - 1] as Beginning)
    return 0
  }

  get leftOut(): string | undefined {
    return this.#algorithm.leftOut
  }

  get explored(): string | undefined {
    return this.more ? undefined : this.#algorithm.explored
  }

  save(): SavedPieces {
    if (this.#isFirstPhase) return { piece: this.#pieces, inside: undefined }
    return { piece: this.#pieces - 1, inside: this.#inside.save?.() }
  }

  restoring(saved: Saved, checked: Checked): this {
    this.#from = { saved: saved as SavedPieces, checked }
    return this
  }

  get #inside(): Algorithm {
    return this.#resumed ?? this.#algorithm
  }

  /** The execution is of the next piece. */
  #meet(): void {
    const piece = this.#pieces++
    const { saved, checked } = this.#from ?? {}
    if (saved === undefined || piece > saved.piece) this.#isOurs = this.#share.owns(piece)
    else if (piece < saved.piece) this.#isOurs = false
    else if (saved.inside === undefined) this.#isOurs = this.#share.owns(piece)
    else {
      this.#isOurs = true
      this.#resumed = this.#algorithm.restoring!(saved.inside, checked!)
      this.#from = undefined
    }
  }

  /** The first execution after what was saved begins as it did then. */
  #check(): void {
    if (this.#from === undefined || this.#pieces - 1 !== this.#from.saved.piece) return
    const { check, steps, restored } = this.#from.checked
    if (checkOf(this.#trace, steps) !== check) throw new ProgramChanged()
    this.#from = undefined
    restored()
  }

  /** Takes what follows from the execution; ends the first phase once enough is waiting. */
  #divide(): void {
    this.#beginnings.push(...this.#algorithm.takeAll())
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
