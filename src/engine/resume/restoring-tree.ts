import { Array } from '../intrinsics.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { checkOf } from './check.ts'
import { ProgramChanged } from './program-changed.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { SavedTree } from './saved.ts'
import type { Checked } from './restoring.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import { pathTo, type Branch, TreeNode } from '../algorithms/tree-node.ts'
import type { TreeDpor } from '../algorithms/tree-dpor.ts'
import type { Trace } from '../trace/trace.ts'

/** A tree of which branches wait, the first one to be taken next. */
export function savedTree(branches: readonly Branch[], rest: Pick<SavedTree, 'state' | 'isCut' | 'isTruncated'>): SavedTree {
  const nodes = [...new Set(branches.flatMap(({ node }) => pathTo(node)))].toSorted((a, b) => a.depth - b.depth)
  const numbers = new Map(nodes.map((node, number) => [node, number]))
  return {
    nodes: nodes.map(({ parent, step, taken }) => ({ parent: parent === undefined ? NONE : numbers.get(parent)!, process: step?.process ?? (NONE as ProcessId), taken })),
    branches: branches.map(({ node, process, guide, preemptions }) => ({ node: numbers.get(node)!, process, guide, preemptions })),
    ...rest,
  }
}

/** Brings a tree to where it was: each step that was taken from one of its nodes is taken once. None of that counts. */
export class RestoringTree implements Algorithm {
  readonly #trace: Trace
  readonly #algorithm: TreeDpor
  readonly #saved: SavedTree
  readonly #checked: Checked
  /** By number, of those that are there again. */
  readonly #nodes: TreeNode[]
  /** The number of a node, and the process that is taken there; none at the end. */
  readonly #tasks: { readonly node: number; readonly process: ProcessId | undefined }[]
  #isRestored = false

  constructor(trace: Trace, algorithm: TreeDpor, { saved, checked }: { readonly saved: SavedTree; readonly checked: Checked }) {
    this.#trace = trace
    this.#algorithm = algorithm
    this.#saved = saved
    this.#checked = checked
    this.#nodes = [algorithm.root]
    this.#tasks = saved.nodes.flatMap(({ taken }, node) => taken.map((process) => ({ node, process })))
    this.#tasks.push({ node: saved.branches[0]!.node, process: undefined })
  }

  get counts(): boolean {
    return this.#isRestored
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#isRestored) return this.#algorithm.choose(enabled, count)
    const { processes, steps } = this.#trace
    const node = this.#node
    const at = steps.count
    if (at > node.depth) return NONE
    const process = at < node.depth ? pathTo(node)[at + 1]!.step!.process : this.#tasks[0]!.process
    if (process === undefined) return NONE
    if (at === node.depth) node.enabled = Array.from(enabled.subarray(0, count), (ordinal) => processes.id(ordinal as Ordinal))
    return processes.planned(process)
  }

  missing(): void {
    if (!this.#isRestored) throw new ProgramChanged()
  }

  stepEnded(): void {
    this.#algorithm.stepEnded()
  }

  ended(execution: Parameters<Algorithm['ended']>[0]): void {
    if (this.#isRestored) return this.#algorithm.ended(execution)
    const { node, process } = this.#tasks.shift()!
    if (process === undefined) return this.#check()
    if (this.#trace.steps.count <= this.#nodes[node]!.depth) throw new ProgramChanged()
    const next = this.#saved.nodes.findIndex((other) => other.parent === node && other.process === process)
    if (next >= 0) this.#nodes[next] = this.#algorithm.nodeAfter(this.#nodes[node]!)
  }

  get more(): boolean {
    return !this.#isRestored || this.#algorithm.more
  }

  advance(): number {
    if (this.#isRestored) return this.#algorithm.advance()
    if (this.#tasks.length > 0) return this.#algorithm.beginAt(this.#node)
    this.#isRestored = true
    this.#checked.restored()
    const branches = this.#saved.branches.map((branch) => ({ ...branch, node: this.#nodes[branch.node]! }))
    return this.#algorithm.goOn(branches, this.#saved)
  }

  save(): ReturnType<TreeDpor['save']> {
    return this.#algorithm.save()
  }

  get leftOut(): string | undefined {
    return this.#algorithm.leftOut
  }

  get explored(): string | undefined {
    return this.#isRestored ? this.#algorithm.explored : undefined
  }

  /** Where the task begins that is run now. */
  get #node(): TreeNode {
    return this.#nodes[this.#tasks[0]!.node]!
  }

  #check(): void {
    if (checkOf(this.#trace, this.#checked.steps) !== this.#checked.check) throw new ProgramChanged()
  }
}
