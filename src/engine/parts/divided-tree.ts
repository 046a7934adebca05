import { Math } from '../intrinsics.ts'
import type { EndedExecution } from '../algorithms/algorithm.ts'
import { interleavingsWithin } from '../algorithms/preemptions.ts'
import type { TreeDpor } from '../algorithms/tree-dpor.ts'
import type { TreeNode } from '../algorithms/tree-node.ts'
import type { Ordinal } from '../ids.ts'
import { RestoringTree, type LeftOfTree, type RestorableTree } from '../resume/restoring-tree.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved, SavedTree } from '../resume/saved.ts'
import type { Share } from './share.ts'
import { TreeFrontier, type Piece } from './tree-frontier.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * A share of a tree of executions. Pieces are branches like any other, so that those with the fewest preemptions come first, whatever
 * piece they are of, and what needs too many is left out. Where the tree is explored depth first, it is piece by piece.
 */
export class DividedTree implements RestorableTree {
  readonly #trace: Trace
  readonly #tree: TreeDpor
  readonly #share: Share
  /** Until the executions are divided. */
  #frontier: TreeFrontier | undefined
  /** Those that may be ours, in the order in which they are explored. */
  #pieces: Piece[] = []
  /** Whether the execution belongs to a piece of ours. */
  counts = false

  constructor(trace: Trace, tree: TreeDpor, share: Share) {
    this.#trace = trace
    this.#tree = tree
    this.#share = share
    this.#frontier = new TreeFrontier(trace, tree, share.pieces)
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#frontier !== undefined) return this.#frontier.choose(enabled, count)
    return this.counts ? this.#tree.choose(enabled, count) : NONE
  }

  stepEnded(): void {
    this.#tree.stepEnded()
  }

  ended(execution: EndedExecution): void {
    if (this.#frontier !== undefined) this.#frontier.ended(execution)
    else if (this.counts) this.#tree.ended(execution)
  }

  get more(): boolean {
    return this.#frontier !== undefined || this.#tree.more || this.#left.length > 0
  }

  advance(): number {
    const shared = this.#frontier?.advance()
    if (shared !== undefined) return shared
    if (this.#frontier !== undefined) this.#divide(this.#frontier.pieces)
    return this.#next()
  }

  get leftOut(): string | undefined {
    return this.#tree.leftOut
  }

  get explored(): string | undefined {
    const most = this.exploredPreemptions
    return most < 0 ? undefined : interleavingsWithin(most)
  }

  /** So many preemptions have the classes of our pieces of which each was explored at most; -1 if not even all of those without any were. */
  get exploredPreemptions(): number {
    return this.#frontier === undefined ? Math.min(this.#tree.exploredPreemptions, ...this.#left.map(({ preemptions }) => preemptions - 1)) : -1
  }

  save(): SavedTree | undefined {
    return this.#frontier === undefined ? this.#tree.save(this.#pieces) : undefined
  }

  restoring(saved: Saved, checked: Checked): RestoringTree {
    this.#frontier = undefined
    return new RestoringTree(this.#trace, this, { saved: saved as SavedTree, checked })
  }

  get root(): TreeNode {
    return this.#tree.root
  }

  beginAt(node: TreeNode): number {
    return this.#tree.beginAt(node)
  }

  nodeAfter(node: TreeNode): TreeNode {
    return this.#tree.nodeAfter(node)
  }

  goOn(left: LeftOfTree, saved: SavedTree): number {
    this.#pieces = [...left.pieces]
    this.counts = true
    return this.#tree.goOn(left, saved)
  }

  /** Takes what may be ours and is not to be left out. */
  #divide(pieces: readonly Piece[]): void {
    this.#frontier = undefined
    this.#pieces = pieces.filter((piece) => this.#mayTake(piece) && this.#tree.takes(piece.preemptions)).toSorted((one, other) => one.preemptions - other.preemptions)
  }

  /** A branch of what was begun, or the next piece that nobody else has; if there is none any more, an execution that is given up. */
  #next(): number {
    for (;;) {
      const [piece] = this.#pieces
      this.counts = this.#tree.more || piece !== undefined
      if (this.#tree.more && (piece === undefined || this.#tree.fewest <= piece.preemptions)) return this.#tree.advance()
      if (piece === undefined) return 0
      this.#pieces.shift()
      if (this.#share.owns(piece.number)) return this.#tree.begin(piece)
    }
  }

  get #left(): Piece[] {
    return this.#pieces.filter((piece) => this.#mayTake(piece))
  }

  #mayTake({ number }: Piece): boolean {
    return this.#share.left(number, number + 1) > 0
  }
}
