import type { ProcessId } from '../ids.ts'
import type { PortableFailure } from '../parts/parallel-messages.ts'

/** A step that is still to be taken, and what is to follow it. */
export interface SavedBranch {
  readonly process: ProcessId
  readonly next: readonly SavedBranch[]
}

/** Steps of which it is not known whether they lead to something new; `last` is the process of a further one. */
export interface SavedRace {
  readonly steps: readonly ProcessId[]
  readonly last: ProcessId | undefined
}

/** A node of a search stack. */
export interface SavedNode {
  /** What was explored from it, in that order: who sleeps there since. */
  readonly done: readonly ProcessId[]
  readonly left: readonly SavedBranch[]
  readonly deferred: readonly SavedRace[]
}

/** A search stack between two executions, by processes alone: footprints are found again by running what led to them. */
export interface SavedStack {
  /** What leads to the node where the next execution leaves the last one. */
  readonly steps: readonly ProcessId[]
  /** From the root to that node. */
  readonly nodes: readonly SavedNode[]
  /** What the next execution goes on with there. */
  readonly branch: SavedBranch
}

interface SavedTreeNode {
  readonly node: number
  readonly preemptions: number
}

interface SavedTreeBranch extends SavedTreeNode {
  readonly process: ProcessId
  readonly guide: readonly ProcessId[]
}

/** A tree of executions, of which the nodes are there above which something waits. By processes alone, too. */
export interface SavedTree {
  /** Parents before their children; the root has -1 for its parent and its step. */
  readonly nodes: readonly {
    readonly parent: number
    /** The process of the step that leads to it. */
    readonly process: ProcessId
    /** What was taken from it, in that order. */
    readonly taken: readonly ProcessId[]
    readonly isAbove: boolean
  }[]
  /** What the next execution begins with. */
  readonly next: SavedTreeBranch | SavedTreeNode
  readonly waiting: readonly SavedTreeBranch[]
  /** Of a part: what is still to be explored of it. */
  readonly pieces: readonly (SavedTreeNode & { readonly number: number })[]
  /** What else their order depends on. */
  readonly state: number
  readonly isCut: boolean
  readonly isTruncated: boolean
}

/** Executions still to be explored by `'pop'` and `'trust'`, on a stack of numbers, of which processes are all that comes from the program. */
export interface SavedCells {
  readonly cells: readonly number[]
  /** What else is to be known of them: where they begin, and what was left out. */
  readonly about: readonly number[]
}

/** Where a part has come to that is divided into pieces, one explored after the other. */
export interface SavedPieces {
  /** The number of the next one, or of the one that is being explored. */
  readonly piece: number
  /** What is left of it; undefined before it is begun. */
  readonly inside: Saved | undefined
}

/** What is left to explore. */
export type Saved = SavedStack | SavedTree | SavedCells | SavedPieces

/** What a search has counted and found. */
export interface SavedTally {
  readonly executions: number
  readonly blocked: number
  readonly steps: number
  readonly failures: readonly PortableFailure[]
  /** Of the passes before. */
  readonly earlier: readonly PortableFailure[]
}

/** A search between two executions. Plain data. */
export interface SavedSearch {
  /** All processes in the order of their ids, each by its parent, -1 for a root. */
  readonly parents: readonly number[]
  /** A schedule for each pass before this one: it shows what was observed. */
  readonly passes: readonly string[]
  /** Undefined where the pass has not begun. */
  readonly left: Saved | undefined
  /** A hash of what so many steps do that the last execution and the next one have in common. */
  readonly check: { readonly steps: number; readonly hash: number }
  readonly isTruncated: boolean
  readonly tally: SavedTally
}
