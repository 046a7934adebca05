import type { Algorithm, EndedExecution } from './algorithm.ts'
import { Continuation, INDEPENDENT, INITIAL, UNKNOWN } from './continuation.ts'
import { DeferredContinuation, type DeferredStep } from './deferred.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { KnownFootprints, type Identity } from './known-footprints.ts'
import { NONE } from '../trace/processes.ts'
import { startOf, type Root } from './root.ts'
import type { SleepSets } from './sleep.ts'
import { Restoring, type Checked, type FoundAgain, type Resumable } from '../resume/restoring.ts'
import type { Saved, SavedBranch, SavedStack } from '../resume/saved.ts'
import { savedStack } from '../resume/saved-stack.ts'
import { SearchStack } from './search-stack.ts'
import { dependentStepsAreOrdered } from '../trace/trace-check.ts'
import type { Trace } from '../trace/trace.ts'
import { usualProcess } from './usual-order.ts'
import { assertValid, validity } from '../validity.ts'
import { WakeupTrees } from './wakeup-trees.ts'

/** What footprints that depend on the state call for; tests switch one off to see the oracle object. */
export interface OptimalRules {
  /** Footprints that are known from earlier in the exploration are used. */
  readonly knownFootprints: boolean
  /** A race whose reversal has a step of unknown footprint is judged once nothing else is left at its node. */
  readonly deferral: boolean
  /** A deferred race goes on below a step that its reversal can begin with. */
  readonly passingOn: boolean
  /** Races of earlier executions are looked at again when other steps follow them. */
  readonly oldRaces: boolean
  /** What a step finds at a location are all its last changes that commute, not the very last. */
  readonly allLastChanges: boolean
  /** What a compare-and-swap does before a change that commutes with others is not taken to be what it does after it. */
  readonly kindBefore: boolean
}

export const allOptimalRules: OptimalRules = {
  knownFootprints: true,
  deferral: true,
  passingOn: true,
  oldRaces: true,
  allLastChanges: true,
  kindBefore: true,
}

const oneGivenUp =
  'an execution was given up as redundant, which happens only where one thing has two names: an object that is reached in two ways, ' +
  'one of them through code that is not instrumented'

/** Of a race: need not be looked at again, whatever follows e', */
const SETTLED = 1
/** or only where nothing of v follows e'. */
const SETTLED_ALONE = 2

/**
 * Optimal-DPOR (Abdulla et al., JACM 2017, Algorithm 2, with the blocking of Algorithms 4 and 6), for steps with many
 * accesses, which ones depending on the state. Line numbers are those of Algorithm 2.
 */
export class OptimalDpor implements Resumable {
  readonly #trace: Trace
  readonly #rules: OptimalRules
  readonly #sleep: SleepSets
  readonly #trees = new WakeupTrees()
  readonly #known: KnownFootprints
  readonly #v: Continuation
  readonly #stack: SearchStack<ProcessId>
  doubt: string | undefined
  #isResumed = false
  /** By node: races that could not be judged yet. */
  readonly #deferred: DeferredContinuation[][] = []

  constructor(trace: Trace, rules: OptimalRules = allOptimalRules, root: Root = startOf(trace, { noticesWoken: false })) {
    this.#trace = trace
    this.#rules = rules
    this.#sleep = root.sleep
    this.#stack = new SearchStack(trace, root.node, (node) => this.#take(node))
    this.#known = new KnownFootprints(trace, { remembers: rules.knownFootprints, byLastChange: !rules.allLastChanges })
    this.#v = new Continuation(trace, this.#known, { assumesKinds: !rules.kindBefore })
  }

  /** Lines 8 to 13: along the wakeup tree if there is one, else in the usual order. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const node = this.#trace.steps.count
    const { processes } = this.#trace
    const branch = this.#stack.takeBranch()
    if (branch !== NONE) return processes.planned(branch)
    this.#trees.open(node)
    const guided = this.#trees.take(node)
    this.#sleep.mark(node)
    if (guided === NONE) return usualProcess(this.#trace, enabled, count, this.#isAsleep)
    const process = processes.planned(guided)
    if (validity.checked) assertAwake(this.#sleep, process)
    return process
  }

  readonly #isAsleep = (process: Ordinal): boolean => this.#sleep.isMarked(process)

  /** Line 16. */
  stepEnded(): void {
    this.#sleep.passOn(this.#trace.steps.count - 1)
    this.#known.stepEnded()
    this.#passDeferredOn()
  }

