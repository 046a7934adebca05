import { Math } from '../intrinsics.ts'
import { READ, WRITE, conflicts } from '../access.ts'
import type { Algorithm } from './algorithm.ts'
import { column, grown, type Column } from '../trace/columns.ts'
import { OptionError } from '../errors.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import { NONE } from '../trace/processes.ts'
import type { Beginner } from '../parts/divided-beginnings.ts'
import { RestoringCells, type RestorableCells } from '../resume/restoring-cells.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved, SavedCells } from '../resume/saved.ts'
import { HEAD, INSIDE, Revisits, USUAL } from './revisits.ts'
import { dependentStepsAreOrdered } from '../trace/trace-check.ts'
import type { Trace } from '../trace/trace.ts'
import { nobodySleeps, usualProcess } from './usual-order.ts'
import { assertValid } from '../validity.ts'

/** What tests switch off to see the oracle object. */
export interface PopRules {
  /** Schedules that displace the same step, and whose heads commute, come in one order only. */
  readonly inOrder: boolean
  /** What a compare-and-swap does before e is found out from the value there. */
  readonly kindBefore: boolean
  /** Of the races of a blocking read only the one with the nearest write counts. */
  readonly nearest: boolean
  /** A compare-and-swap is refused where what it does before a change that commutes with others matters. */
  readonly refusal: boolean
}

export const allPopRules: PopRules = { inOrder: true, kindBefore: true, nearest: true, refusal: true }

/** How an execution begins that is still to be explored; by step. */
export interface Beginning {
  readonly process: Column<ProcessId>
  /** USUAL, INSIDE or HEAD. */
  readonly mark: Int32Array
  /** Of a HEAD: the process whose step it displaced. */
  readonly displaced: Column<ProcessId>
}

/**
 * Parsimonious-optimal DPOR (Abdulla, Atig, Das, Jonsson and Sagonas, CAV 2024, Algorithm 1), for steps with one access
 * each. In place of its sleep sets (Algorithm 2) schedules that displace the same event come in one order only; the
 * README of this folder says why that is enough.
 *
 * The races of an execution are collected at its end instead of after each event, which visits the same tree.
 */
export class Pop implements Beginner<Beginning>, RestorableCells {
  readonly #trace: Trace
  readonly #rules: PopRules
  /** Schedules still to be explored. */
  readonly #revisits = new Revisits()
  /** By step: USUAL, INSIDE or HEAD. */
  #mark = new Int32Array(64)
  /** By step, of a HEAD: the process whose step it displaced. */
  #displaced = column<ProcessId>(64)
  /** The processes that the execution begins with. */
  #plan = column<ProcessId>(64)
  #planned = 0
  /** Clock of what has to come before e', without e. */
  #past = new Int32Array(8)

