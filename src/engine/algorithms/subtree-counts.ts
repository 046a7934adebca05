import { Math } from '../intrinsics.ts'

/** By node of the search stack: the complete executions below those of its children that are done. */
export class SubtreeCounts {
  readonly #executions: number[] = []
  readonly #children: number[] = []
  /** Of the child last closed, or of the leaf. */
  #closed = 0
  /** The uppermost node. */
  readonly #root: number

  constructor(root = 0) {
    this.#root = root
  }

  open(node: number): void {
    this.#executions[node] = 0
    this.#children[node] = 0
  }

  /** An execution has ended. */
  leaf(complete: boolean): void {
    this.#closed = complete ? 1 : 0
  }

  /** Nothing is left at `node`. */
  close(node: number): void {
    this.#closed += this.#executions[node] as number
  }

  /** The current child of `node` is done, another follows. */
  nextChild(node: number): void {
    this.#executions[node] = (this.#executions[node] as number) + this.#closed
    this.#children[node] = (this.#children[node] as number) + 1
  }

  /** Children still to come are taken to be as large as the average of their elder siblings. */
  estimate(depth: number, waiting: (node: number) => number): number {
    return this.#estimateAbove(depth, this.#closed, waiting)
  }

  /** The same where another child of `node` has been taken, which `waiting` does not count any more. */
  estimateAt(node: number, waiting: (node: number) => number): number {
    const executions = this.#executions[node] as number
    return this.#estimateAbove(node, executions + ((waiting(node) + 1) * executions) / (this.#children[node] as number), waiting)
  }

  #estimateAbove(depth: number, below: number, waiting: (node: number) => number): number {
    let executions = below
    for (let node = depth - 1; node >= this.#root; node--) {
      executions += this.#executions[node] as number
      executions += (waiting(node) * executions) / ((this.#children[node] as number) + 1)
      executions = Math.min(executions, Number.MAX_VALUE)
    }
    return Math.round(executions)
  }
}
