import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** Takes something that is left at the node, which is the deepest that the last execution leaves: the process to go on with, NONE if there is nothing. */
export type Take<Process extends number> = (node: number) => Process | typeof NONE

/**
 * The search stack. Node n is the prefix of n steps of the current execution; the stack begins at the root and grows with the
 * execution. Each new execution goes on from the deepest node at which something is left. What that is, and whether it is known by
 * ordinals or by ids, is the algorithm's business.
 */
export class SearchStack<Process extends number> {
  /** The uppermost node. */
  readonly root: number
  readonly #trace: Trace
  readonly #take: Take<Process>
  /** The process to be taken at `node`, where the last execution is left; NONE once it is taken. */
  #branch: Process | typeof NONE = NONE
  /** How many steps of the last execution the next one begins with. */
  node = 0

  constructor(trace: Trace, root: number, take: Take<Process>) {
    this.root = root
    this.#trace = trace
    this.#take = take
  }

  /** The process that the execution leaves the last one with, once; NONE where it is at a new node. */
  takeBranch(): Process | typeof NONE {
    const branch = this.#branch
    this.#branch = NONE
    return branch
  }

  /** Finds the deepest node that has something left, and takes it. */
  leave(): void {
    for (let node = this.#trace.steps.count - 1; node >= this.root; node--) {
      this.#branch = this.#take(node)
      if (this.#branch === NONE) continue
      this.node = node
      return
    }
  }

  /** As if `leave` had found that. */
  leaveAt(node: number, branch: Process): void {
    this.node = node
    this.#branch = branch
  }

  /** What `leave` found. */
  get branch(): Process | typeof NONE {
    return this.#branch
  }

  /** Whether `leave` found something. */
  get hasBranch(): boolean {
    return this.#branch !== NONE
  }
}
