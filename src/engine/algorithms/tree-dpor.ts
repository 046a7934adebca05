import { Array, Math } from '../intrinsics.ts'
import { ACQUIRE, footprintsConflict, UNTIL } from '../access.ts'
import type { Algorithm, EndedExecution } from './algorithm.ts'
import { RestoringTree, savedTree, type LeftOfTree, type RestorableTree } from '../resume/restoring-tree.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved, SavedTree } from '../resume/saved.ts'
import { Displacement, preemptionsBefore } from './displacement.ts'
import type { Ordinal } from '../ids.ts'
import type { Piece } from '../parts/tree-frontier.ts'
import { interleavingsWithin } from './preemptions.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'
import type { SiblingOrder } from './sibling-order.ts'
import { pathTo, TreeNode, type Branch, type Sleeper, type TreeStep } from './tree-node.ts'
import { usualProcess } from './usual-order.ts'
import { DeepestFirst, FewestFirst, type Waiting } from './waiting-branches.ts'
import { addRacesWith } from './woken.ts'

/** Preemptions above this are not told apart. */
const mostCounted = 30

export interface PreemptionRules {
  /** What is left for more preemptions is tried with less of what came before it. */
  readonly leavesOut: boolean
  /** What woken steps would have done has races. */
  readonly wokenRaces: boolean
}

export const allPreemptionRules: PreemptionRules = { leavesOut: true, wokenRaces: true }

export interface TreeOptions {
  /** Depth first, and of the branches of a node in this order. Default: what needs the fewest preemptions first. */
  readonly order?: SiblingOrder | undefined
  /** Branches that need more preemptions are left out. Default: none. */
  readonly bound?: number | undefined
  readonly rules?: PreemptionRules | undefined
}

/**
 * Source-DPOR over a tree, of which the branches can be taken in any order: those first that need the fewest preemptions, switches away
 * from a process that could go on and does so later, or depth first. With a bound, the branches that need more are left out. What this rests on
 * stands in the README of this folder.
 */
export class TreeDpor implements RestorableTree {
  readonly #trace: Trace
  readonly #bound: number
  readonly #rules: PreemptionRules
  /** By depth: the nodes of the current execution. */
  #path: TreeNode[] = [new TreeNode()]
  /** The node where the execution leaves what is known. */
  #start = 0
  /** What it leaves it with; of the first one nothing. */
  #branch: Branch | undefined
  /** What it then follows as far as it can, from the branch on. */
  #guide: Branch['guide'] = []
  readonly #waiting: Waiting
  readonly #countsPreemptions: boolean
  /** The preemptions that the branch of the current execution needs; undefined once it has ended. */
  #running: number | undefined = 0
  #isCut = false
  #isTruncated = false

