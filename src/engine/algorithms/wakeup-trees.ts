import { column, grown } from '../trace/columns.ts'
import type { ProcessId } from '../ids.ts'
import type { SavedBranch } from '../resume/saved.ts'
import { NONE } from '../trace/processes.ts'

/**
 * The wakeup trees of all nodes of the search stack (JACM 2017, Section 6): ordered trees of steps, of which each node of
 * the stack holds the branches not yet explored. Cells that are used again, in chains of siblings.
 */
export class WakeupTrees {
  /** By cell. */
  process = column<ProcessId>(16)
  /** By cell: its next sibling. */
  next = new Int32Array(16)
  /** By cell: the footprint of the step, location and kind of each access in turn; undefined where it is not known. */
  readonly footprint: (Int32Array | undefined)[] = []
  /** By cell: its first child. */
  #child = new Int32Array(16)
  /** By node of the stack: its first branch. */
  #first = new Int32Array(16)
  #cells = 0
  #free: number = NONE
  /** What follows the branch taken last. */
  #subtree: number = NONE

  /** Gives a new node what follows the branch taken last. */
  open(node: number): void {
    if (node >= this.#first.length) this.#first = grown(this.#first, node + 1)
    this.#first[node] = this.#subtree
    this.#subtree = NONE
  }

  /** Takes the first branch off the node: the process; NONE if there is none. */
  take(node: number): ProcessId | typeof NONE {
    const cell = this.#first[node] as number
    if (cell === NONE) return NONE
    this.#first[node] = this.next[cell] as number
    this.#subtree = this.#child[cell] as number
    this.#release(cell)
    return this.process[cell] as ProcessId
  }

  /** The branches left at the node. */
  branchesAt(node: number): SavedBranch[] {
    return this.#chain(this.#first[node] as number)
  }

  /** What follows the branch taken last. */
  get following(): SavedBranch[] {
    return this.#chain(this.#subtree)
  }

  #chain(first: number): SavedBranch[] {
    const branches: SavedBranch[] = []
    for (let cell = first; cell !== NONE; cell = this.next[cell] as number) {
      branches.push({ process: this.process[cell] as ProcessId, next: this.#chain(this.#child[cell] as number) })
    }
    return branches
  }

  #release(cell: number): void {
    this.footprint[cell] = undefined
    this.next[cell] = this.#free
    this.#free = cell
  }

  /** The first branch below `parent`, or at the node where that is NONE. */
  firstBranch(node: number, parent: number): number {
    return (parent === NONE ? this.#first[node] : this.#child[parent]) as number
  }

  isLeaf(cell: number): boolean {
    return this.#child[cell] === NONE
  }

  /** Adds a step behind the other branches below `parent`, or at the node where that is NONE; its cell. */
  append(node: number, parent: number, process: ProcessId, footprint: Int32Array | undefined): number {
    const cell = this.#cell()
    this.process[cell] = process
    this.footprint[cell] = footprint
    this.#child[cell] = NONE
    this.next[cell] = NONE
    let last = this.firstBranch(node, parent)
    if (last === NONE) {
      if (parent === NONE) this.#first[node] = cell
      else this.#child[parent] = cell
      return cell
    }
    while (this.next[last] !== NONE) last = this.next[last] as number
    this.next[last] = cell
    return cell
  }

  #cell(): number {
    const cell = this.#free
    if (cell !== NONE) {
      this.#free = this.next[cell] as number
      return cell
    }
    this.process = grown(this.process, this.#cells + 1)
    this.next = grown(this.next, this.#cells + 1)
    this.#child = grown(this.#child, this.#cells + 1)
    return this.#cells++
  }
}