  constructor(trace: Trace, rules: PopRules = allPopRules) {
    this.#trace = trace
    this.#rules = rules
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const node = this.#trace.steps.count
    const { processes } = this.#trace
    if (node < this.#planned) return processes.planned(this.#plan[node] as ProcessId)
    this.#reserve(node + 1)
    this.#mark[node] = USUAL
    if (node > 0 && this.#mark[node - 1] === HEAD) {
      const displaced = processes.ordinal(this.#displaced[node - 1] as ProcessId)
      for (let i = 0; i < count; i++) if (enabled[i] === displaced) return displaced
    }
    return usualProcess(this.#trace, enabled, count, nobodySleeps)
  }

  stepEnded(): void {
    const { steps, footprint } = this.#trace
    const step = steps.count - 1
    if (footprint.awaited.length > 0 && steps.fixed[step] === 0) refuse('it does not take a loop that waits for a compare-and-swap')
    const isKnown = steps.fixed[step] === 1 || this.#trace.writesBefore(step) !== undefined
    if (isKnown && footprint.length <= 1) return
    refuse('it is for steps with one access, and not for those with several (atomic, async code)')
  }

  /** Lines 5 to 13: what the new races of the execution lead to. */
  ended(): void {
    assertValid(() => dependentStepsAreOrdered(this.#trace), 'dependent steps are ordered, and only forwards')
    assertValid(() => this.#headsPrecedeWhatTheyDisplaced(), 'the head of a schedule happens before the step that it displaced')
    const { steps, races } = this.#trace
    this.#revisits.open(steps.count, (step) => this.#trace.processes.id(steps.process[step] as Ordinal), this.#mark, this.#displaced)
    for (let race = races.fresh; race < races.count; race++) {
      if (this.#isParsimonious(race) && (!this.#rules.inOrder || this.#isInOrder(race))) this.#revisit(race)
    }
    this.#revisits.close()
  }

  get more(): boolean {
    return this.waiting > 0
  }

  /** Executions still to be explored that are known of. */
  get waiting(): number {
    return this.#revisits.waiting
  }

  advance(): number {
    this.#take()
    return this.#commonPrefix()
  }

  /** Takes out all schedules still to be explored, each as how an execution begins. */
  takeAll(): Beginning[] {
    const beginnings: Beginning[] = []
    while (this.more) {
      this.#take()
      const end = this.#planned
      beginnings.push({ process: this.#plan.slice(0, end) as Column<ProcessId>, mark: this.#mark.slice(0, end), displaced: this.#displaced.slice(0, end) as Column<ProcessId> })
    }
    return beginnings
  }

  /** Prepares an execution with this beginning; how many of the steps of the last one it begins with. */
  begin({ process, mark, displaced }: Beginning): number {
    this.#planSteps(process.length)
    this.#plan.set(process)
    this.#mark.set(mark)
    this.#displaced.set(displaced)
    return this.#commonPrefix()
  }

  save(): SavedCells {
    return this.#revisits.save()
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new RestoringCells(this.#trace, this, { saved: saved as SavedCells, checked })
  }

  goOn(saved: SavedCells): void {
    this.#revisits.restore(saved)
    this.#take()
  }

  #take(): void {
    this.#planSteps(this.#revisits.take())
    this.#revisits.copyTo(this.#plan, this.#mark, this.#displaced)
  }

  #planSteps(steps: number): void {
    this.#planned = steps
    this.#reserve(steps)
    this.#plan = grown(this.#plan, steps)
  }

  #headsPrecedeWhatTheyDisplaced(): boolean {
    const { steps, processes } = this.#trace
    for (let step = 1; step < steps.count; step++) {
      if (this.#mark[step] !== USUAL) continue
      const process = processes.id(steps.process[step] as Ordinal)
      for (let head = step - 1; head >= 0 && this.#mark[head] !== USUAL; head--) {
        if (this.#mark[head] !== HEAD || this.#displaced[head] !== process) continue
        if (!this.#trace.happensBefore(head, step)) return false
      }
    }
    return true
  }

  /** Definition 7: e is in no schedule, and e' is fresh. */
  #isParsimonious(race: number): boolean {
    const { races } = this.#trace
    const first = races.first[race] as number
    if (this.#mark[first] !== USUAL) return false
    const step = races.step[race] as number
    if (step !== NONE && step < this.#planned - 1) return false
    if (this.#rules.nearest && !this.#isNearest(race)) return false
    const end = this.#endOf(race)
    for (let i = first + 1; i < end; i++) {
      if (this.#mark[i] === HEAD && !this.#trace.isBefore(i, races.cause[race] as number)) return false
    }
    return true
  }

  /** Where e' stands, or would. */
  #endOf(race: number): number {
    const step = this.#trace.races.step[race] as number
    return step === NONE ? this.#trace.steps.count : step
  }

  /** Of the races of a blocking read only the one with the last write comes first; the others show once that is reversed. */
  #isNearest(race: number): boolean {
    const { races } = this.#trace
    if (race === 0 || races.blocking[race] === NONE) return true
    const before = race - 1
    return !(
      races.blocking[before] === races.blocking[race] &&
      races.process[before] === races.process[race] &&
      races.step[before] === races.step[race]
    )
  }

  /**
   * Whether schedules that displace the same event, and whose heads commute, come in the order of their processes: the
   * one order in which they are explored.
   */
  #isInOrder(race: number): boolean {
    const { races, steps, processes } = this.#trace
    const first = races.first[race] as number
    const displaced = processes.id(steps.process[first] as Ordinal)
    let head = first - 1
    if (head < 0 || this.#mark[head] !== HEAD || this.#displaced[head] !== displaced) return true
    const process = processes.id(races.process[race] as Ordinal)
    this.#findPast(race)
    while (head >= 0 && this.#mark[head] === HEAD && this.#displaced[head] === displaced) {
      const other = steps.process[head] as Ordinal
      if ((this.#past[other] as number) >= (steps.index[head] as number)) return true
      if (processes.compare(process, processes.id(other)) < 0) return false
      head--
      while (head >= 0 && this.#mark[head] === INSIDE) head--
    }
    return true
  }

  /** What e' does to its location when it comes before e. */
  #kindBefore(race: number): number {
    const { races, steps } = this.#trace
    if (this.#rules.kindBefore || races.blocking[race] !== NONE) return this.#trace.kindBefore(race)
    return steps.kind[steps.start[races.step[race] as number] as number] as number
  }

  /** What happens before e' when it comes before e, as far as it was taken after the last step in the usual order before e. */
  #findPast(race: number): void {
    const { races, steps, processes } = this.#trace
    this.#past = grown(this.#past, processes.count)
    this.#past.fill(0)
    const cause = races.cause[race] as number
    const step = races.step[race] as number
    const first = races.first[race] as number
    this.#follow(races.origin[race] as number)
    const end = this.#endOf(race)
    for (let i = first + 1; i < end; i++) if (this.#trace.isBefore(i, cause)) this.#follow(i)
    const location = races.blocking[race] === NONE ? (steps.location[steps.start[step] as number] as number) : (races.location[race] as number)
    const kind = this.#kindBefore(race)
    for (let i = first - 1; i >= 0 && this.#mark[i] !== USUAL; i--) {
      const access = steps.start[i] as number
      if (access === steps.end[i] || steps.location[access] !== location) continue
      if (kind === NONE && steps.kind[access] === READ && this.#rules.refusal) refuse('it does not take a compare-and-swap of a variable that is combined')
      if (conflicts(steps.kind[access] as number, kind === NONE ? WRITE : kind)) this.#follow(i)
    }
  }

  #follow(step: number): void {
    if (step !== NONE) this.#trace.clocks.addTo(this.#past, step)
  }

  /** Line 7: the schedule is e' and what happens before it, without e. */
  #revisit(race: number): void {
    const { races, steps, processes } = this.#trace
    const first = races.first[race] as number
    const cause = races.cause[race] as number
    const end = this.#endOf(race)
    this.#revisits.begin(first)
    for (let i = first + 1; i < end; i++) {
      if (this.#trace.isBefore(i, cause)) this.#revisits.add(processes.id(steps.process[i] as Ordinal))
    }
    this.#revisits.end(processes.id(races.process[race] as Ordinal), processes.id(steps.process[first] as Ordinal))
  }

  /** How many steps of the last execution the planned one begins with. */
  #commonPrefix(): number {
    const { steps, processes } = this.#trace
    const most = Math.min(this.#planned - 1, steps.count)
    let node = 0
    while (node < most && processes.id(steps.process[node] as Ordinal) === this.#plan[node]) node++
    return node
  }

  #reserve(count: number): void {
    this.#mark = grown(this.#mark, count)
    this.#displaced = grown(this.#displaced, count)
  }
}

function refuse(why: string): never {
  throw new OptionError('algorithm', 'pop', `${why}; give 'source' or 'optimal'`)
}
