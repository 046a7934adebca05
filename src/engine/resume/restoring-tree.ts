import { Array } from '../intrinsics.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { checkOf } from './check.ts'
import { ProgramChanged } from './program-changed.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { Piece } from '../parts/tree-frontier.ts'
import type { Saved, SavedTree } from './saved.ts'
import type { Checked } from './restoring.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import { pathTo, type Branch, TreeNode } from '../algorithms/tree-node.ts'
import type { Trace } from '../trace/trace.ts'

/** Of a tree: what the next execution begins with, and what else is to be explored. */
export interface LeftOfTree {
  readonly next: Branch | Pick<Branch, 'node' | 'preemptions'>
  readonly waiting: readonly Branch[]
  readonly pieces: readonly Piece[]
}

/** An algorithm that goes on from a tree. */
export interface RestorableTree extends Algorithm {
  readonly root: TreeNode
  /** The next execution leaves at that node what is known; how many steps it has in common with the last one. */
  beginAt(node: TreeNode): number
  /** The node after that one that the execution has come to. */
  nodeAfter(node: TreeNode): TreeNode
  /** All nodes are there again: how many steps the next execution has in common with the last one. */
  goOn(left: LeftOfTree, saved: SavedTree): number
}

export function savedTree({ next, waiting, pieces }: LeftOfTree, rest: Pick<SavedTree, 'state' | 'isCut' | 'isTruncated'>): SavedTree {
  const nodes = [...new Set([next, ...waiting, ...pieces].flatMap(({ node }) => pathTo(node)))].toSorted((a, b) => a.depth - b.depth)
  const numbers = new Map(nodes.map((node, number) => [node, number]))
  const numbered = <Left extends { readonly node: TreeNode }>(left: Left) => ({ ...left, node: numbers.get(left.node)! })
  return {
    nodes: nodes.map(({ parent, step, taken, isAbove }) => ({ parent: parent === undefined ? NONE : numbers.get(parent)!, process: step?.process ?? (NONE as ProcessId), taken, isAbove })),
    next: numbered(next),
    waiting: waiting.map(numbered),
    pieces: pieces.map(numbered),
    ...rest,
  }
}

/** Brings a tree to where it was: each step that was taken from one of its nodes is taken once. None of that counts. */
export class RestoringTree implements Algorithm {
  readonly #trace: Trace
  readonly #algorithm: RestorableTree
  readonly #saved: SavedTree
  readonly #checked: Checked
  /** By number, of those that are there again. */
  readonly #nodes: TreeNode[]
  /** The number of a node, and the process that is taken there; none at the end. */
  readonly #tasks: { readonly node: number; readonly process: ProcessId | undefined }[]
  #isRestored = false

  constructor(trace: Trace, algorithm: RestorableTree, { saved, checked }: { readonly saved: SavedTree; readonly checked: Checked }) {
    this.#trace = trace
    this.#algorithm = algorithm
    this.#saved = saved
    this.#checked = checked
    this.#nodes = []
    this.#found(0, algorithm.root)
    this.#tasks = saved.nodes.flatMap(({ taken }, node) => taken.map((process) => ({ node, process })))
    this.#tasks.push({ node: saved.next.node, process: undefined })
  }

  get counts(): boolean {
    return this.#isRestored && this.#algorithm.counts !== false
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
    if (next >= 0) this.#found(next, this.#algorithm.nodeAfter(this.#nodes[node]!))
  }

  #found(number: number, node: TreeNode): void {
    this.#nodes[number] = node
    node.isAbove = this.#saved.nodes[number]!.isAbove
  }

  get more(): boolean {
    return !this.#isRestored || this.#algorithm.more
  }

  advance(): number {
    if (this.#isRestored) return this.#algorithm.advance()
    if (this.#tasks.length > 0) return this.#algorithm.beginAt(this.#node)
    this.#isRestored = true
    this.#checked.restored()
    const there = <Left extends { readonly node: number }>(left: Left) => ({ ...left, node: this.#nodes[left.node]! })
    const { next, waiting, pieces } = this.#saved
    return this.#algorithm.goOn({ next: there(next), waiting: waiting.map(there), pieces: pieces.map(there) }, this.#saved)
  }

  save(): Saved | undefined {
    return this.#algorithm.save?.()
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
