import { footprintsConflict } from '../access.ts'
import type { ProcessId } from '../ids.ts'

/** A process that sleeps at a node, with the exact footprint that its next step has there. */
export interface Sleeper {
  readonly process: ProcessId
  readonly footprint: Int32Array
  /** Whether the step has that footprint in every state. */
  readonly fixed: boolean
}

/** The step that leads to a node from the one above. */
export interface TreeStep extends Sleeper {
  /** Whether its process may have had to wait for others before it. */
  readonly mayWait: boolean
  /** The steps that it directly comes after, by number, but for those that come before others of them. */
  readonly after: readonly number[]
}

/** A process that is still to be taken at a node. */
export interface Branch {
  readonly node: TreeNode
  readonly process: ProcessId
  /** The steps on whose behalf, of which its own is the first: what the execution follows as far as it can. */
  guide: readonly ProcessId[]
  /** So many preemptions at least has every execution that begins with those. */
  preemptions: number
}

/** A prefix of executions, in a tree of which each node is kept for as long as something below it waits. */
export class TreeNode {
  readonly parent: TreeNode | undefined
  readonly depth: number
  /** The step that leads here; the root has none. */
  readonly step: TreeStep | undefined
  /** Those that the step has woken and that may now do something else. */
  readonly woken: readonly Sleeper[]
  /** Who sleeps here: since above, and all that were taken here so far. */
  readonly sleepers: Sleeper[]
  /** Of those: how many sleep since above. */
  readonly inherited: number
  /** What waits to be taken here. */
  readonly branches = new Set<Branch>()
  /** Whether everything that does not sleep here is taken, whatever races there are. */
  isAbove = false
  /** The processes that could go on here. */
  enabled: readonly ProcessId[] = []

  constructor(above?: { readonly parent: TreeNode; readonly step: TreeStep }) {
    this.parent = above?.parent
    this.step = above?.step
    this.depth = above === undefined ? 0 : above.parent.depth + 1
    const others = above === undefined ? [] : above.parent.sleepers.filter(({ process }) => process !== above.step.process)
    const isWoken = ({ footprint }: Sleeper): boolean => footprintsConflict(footprint, above!.step.footprint)
    this.sleepers = others.filter((sleeper) => !isWoken(sleeper))
    this.inherited = this.sleepers.length
    this.woken = others.filter((sleeper) => !sleeper.fixed && isWoken(sleeper))
  }

  /** Who was taken here, in that order. */
  get taken(): ProcessId[] {
    return this.sleepers.slice(this.inherited).map(({ process }) => process)
  }

  /** As if nothing had been taken here. */
  forgetTaken(): void {
    this.sleepers.length = this.inherited
  }

  isAsleep(process: ProcessId): boolean {
    return this.sleepers.some((sleeper) => sleeper.process === process)
  }
}

/** The nodes from the root to this one, by depth. */
export function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = []
  for (let above: TreeNode | undefined = node; above !== undefined; above = above.parent) path[above.depth] = above
  return path
}