  constructor(trace: Trace, { bound = Infinity, order, rules = allPreemptionRules }: TreeOptions = {}) {
    this.#trace = trace
    this.#bound = bound
    this.#waiting = order === undefined ? new FewestFirst() : new DeepestFirst(order)
    this.#countsPreemptions = order === undefined
    this.#rules = rules
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const { processes, steps } = this.#trace
    const depth = steps.count
    if (depth < this.#start) return processes.planned(this.#path[depth + 1]!.step!.process)
    const node = this.#path[depth]!
    if (depth === this.#start && this.#branch !== undefined) return processes.planned(this.#branch.process)
    this.open(enabled, count)
    const guided = this.#guide[depth - this.#start]
    if (guided !== undefined && node.enabled.includes(guided) && !node.isAsleep(guided)) return processes.ordinal(guided)
    this.#guide = []
    return this.usual(enabled, count)
  }

  /** The node that the execution has come to, where these could go on. */
  open(enabled: Column<Ordinal>, count: number): TreeNode {
    const { here } = this
    here.enabled = Array.from(enabled.subarray(0, count), (ordinal) => this.#trace.processes.id(ordinal as Ordinal))
    return here
  }

  /** Who goes on there if nothing calls for another one. */
  usual(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const { here } = this
    return usualProcess(this.#trace, enabled, count, (process) => here.isAsleep(this.#trace.processes.id(process)))
  }

  stepEnded(): void {
    const at = this.#trace.steps.count - 1
    if (at < this.#start) return
    const parent = this.#path[at]!
    const step = this.#treeStep(at)
    this.#path[at + 1] = new TreeNode({ parent, step })
    parent.sleepers.push(step)
  }

  ended(execution: EndedExecution): void {
    const { steps, races } = this.#trace
    if (execution.status === 'truncated') this.#isTruncated = true
    this.#path.length = steps.count + 1
    if (this.#rules.wokenRaces) this.#findWokenRaces()
    for (let race = 0; race < races.count; race++) {
      const second = races.step[race] as number
      if (second === NONE || second >= this.#start) this.#reverse(race)
    }
    this.#running = undefined
  }

  get more(): boolean {
    return this.#waiting.count > 0
  }

  advance(): number {
    return this.takeUp(this.#waiting.take(this.#path))
  }

  /** The next execution begins with that branch; how many steps it has in common with the last one. */
  takeUp(branch: Branch): number {
    const shared = this.begin(branch)
    this.#branch = branch
    this.#guide = branch.guide
    return shared
  }

  /** The next execution begins with that node; how many steps it has in common with the last one. */
  begin({ node, preemptions }: Pick<Branch, 'node' | 'preemptions'>): number {
    this.#branch = undefined
    this.#running = preemptions
    this.#guide = []
    return this.beginAt(node)
  }

  /** The next execution leaves at that node what is known; how many steps it has in common with the last one. */
  beginAt(node: TreeNode): number {
    const before = this.#path
    this.#path = pathTo(node)
    this.#start = node.depth
    let shared = 0
    while (shared < this.#start && this.#path[shared + 1] === before[shared + 1]) shared++
    return shared
  }

  /** The node after that one that the execution has come to. */
  nodeAfter(node: TreeNode): TreeNode {
    return this.#path[node.depth + 1]!
  }

  /** After `advance`. With pieces that are still to be explored. */
  save(pieces: readonly Piece[] = []): SavedTree {
    const next = this.#branch ?? { node: this.#path[this.#start]!, preemptions: this.#running ?? 0 }
    return savedTree({ next, waiting: this.#waiting.list(this.#path), pieces }, { state: this.#waiting.state, isCut: this.#isCut, isTruncated: this.#isTruncated })
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new RestoringTree(this.#trace, this, { saved: saved as SavedTree, checked })
  }

  get root(): TreeNode {
    return this.#path[0]!
  }

  /** The node that the execution has come to. */
  get here(): TreeNode {
    return this.#path[this.#trace.steps.count]!
  }

  /** The fewest preemptions of what waits; Infinity if nothing does. */
  get fewest(): number {
    return this.#waiting.fewest
  }

  goOn({ next, waiting }: LeftOfTree, { state, isCut, isTruncated }: SavedTree): number {
    for (const branch of waiting) this.#waiting.add(branch)
    this.#waiting.state = state
    this.#isCut = isCut
    this.#isTruncated = isTruncated
    return 'process' in next ? this.takeUp(next) : this.begin(next)
  }

  /** What begins with the current execution needs so many preemptions; 0 where they make no difference. Above the bound: more than that. */
  get preemptionsHere(): number {
    return this.#countsPreemptions ? preemptionsBefore(this.#trace.steps.count, { trace: this.#trace, path: this.#path, most: this.#most }) : 0
  }

  /** Whether what needs so many is explored; if not, it is left out. */
  takes(preemptions: number): boolean {
    if (preemptions > this.#bound) this.#isCut = true
    return preemptions <= this.#bound
  }

  get #most(): number {
    return Math.min(this.#bound, mostCounted)
  }

  get leftOut(): string | undefined {
    return this.#isCut ? `preemptionBound of ${this.#bound}` : undefined
  }

  get explored(): string | undefined {
    const most = this.exploredPreemptions
    return most < 0 ? undefined : interleavingsWithin(most)
  }

  /** So many preemptions have the classes of which each was explored at most; -1 if not even all of those without any were. */
  get exploredPreemptions(): number {
    return this.#isTruncated || !this.#countsPreemptions ? -1 : Math.min(this.#waiting.fewest - 1, (this.#running ?? Infinity) - 1, this.#bound)
  }

  #treeStep(at: number): TreeStep {
    const { ordered, processes, steps } = this.#trace
    return {
      process: processes.id(steps.process[at] as Ordinal),
      footprint: steps.footprint(at),
      fixed: steps.fixed[at] === 1,
      mayWait: this.#mayWait(at),
      after: Array.from({ length: ordered.count }, (_, i) => ordered.step(i)),
    }
  }

  /** Whether the process of the step that has just ended may have had to wait for others before it. */
  #mayWait(at: number): boolean {
    const { footprint, processes, steps } = this.#trace
    if (footprint.awaited.length > 0 || (steps.follows[at] as number) > 0 || steps.waited[at] === 1) return true
    for (let i = steps.start[at] as number; i < (steps.end[at] as number); i++) {
      const kind = steps.kind[i]
      if (kind === ACQUIRE || kind === UNTIL) return true
    }
    const couldGoOn = this.#path[(steps.origin[at] as number) + 1]!.enabled
    return !couldGoOn.includes(processes.id(steps.process[at] as Ordinal))
  }

  /** Adds the races of new steps with what woken processes would have done: each could have come before it. */
  #findWokenRaces(): void {
    for (let node = 0; node < this.#trace.steps.count; node++) {
      for (const sleeper of this.#path[node + 1]!.woken) this.#findRacesWith(sleeper, node)
    }
  }

  #findRacesWith({ process, footprint }: Sleeper, node: number): void {
    const { processes, steps } = this.#trace
    const woken = { node, process: processes.ordinal(process) }
    addRacesWith(this.#trace, woken, this.#start, (step) => footprintsConflict(steps.footprint(step), footprint))
  }

  /**
   * Makes sure that the race is explored the other way round, unless everything is taken where it branches off. Where that needs more preemptions than are explored now, some of them may be of
   * steps that only happen to come before: e' is also tried without them.
   */
  #reverse(race: number): void {
    if (this.#path[this.#trace.races.first[race] as number]!.isAbove) return
    const displacement = new Displacement(this.#trace, this.#path, race)
    if (this.#isInTime(displacement) || !this.#rules.leavesOut) return
    for (let step = displacement.at - 1; step >= 0 && !this.#path[step]!.isAbove; step--) {
      for (const keepsProgramOrder of [false, true]) {
        const other = new Displacement(this.#trace, this.#path, race, { step, keepsProgramOrder })
        if (other.isPossible) this.#isInTime(other)
      }
    }
  }

  /** Has the displacement wait to be explored, unless it is, or will be. Whether that is before there are more preemptions than now. */
  #isInTime(displacement: Displacement): boolean {
    const node = this.#path[displacement.at]!
    const { initials } = displacement
    if (initials.some((process) => node.isAsleep(process))) return true
    const preemptions = this.#countsPreemptions ? displacement.preemptions(this.#most) : 0
    this.#wait(node, displacement, preemptions)
    return preemptions <= (this.#running ?? 0)
  }

  #wait(node: TreeNode, displacement: Displacement, preemptions: number): void {
    const { guide, initials } = displacement
    const same = [...node.branches].find(({ process }) => initials.includes(process))
    if (same === undefined && !node.enabled.includes(guide[0]!)) return
    if (!this.takes(preemptions)) return
    if (same === undefined) {
      this.#waiting.add({ node, process: guide[0]!, guide, preemptions })
    } else if (preemptions < same.preemptions) {
      same.guide = [same.process, ...guide.toSpliced(guide.indexOf(same.process), 1)]
      this.#waiting.lower(same, preemptions)
    }
  }
}
