import type { Algorithm, EndedExecution } from './algorithm.ts'
import { NONE } from '../trace/processes.ts'
import type { Root } from './root.ts'
import { SubtreeCounts } from './subtree-counts.ts'
import type { Trace } from '../trace/trace.ts'

/** Every interleaving, without any reduction: for teaching, and to compare with. */
export class Naive implements Algorithm {
  readonly #trace: Trace
  /** By node: the processes still to be taken there. */
  readonly #waiting: number[][] = []
  readonly #counts: SubtreeCounts
  readonly #root: number
  #total = 0
  #branch: number = NONE

  constructor(trace: Trace, { node }: Pick<Root, 'node'> = { node: 0 }) {
    this.#trace = trace
    this.#root = node
    this.#counts = new SubtreeCounts(node)
  }

  choose(enabled: Int32Array, count: number): number {
    const branch = this.#branch
    this.#branch = NONE
    if (branch !== NONE) return branch
    const node = this.#trace.steps.count
    const waiting = (this.#waiting[node] ??= [])
    for (let i = count - 1; i > 0; i--) waiting.push(enabled[i] as number)
    this.#total += waiting.length
    this.#counts.open(node)
    return enabled[0] as number
  }

  stepEnded(): void {}

  ended({ status }: EndedExecution): void {
    this.#counts.leaf(status === 'complete')
  }

  get more(): boolean {
    return this.#total > 0
  }

  advance(): number {
    const { steps } = this.#trace
    for (let node = steps.count - 1; node >= this.#root; node--) {
      const process = this.#waiting[node]?.pop()
      if (process === undefined) {
        this.#counts.close(node)
        continue
      }
      this.#total--
      this.#counts.nextChild(node)
      this.#branch = process
      this.#trace.accessEnd = steps.start[node] as number
      return node
    }
    return NONE
  }

  estimate(): number {
    return this.#counts.estimate(this.#trace.steps.count, (node) => this.#waiting[node]?.length ?? 0)
  }
}
