import type { Algorithm, EndedExecution } from './algorithm.ts'
import { BacktrackSets } from './backtrack.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { EngineError } from '../errors.ts'
import { NONE } from '../trace/processes.ts'
import { Reversal } from './reversal.ts'
import { startOf, type Root } from './root.ts'
import type { SleepSets } from './sleep.ts'
import { Restoring, type Checked, type Resumable } from '../resume/restoring.ts'
import type { Saved, SavedBranch, SavedStack } from '../resume/saved.ts'
import { savedStack } from '../resume/saved-stack.ts'
import { SearchStack } from './search-stack.ts'
import { dependentStepsAreOrdered } from '../trace/trace-check.ts'
import type { Trace } from '../trace/trace.ts'
import { usualProcess } from './usual-order.ts'
import { assertValid } from '../validity.ts'
import type { WokenSteps } from './woken.ts'

/** The rules that footprints which depend on the state call for; tests switch one off to see the oracle object. */
export interface SourceRules {
  /** A process that does not occur in v never covers it. */
  readonly strictInitials: boolean
  /** Executions that were given up have races too. */
  readonly blockedRaces: boolean
  /** What a process asleep would have done before it was woken has races too. */
  readonly wokenRaces: boolean
}

export const allRules: SourceRules = {
  strictInitials: true,
  blockedRaces: true,
  wokenRaces: true,
}

/**
 * Source-DPOR (Abdulla et al., JACM 2017, Algorithm 1, with the locks of Algorithm 3), for steps with many accesses,
 * which ones depending on the state. Line numbers are those of Algorithm 1. What differs from it, and why, stands in
 * the README of this folder.
 *
 * Node n of the search stack is the prefix of n steps of the current execution.
 */
export class SourceDpor implements Resumable {
  readonly #trace: Trace
  readonly #rules: SourceRules
  readonly #reversal: Reversal
  readonly #woken: WokenSteps
  readonly #sleep: SleepSets
  readonly #backtrack = new BacktrackSets()
  readonly #stack: SearchStack<Ordinal>

  constructor(trace: Trace, rules: SourceRules = allRules, root: Root = startOf(trace, { noticesWoken: true })) {
    this.#trace = trace
    this.#rules = rules
    this.#reversal = new Reversal(trace)
    this.#woken = root.woken
    this.#sleep = root.sleep
    this.#stack = new SearchStack(trace, root.node, (node) => this.#take(node))
  }

  /** Lines 2, 3: some process that is not asleep, here the one that ran last if possible. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const node = this.#trace.steps.count
    const branch = this.#stack.takeBranch()
    if (branch !== NONE) return branch
    this.#backtrack.open(node)
    this.#sleep.mark(node)
    return usualProcess(this.#trace, enabled, count, this.#isMarked)
  }

  /** Line 10: what sleeps on after the step. */
  stepEnded(): void {
    this.#sleep.passOn(this.#trace.steps.count - 1)
  }

  /** Lines 5 to 9 for all races of the execution that no earlier one had. */
  ended(execution: EndedExecution): void {
    if (execution.status === 'blocked' && !this.#rules.blockedRaces) return
    assertValid(() => dependentStepsAreOrdered(this.#trace), 'dependent steps are ordered, and only forwards')
    if (this.#rules.wokenRaces) this.#woken.findRaces()
    const { races } = this.#trace
    for (let i = races.fresh; i < races.count; i++) {
      if ((races.first[i] as number) >= this.#stack.root) this.#reverse(i)
    }
  }

  get more(): boolean {
    return this.#stack.hasBranch || this.#backtrack.total > 0
  }

  /** Lines 4 and 12: on with the deepest node that has something left. */
  advance(): number {
    this.#stack.leave()
    return this.#stack.node
  }

  save(): SavedStack {
    const { processes } = this.#trace
    const left = (node: number): SavedBranch[] => this.#backtrack.list(node).map((process) => ({ process: processes.id(process), next: [] }))
    return savedStack(this.#trace, { stack: this.#stack, sleep: this.#sleep, left, idOf: (process) => processes.id(process) })
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new Restoring(this.#trace, this, { stack: saved as SavedStack, checked })
  }

  identity(): undefined {}

  open(node: number): void {
    this.#backtrack.open(node)
  }

  done(node: number): void {
    this.#sleep.add(node)
    this.#woken.truncate(node)
  }

  goOn({ branch, nodes, steps }: SavedStack): void {
    const { processes } = this.#trace
    nodes.forEach(({ left }, node) => {
      for (const { process } of left.toReversed()) this.#backtrack.add(node, processes.ordinal(process))
    })
    this.#stack.leaveAt(steps.length, processes.ordinal(branch.process))
  }

  /** Lines 4 and 12: something left at the node; what was explored there sleeps. */
  #take(node: number): Ordinal | typeof NONE {
    const process = this.#backtrack.take(node)
    if (process !== NONE) this.done(node)
    return process
  }

  /**
   * Makes sure that the race is, or will be, explored the other way round. Of the initials the youngest is added: the
   * usual order runs it late, so it is the likeliest to be awake where it matters (on random programs that halves the
   * blocked executions).
   */
  #reverse(race: number): void {
    const node = this.#trace.races.first[race] as number
    if (this.#isCovered(race, node)) return
    const { youngest } = this.#reversal
    if (youngest === NONE) throw new EngineError('a reversed race has no initial')
    assertValid(() => !this.#sleep.isMarked(youngest), 'what is added was neither asleep nor added before')
    this.#backtrack.add(node, youngest)
  }

  /** Line 8: does what was, is or will be explored from the node include this reversal? */
  #isCovered(race: number, node: number): boolean {
    const sleep = this.#sleep
    sleep.mark(node)
    this.#backtrack.mark(node, sleep)
    if (this.#reversal.someInitial(race, this.#isMarked)) return true
    if (this.#rules.strictInitials) return false
    const end = sleep.end[node] as number
    for (let i = sleep.start[node] as number; i < end; i++) {
      if (this.#coversAsleep(race, i)) return true
    }
    return false
  }

  readonly #isMarked = (process: Ordinal): boolean => this.#sleep.isMarked(process)

  /** Whether sleep entry `i` is a weak initial: independent of all of v. */
  #coversAsleep(race: number, i: number): boolean {
    const { races, steps } = this.#trace
    const sleep = this.#sleep
    const process = sleep.process[i] as Ordinal
    if (this.#reversal.occurs(process) || process === races.process[race]) return false
    const start = sleep.accessStart[i] as number
    const end = sleep.accessEnd[i] as number
    const cause = races.cause[race] as number
    return this.#reversal.isIndependent(race, start, end) && !(cause !== NONE && steps.depends(cause, start, end))
  }
}
