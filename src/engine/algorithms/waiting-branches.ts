import { EngineError } from '../errors.ts'
import type { Branch } from './tree-node.ts'

/** The branches of a tree that wait to be taken: those with the fewest preemptions first, of these the latest. */
export class WaitingBranches {
  /** By preemptions. */
  readonly #levels: Branch[][] = []
  count = 0

  add(branch: Branch): void {
    branch.node.branches.add(branch)
    this.#levelOf(branch).push(branch)
    this.count++
  }

  /** The branch waits on behalf of fewer preemptions. */
  lower(branch: Branch, preemptions: number): void {
    const level = this.#levelOf(branch)
    level.splice(level.indexOf(branch), 1)
    branch.preemptions = preemptions
    this.#levelOf(branch).push(branch)
  }

  /** Takes the first one out. */
  take(): Branch {
    const branch = this.#levels.find((level) => level.length > 0)?.pop()
    if (branch === undefined) throw new EngineError('no branch waits')
    branch.node.branches.delete(branch)
    this.count--
    return branch
  }

  /** The fewest preemptions of those that wait; Infinity if none does. */
  get fewest(): number {
    const fewest = this.#levels.findIndex((level) => level.length > 0)
    return fewest < 0 ? Infinity : fewest
  }

  #levelOf({ preemptions }: Branch): Branch[] {
    while (this.#levels.length <= preemptions) this.#levels.push([])
    return this.#levels[preemptions]!
  }
}