  /** Lines 2 to 7. */
  ended(execution: EndedExecution): void {
    if (execution.status === 'blocked' && this.#stack.root === 0 && !this.#mayBlock) this.doubt ??= oneGivenUp
    assertValid(() => dependentStepsAreOrdered(this.#trace), 'dependent steps are ordered, and only forwards')
    const { races } = this.#trace
    for (let race = this.#rules.oldRaces ? 0 : races.fresh; race < races.count; race++) {
      const node = races.first[race] as number
      if (races.settled[race] === SETTLED || node < this.#stack.root) continue
      if (races.settled[race] === SETTLED_ALONE && !this.#hasLaterSteps(race)) continue
      this.#v.begin(race)
      const isCovered = this.#isCoveredAsleep(node) || this.#isCoveredByTree(node)
      const isSettled = this.#v.isLasting && (isCovered || (this.#v.isCertain && this.#v.lastIsSettled))
      if (isSettled) races.settled[race] = SETTLED
      else if (!this.#hasLaterSteps(race)) races.settled[race] = SETTLED_ALONE
    }
    this.#stack.leave()
  }

  /** Virtual time, and a memory that is full or lost, are known to cost executions. */
  get #mayBlock(): boolean {
    return this.#trace.hasBarriers || this.#known.hasForgotten || this.#isResumed
  }

  /** Whether v has steps that come after e' in E. */
  #hasLaterSteps(race: number): boolean {
    const { races, steps } = this.#trace
    const first = races.first[race] as number
    const second = races.step[race] as number
    if (second === NONE) return true
    for (let step = second + 1; step < steps.count; step++) {
      if (!this.#trace.happensBefore(first, step)) return true
    }
    return false
  }

  get more(): boolean {
    return this.#stack.hasBranch
  }

  advance(): number {
    return this.#stack.node
  }

  save(): SavedStack {
    return savedStack(this.#trace, {
      stack: this.#stack,
      sleep: this.#sleep,
      left: (node) => this.#trees.branchesAt(node),
      deferred: (node) => (this.#deferred[node] ?? []).map((race) => race.save()),
      following: this.#trees.following,
      idOf: (process) => process,
    })
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new Restoring(this.#trace, this, { stack: saved as SavedStack, checked })
  }

  identity(step: number): Identity {
    return this.#known.identity(step)
  }

  open(node: number): void {
    this.#trees.open(node)
  }

  done(node: number): void {
    this.#sleep.add(node)
  }

  goOn({ branch, nodes, steps }: SavedStack, { branches, races }: FoundAgain): void {
    this.#isResumed = true
    const append = (node: number, parent: number, left: readonly SavedBranch[]): void => {
      for (const one of left) append(node, this.#trees.append(node, parent, one.process, branches.get(one)?.footprint), one.next)
    }
    append(steps.length, NONE, [branch])
    this.#stack.leaveAt(steps.length, this.#trees.take(steps.length) as ProcessId)
    nodes.forEach(({ left, deferred }, node) => {
      append(node, NONE, left)
      this.#deferred[node] = deferred.map((race) => {
        const found = races.get(race) as readonly DeferredStep[]
        const last = race.last === undefined ? undefined : found.at(-1)
        return new DeferredContinuation(last === undefined ? found : found.slice(0, -1), last && { process: last.process, footprint: last.footprint, start: undefined })
      })
    })
  }

  /** Lines 12, 13 and 19, 20: a branch that is left at the node; what was explored there sleeps. */
  #take(node: number): ProcessId | typeof NONE {
    this.#sleep.add(node)
    const branch = this.#trees.take(node)
    return branch === NONE && this.#revive(node) ? this.#trees.take(node) : branch
  }

  /** Nothing else is left at the node: takes up a deferred race that what was explored in the meantime does not cover. */
  #revive(node: number): boolean {
    const deferred = this.#deferred[node]
    if (deferred === undefined) return false
    for (let race = deferred.shift(); race !== undefined; race = deferred.shift()) {
      if (this.#someoneAsleepCovers(node, race)) continue
      let parent: number = NONE
      for (const { process, footprint } of race.sequence(this.#known, node)) {
        parent = this.#trees.append(node, parent, process, footprint)
      }
      return true
    }
    return false
  }

  #someoneAsleepCovers(node: number, race: DeferredContinuation): boolean {
    const sleep = this.#sleep
    const end = sleep.end[node] as number
    const sequence = race.sequence(this.#known, node)
    for (let i = sleep.start[node] as number; i < end; i++) {
      const process = this.#trace.processes.id(sleep.process[i] as Ordinal)
      if (this.#isFromAbove(i) && !race.has(process)) continue
      if (race.canBeginWith(process, sleep.footprint(i), sequence)) return true
    }
    return false
  }

  /** Deferred races of the node of the last step that can begin with that step go on below it. */
  #passDeferredOn(): void {
    const { steps, processes } = this.#trace
    const node = steps.count - 1
    const deferred = this.#deferred[node]
    if (deferred === undefined || deferred.length === 0 || !this.#rules.passingOn) {
      if (this.#deferred[node + 1] !== undefined) this.#deferred[node + 1] = []
      return
    }
    const process = processes.id(steps.process[node] as Ordinal)
    const footprint = steps.footprint(node)
    const passed: DeferredContinuation[] = []
    this.#deferred[node] = deferred.filter((race) => {
      const rest = race.after(process, footprint, this.#known, node)
      if (rest !== undefined && !rest.isEmpty) passed.push(rest)
      return rest === undefined
    })
    this.#deferred[node + 1] = passed
  }

  /** Line 6: whether a process asleep at the node is a weak initial of v. */
  #isCoveredAsleep(node: number): boolean {
    const sleep = this.#sleep
    const end = sleep.end[node] as number
    for (let i = sleep.start[node] as number; i < end; i++) {
      const relation = this.#v.relation(sleep.process[i] as Ordinal, sleep.footprint(i))
      if (relation === INITIAL || (relation === INDEPENDENT && !this.#isFromAbove(i))) return true
      if (relation !== INDEPENDENT) this.#v.need(relation)
    }
    return false
  }

  /**
   * Whether sleep entry `i` is from above the root. No wakeup tree is made there, so what it did not do before v is not
   * explored: it covers v only where it is part of v.
   */
  #isFromAbove(i: number): boolean {
    return (this.#sleep.since[i] as number) < this.#stack.root
  }

  /** Line 7, and Definition 6.1: along branches that v could begin with, to a leaf, or to a new branch with what is left of v. */
  #isCoveredByTree(node: number): boolean {
    const v = this.#v
    let parent: number = NONE
    for (;;) {
      const branch = this.#fittingBranch(this.#trees.firstBranch(node, parent))
      if (branch === NONE) break
      if (this.#trees.isLeaf(branch) || v.isEmpty) return true
      parent = branch
    }
    if (!v.isCertain && this.#rules.deferral) {
      this.#defer(node)
      return false
    }
    v.forEachNeeded((process, footprint) => {
      parent = this.#trees.append(node, parent, this.#trace.processes.id(process), footprint)
    })
    return false
  }

  #defer(node: number): void {
    const deferred = (this.#deferred[node] ??= [])
    const race = this.#v.defer()
    if (!deferred.some((other) => other.equals(race))) deferred.push(race)
  }

  /** The first of the branches, chained from `first`, that what is left of v could begin with; v then goes on after it. */
  #fittingBranch(first: number): number {
    const v = this.#v
    const { processes } = this.#trace
    for (let branch = first; branch !== NONE; branch = this.#trees.next[branch] as number) {
      const process = this.#trees.process[branch] as ProcessId
      const ordinal = processes.exists(process) ? processes.ordinal(process) : NONE
      const relation = v.relation(ordinal, this.#trees.footprint[branch])
      if (relation === INITIAL) v.takeInitial()
      if (relation === INITIAL || relation === INDEPENDENT) return branch
      if (relation === UNKNOWN) v.isCertain = false
      else v.need(relation)
    }
    return NONE
  }
}

function assertAwake(sleep: SleepSets, process: Ordinal): void {
  assertValid(() => !sleep.isMarked(process), 'a wakeup tree leads to processes that are awake')
}
