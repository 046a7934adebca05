import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import { startOf, type Root } from '../algorithms/root.ts'
import { SearchStack } from '../algorithms/search-stack.ts'
import { checkOf } from '../resume/check.ts'
import { ProgramChanged } from '../resume/program-changed.ts'
import type { Checked } from '../resume/restoring.ts'
import type { SavedPieces } from '../resume/saved.ts'
import type { Share } from './share.ts'
import type { Trace } from '../trace/trace.ts'
import { usualProcess } from '../algorithms/usual-order.ts'

export interface FrontierOptions {
  /** Choices between processes that lie above the frontier. */
  readonly choices: number
  readonly share: Pick<Share, 'owns' | 'left'>
  /** How many pieces there are, as far as is known. */
  readonly pieces: number
  /** Whether a process that was explored at a node sleeps there from then on. */
  readonly sleeps: boolean
  /** Whether `explore` looks at who was woken. */
  readonly noticesWoken: boolean
  /** What explores a piece of ours. */
  readonly explore: (root: Root) => Algorithm
  /** Where another one has come to. */
  readonly from?: { readonly saved: SavedPieces; readonly checked: Checked } | undefined
}

/**
 * Divides the executions into pieces that can be explored independently. From every node above the frontier all enabled
 * processes are taken that do not sleep there, so no race with a step above it has to be reversed. A piece is what begins
 * with one node of the frontier, or an execution that ends above it. Those of others are given up where they begin.
 */
export class Frontier implements Algorithm {
  readonly #trace: Trace
  readonly #options: FrontierOptions
  readonly #above: Root
  /** By node above the frontier: the processes still to be taken there, last first. */
  readonly #waiting: Ordinal[][] = []
  #totalWaiting = 0
  /** By node, up to the frontier: the choices before it. */
  readonly #choicesBefore: number[] = [0]
  readonly #stack: SearchStack<Ordinal>
  /** What explores the piece that the execution belongs to, if that is ours and lies below the frontier. */
  #below: Algorithm | undefined
  /** Pieces met so far. */
  pieces = 0
  /** Whether an execution went as far as the frontier. */
  isReached = false
  /** Whether the execution belongs to a piece of ours. */
  #isOurs = false
  /** Whether the execution is known to belong to the piece last met. */
  #isMet = false

  constructor(trace: Trace, options: FrontierOptions) {
    this.#trace = trace
    this.#options = options
    this.#above = startOf(trace, options)
    this.#stack = new SearchStack(trace, 0, (node) => this.#take(node))
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#below !== undefined) return this.#below.choose(enabled, count)
    const branch = this.#stack.takeBranch()
    if (branch !== NONE) return branch
    const node = this.#trace.steps.count
    if ((this.#choicesBefore[node] as number) < this.#options.choices) return this.#chooseAbove(node, enabled, count)
    this.isReached = true
    this.#meet()
    if (!this.#isOurs) return NONE
    const { sleep, woken } = this.#above
    this.#below = this.#resumed(this.#options.explore({ node, sleep, woken }))
    return this.#below.choose(enabled, count)
  }

  #chooseAbove(node: number, enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const { sleep } = this.#above
    sleep.mark(node)
    const chosen = usualProcess(this.#trace, enabled, count, (process) => sleep.isMarked(process))
    const waiting: Ordinal[] = []
    for (let i = count - 1; i >= 0; i--) {
      const process = enabled[i] as Ordinal
      if (process !== chosen && !sleep.isMarked(process)) waiting.push(process)
    }
    this.#waiting[node] = waiting
    this.#totalWaiting += waiting.length
    this.#choicesBefore[node + 1] = (this.#choicesBefore[node] as number) + (waiting.length > 0 ? 1 : 0)
    return chosen
  }

  stepEnded(): void {
    if (this.#below !== undefined) this.#below.stepEnded()
    else this.#above.sleep.passOn(this.#trace.steps.count - 1)
  }

  ended(execution: EndedExecution): void {
    const below = this.#below
    if (below !== undefined) {
      below.ended(execution)
      if (below.more) return
      this.#below = undefined
      this.#isMet = false
      return
    }
    if (!this.#isMet) this.#meet()
    this.#isMet = false
  }

  get counts(): boolean {
    return this.#isOurs && this.#below?.counts !== false
  }

  missing(process: Ordinal): void {
    this.#below?.missing?.(process)
  }

  get doubt(): string | undefined {
    return this.#below?.doubt
  }

  /** What is to be known to go on later. */
  save(): SavedPieces {
    return this.#below === undefined ? { piece: this.pieces, inside: undefined } : { piece: this.pieces - 1, inside: this.#below.save?.() }
  }

  /** The execution belongs to the next piece. */
  #meet(): void {
    this.#isMet = true
    const piece = this.pieces++
    const { from, share } = this.#options
    this.#isOurs = (from === undefined || piece >= from.saved.piece) && share.owns(piece)
    if (from?.saved.piece !== piece || from.saved.inside !== undefined) return
    if (checkOf(this.#trace, from.checked.steps) !== from.checked.check) throw new ProgramChanged()
    from.checked.restored()
  }

  /** The algorithm, or the one that has it go on where another one was in this piece. */
  #resumed(below: Algorithm): Algorithm {
    const { saved, checked } = this.#options.from ?? {}
    return saved?.inside === undefined || saved.piece !== this.pieces - 1 ? below : below.restoring!(saved.inside, checked!)
  }

  get more(): boolean {
    if (this.#below !== undefined) return true
    return this.#totalWaiting > 0 && this.#options.share.left(this.pieces, this.#options.pieces) > 0
  }

  advance(): number {
    if (this.#below !== undefined) return this.#below.advance()
    this.#stack.leave()
    return this.#stack.node
  }

  #take(node: number): Ordinal | typeof NONE {
    const process = this.#waiting[node]?.pop()
    if (process === undefined) return NONE
    this.#totalWaiting--
    if (this.#options.sleeps) this.#above.sleep.add(node)
    this.#above.woken.truncate(node)
    return process
  }
}
