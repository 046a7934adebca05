import { EngineError } from '../errors.ts'
import type { SiblingOrder } from './sibling-order.ts'
import type { Branch, TreeNode } from './tree-node.ts'

/** The branches of a tree that wait to be taken. */
export interface Waiting {
  readonly count: number
  /** The fewest preemptions of those that wait; Infinity if none does. */
  readonly fewest: number
  add(branch: Branch): void
  /** The branch waits on behalf of fewer preemptions. */
  lower(branch: Branch, preemptions: number): void
  /** Takes the first one out; `path` are the nodes of the last execution. */
  take(path: readonly TreeNode[]): Branch
  /** All of them, in an order in which to add them again. */
  list(path: readonly TreeNode[]): Branch[]
  /** What else the order depends on in which they are taken. */
  state: number
}

/** Those with the fewest preemptions, of these the latest. */
export class FewestFirst implements Waiting {
  /** By preemptions. */
  readonly #levels: Branch[][] = []
  state = 0
  count = 0

  add(branch: Branch): void {
    branch.node.branches.add(branch)
    this.#levelOf(branch).push(branch)
    this.count++
  }

  lower(branch: Branch, preemptions: number): void {
    const level = this.#levelOf(branch)
    level.splice(level.indexOf(branch), 1)
    branch.preemptions = preemptions
    this.#levelOf(branch).push(branch)
  }

  take(): Branch {
    const branch = this.#levels.find((level) => level.length > 0)?.pop()
    if (branch === undefined) throw new EngineError('no branch waits')
    branch.node.branches.delete(branch)
    this.count--
    return branch
  }

  list(): Branch[] {
    return this.#levels.flat()
  }

  get fewest(): number {
    const fewest = this.#levels.findIndex((level) => level.length > 0)
    return fewest < 0 ? Infinity : fewest
  }

  #levelOf({ preemptions }: Branch): Branch[] {
    while (this.#levels.length <= preemptions) this.#levels.push([])
    return this.#levels[preemptions]!
  }
}

/** Those of the deepest node, in an order of their own. Whatever waits is on the path of the last execution, so that is all that is kept. */
export class DeepestFirst implements Waiting {
  readonly fewest = 0
  readonly #order: SiblingOrder
  count = 0

  constructor(order: SiblingOrder) {
    this.#order = order
  }

  add(branch: Branch): void {
    branch.node.branches.add(branch)
    this.count++
  }

  lower(): void {}

  list(path: readonly TreeNode[]): Branch[] {
    return path.flatMap(({ branches }) => [...branches])
  }

  get state(): number {
    return this.#order.state
  }

  set state(state: number) {
    this.#order.state = state
  }

  take(path: readonly TreeNode[]): Branch {
    const branches = [...(path.findLast(({ branches: { size } }) => size > 0)?.branches ?? [])]
    const branch = branches[branches.length === 1 ? 0 : this.#order.pick(branches.map(({ process }) => process))]
    if (branch === undefined) throw new EngineError('no branch waits')
    branch.node.branches.delete(branch)
    this.count--
    return branch
  }
}
