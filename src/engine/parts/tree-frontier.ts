import type { EndedExecution } from '../algorithms/algorithm.ts'
import type { TreeDpor } from '../algorithms/tree-dpor.ts'
import type { TreeNode } from '../algorithms/tree-node.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import { mostChoices } from './share.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** What begins with one node of the frontier. */
export interface Piece {
  readonly node: TreeNode
  /** So many preemptions at least has every execution of it; 0 where they are not counted. */
  readonly preemptions: number
  /** The same for everybody who divides the executions. */
  readonly number: number
}

type Leaf = Omit<Piece, 'number'>

/** A node with more than one process to be taken, and those that were not yet. */
interface Choice {
  readonly node: TreeNode
  readonly others: ProcessId[]
}

/**
 * Divides a tree of executions into pieces. From every node above the frontier all processes are taken that do not sleep there, each by an
 * execution that is given up after that step. The frontier goes one choice deeper in each round, until there are enough pieces, or no execution is long enough.
 */
export class TreeFrontier {
  readonly #trace: Trace
  readonly #tree: TreeDpor
  readonly #wanted: number
  /** Nodes that are still to be looked at in this round; first the one that the execution begins with. */
  #leaves: Leaf[]
  /** Those of the next round, from left to right. */
  #next: Leaf[] = []
  /** Those from which an execution has ended without a choice. */
  readonly #ends = new Set<TreeNode>()
  #rounds = 1
  #choice: Choice | undefined
  /** Whether the execution has taken the step that a choice led to. */
  #isThere = false

  constructor(trace: Trace, tree: TreeDpor, wanted: number) {
    this.#trace = trace
    this.#tree = tree
    this.#wanted = wanted
    this.#leaves = [{ node: tree.root, preemptions: 0 }]
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#isThere) return NONE
    const { count: depth } = this.#trace.steps
    if (this.#choice !== undefined) {
      this.#isThere = depth === this.#choice.node.depth
      return this.#tree.choose(enabled, count)
    }
    if (depth < this.#leaves[0]!.node.depth) return this.#tree.choose(enabled, count)
    const node = this.#tree.open(enabled, count)
    const chosen = this.#tree.usual(enabled, count)
    const awake = node.enabled.filter((process) => !node.isAsleep(process))
    if (awake.length > 1) {
      this.#isThere = true
      const first = this.#trace.processes.id(chosen as Ordinal)
      this.#choice = { node, others: awake.filter((process) => process !== first) }
    }
    return chosen
  }

  ended({ status }: EndedExecution): void {
    const leaf = this.#leaves[0]!
    if (this.#isThere) {
      this.#next.push({ node: this.#tree.here, preemptions: this.#tree.preemptionsHere })
    } else if (status !== 'blocked') {
      leaf.node.forgetTaken()
      this.#ends.add(leaf.node)
      this.#next.push(leaf)
    }
    this.#isThere = false
  }

  /** How many steps the next execution has in common with the last one; undefined once the frontier is deep enough. */
  advance(): number | undefined {
    const process = this.#choice?.others.shift()
    if (process !== undefined) return this.#tree.takeUp({ node: this.#choice!.node, process, guide: [process], preemptions: 0 })
    this.#leave()
    while (this.#leaves.length === 0 || this.#ends.has(this.#leaves[0]!.node)) {
      const end = this.#leaves.shift()
      if (end !== undefined) this.#next.push(end)
      else if (!this.#isDeeper()) return undefined
    }
    return this.#tree.begin(this.#leaves[0]!)
  }

  /** Once the frontier is deep enough: from left to right. */
  get pieces(): Piece[] {
    return this.#next.map((leaf, number) => ({ ...leaf, number }))
  }

  /** All that the last node leads to is known. */
  #leave(): void {
    const leaf = this.#leaves.shift()
    for (let node = this.#choice?.node; node !== undefined && node !== leaf?.node.parent; node = node.parent) node.isAbove = true
    this.#choice = undefined
  }

  /** Begins another round, unless there are pieces enough. */
  #isDeeper(): boolean {
    const areAllEnds = this.#next.every(({ node }) => this.#ends.has(node))
    if (this.#next.length >= this.#wanted || areAllEnds || this.#rounds >= mostChoices) return false
    this.#rounds++
    this.#leaves = this.#next
    this.#next = []
    return true
  }
}
