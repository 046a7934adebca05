import type { Algorithm } from './algorithm.ts'
import { Restoring, type Checked, type Resumable } from '../resume/restoring.ts'
import type { Saved, SavedBranch, SavedStack } from '../resume/saved.ts'
import { savedStack } from '../resume/saved-stack.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Root } from './root.ts'
import { SearchStack } from './search-stack.ts'
import type { Trace } from '../trace/trace.ts'

/** Every interleaving, without any reduction: for teaching, and to compare with. */
export class Naive implements Resumable {
  readonly #trace: Trace
  /** By node: the processes still to be taken there. */
  readonly #waiting: Ordinal[][] = []
  readonly #stack: SearchStack<Ordinal>
  #total = 0

  constructor(trace: Trace, { node }: Pick<Root, 'node'> = { node: 0 }) {
    this.#trace = trace
    this.#stack = new SearchStack(trace, node, (at) => this.#take(at))
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const branch = this.#stack.takeBranch()
    if (branch !== NONE) return branch
    const node = this.#trace.steps.count
    const waiting = (this.#waiting[node] ??= [])
    for (let i = count - 1; i > 0; i--) waiting.push(enabled[i] as Ordinal)
    this.#total += waiting.length
    return enabled[0] as Ordinal
  }

  stepEnded(): void {}

  ended(): void {}

  get more(): boolean {
    return this.#total > 0
  }

  advance(): number {
    this.#stack.leave()
    return this.#stack.node
  }

  save(): SavedStack {
    const { processes } = this.#trace
    const left = (node: number): SavedBranch[] => (this.#waiting[node] ?? []).map((process) => ({ process: processes.id(process), next: [] }))
    return savedStack(this.#trace, { stack: this.#stack, left, idOf: (process) => processes.id(process) })
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new Restoring(this.#trace, this, { stack: saved as SavedStack, checked })
  }

  identity(): undefined {}

  open(): void {}

  done(): void {}

  goOn({ branch, nodes, steps }: SavedStack): void {
    const { processes } = this.#trace
    nodes.forEach(({ left }, node) => {
      this.#waiting[node] = left.map(({ process }) => processes.ordinal(process))
      this.#total += left.length
    })
    this.#stack.leaveAt(steps.length, processes.ordinal(branch.process))
  }

  #take(node: number): Ordinal | typeof NONE {
    const process = this.#waiting[node]?.pop()
    if (process === undefined) return NONE
    this.#total--
    return process
  }
}
