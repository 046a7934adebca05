import { NONE } from '../trace/processes.ts'
import { SubtreeCounts } from './subtree-counts.ts'
import type { Trace } from '../trace/trace.ts'

/** What is left to be explored at the nodes of a search stack. */
export interface Left<Process extends number> {
  /** Takes something that is left at the node, which is the deepest that the last execution leaves: the process to go on with, NONE if there is nothing. */
  take(node: number): Process | typeof NONE
  /** How much is left there; for the estimate. */
  size(node: number): number
}

/**
 * The search stack. Node n is the prefix of n steps of the current execution; the stack begins at the root and grows with the
 * execution. Each new execution goes on from the deepest node at which something is left. What that is, and whether it is known by
 * ordinals or by ids, is the algorithm's business.
 */
export class SearchStack<Process extends number> {
  /** The uppermost node. */
  readonly root: number
  readonly #trace: Trace
  readonly #nodes: Left<Process>
  readonly #counts: SubtreeCounts
  /** The process to be taken at `#node`, where the last execution is left; NONE once it is taken. */
  #branch: Process | typeof NONE = NONE
  #node = 0
  /** Whether the last execution is left: to go on with something at `#node`, or, if nothing was left, for good. None has ended so far: `undefined`. */
  #left: 'no' | 'to go on' | 'for good' | undefined

  constructor(trace: Trace, root: number, left: Left<Process>) {
    this.root = root
    this.#trace = trace
    this.#nodes = left
    this.#counts = new SubtreeCounts(root)
  }

  /** The process that the execution leaves the last one with, once; NONE where it is at a new node. */
  takeBranch(): Process | typeof NONE {
    const branch = this.#branch
    this.#branch = NONE
    return branch
  }

  /** The execution is at a new node. */
  open(node: number): void {
    this.#counts.open(node)
  }

  /** The execution has ended. */
  leaf({ isComplete }: { readonly isComplete: boolean }): void {
    this.#left = 'no'
    this.#counts.leaf(isComplete)
  }

  /** Finds the deepest node that has something left, and takes it. */
  leave(): void {
    for (let node = this.#trace.steps.count - 1; node >= this.root; node--) {
      this.#branch = this.#nodes.take(node)
      if (this.#branch !== NONE) {
        this.#counts.nextChild(node)
        this.#node = node
        this.#left = 'to go on'
        return
      }
      this.#counts.close(node)
    }
    this.#left = 'for good'
  }

  /** Whether `leave` found something. */
  get hasBranch(): boolean {
    return this.#branch !== NONE
  }

  /** How many steps of the last execution the next one begins with. */
  get node(): number {
    return this.#node
  }

  /** How many complete executions there are in all, as far as could be told at the end of the last one. */
  estimate(): number {
    const waiting = (node: number): number => this.#nodes.size(node)
    if (this.#left === undefined) return 0
    if (this.#left === 'to go on') return this.#counts.estimateAt(this.#node, waiting)
    return this.#counts.estimate(this.#left === 'no' ? this.#trace.steps.count : this.root, waiting)
  }
}
