import { Array } from '../intrinsics.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { SavedBranch, SavedRace, SavedStack } from './saved.ts'
import type { SearchStack } from '../algorithms/search-stack.ts'
import type { SleepSets } from '../algorithms/sleep.ts'
import type { Trace } from '../trace/trace.ts'

/** Of what a search stack consists. */
export interface StackParts<Process extends number> {
  readonly stack: SearchStack<Process>
  /** None where nobody sleeps. */
  readonly sleep?: SleepSets
  readonly left: (node: number) => SavedBranch[]
  readonly deferred?: (node: number) => SavedRace[]
  /** What follows the branch. */
  readonly following?: readonly SavedBranch[]
  /** The branch as it is written down. */
  readonly idOf: (process: Process) => ProcessId
}

const nothing = { done: [], left: [], deferred: [] }

/** A search stack that the next execution leaves at some node. */
export function savedStack<Process extends number>({ processes, steps }: Trace, { deferred = () => [], following = [], idOf, left, sleep, stack }: StackParts<Process>): SavedStack {
  const id = (ordinal: Ordinal): ProcessId => processes.id(ordinal)
  return {
    steps: Array.from({ length: stack.node }, (_, step) => id(steps.process[step] as Ordinal)),
    nodes: Array.from({ length: stack.node + 1 }, (_, node) => (node < stack.root ? nothing : { done: sleep?.doneAt(node).map(id) ?? [], left: left(node), deferred: deferred(node) })),
    branch: { process: idOf(stack.branch as Process), next: following },
  }
}
