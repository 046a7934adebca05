import { Math } from '../../intrinsics.ts'
import { ACQUIRE, READ, RELEASE, UNTIL, WRITE } from '../../access.ts'
import type { Algorithm, EndedExecution } from '../algorithm.ts'
import { Beginnings } from './beginnings.ts'
import { OptionError } from '../../errors.ts'
import { ExecutionGraph, isEvent } from './execution-graph.ts'
import type { Ordinal, ProcessId } from '../../ids.ts'
import { Maximality } from './maximality.ts'
import { NextGraph, type Move } from './next-graph.ts'
import type { Beginner } from '../../parts/divided-beginnings.ts'
import { RestoringCells, type RestorableCells } from '../../resume/restoring-cells.ts'
import type { Checked } from '../../resume/restoring.ts'
import type { Saved, SavedCells } from '../../resume/saved.ts'
import { PassedOver } from './passed-over.ts'
import { PreemptionLimit } from './preemption-limit.ts'
import { interleavingsWithin } from '../preemptions.ts'
import { allTrustRules, type TrustRules } from './rules.ts'
import type { Column } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'
import { longestTurn, nobodySleeps, usualProcess } from '../usual-order.ts'

export interface TrustOptions {
  /** The most preemptions of the graphs that are to be found; what cannot lead to any of them is left out. Default: all are. */
  readonly bound?: number | undefined
  readonly rules?: TrustRules
}

/**
 * TruSt (Kokologiannakis, Marmanis, Gladstein and Vafeiadis, POPL 2022, Algorithm 1) under sequential consistency, for steps with one access
 * each: execution graphs instead of interleavings. With a bound it is Buster. What is different stands in the README of the engine.
 *
 * A graph is visited by running one of its linearisations. Then events are added one by one, each after the last of what is there; the graphs
 * that their other places lead to, and the revisits, are found when the execution has ended, which visits the same tree.
 */
export class Trust implements Beginner<readonly number[]>, RestorableCells {
  readonly #trace: Trace
  readonly #rules: TrustRules
  readonly #graph: ExecutionGraph
  readonly #maximality: Maximality
  readonly #limit: PreemptionLimit | undefined
  /** What is still to be explored, and what the current execution began with. */
  readonly #beginnings = new Beginnings()
  /** What is looked at, whether to explore it, and who is passed over there. */
  readonly #next: NextGraph
  readonly #passedOver = new PassedOver()
  /** Events of the graph that the execution begins with. */
  #planned = 0
  #isCut = false
  #isTruncated = false

  constructor(trace: Trace, { bound, rules = allTrustRules }: TrustOptions = {}) {
    this.#trace = trace
    this.#rules = rules
    this.#graph = new ExecutionGraph(trace)
    this.#next = new NextGraph(trace, this.#graph)
    this.#maximality = new Maximality(this.#graph)
    if (bound !== undefined) this.#limit = new PreemptionLimit(trace, this.#graph, { bound, hasSlack: rules.slack })
  }

  /** `next` of the paper: the process whose turn it is goes on while it can, then the leftmost one comes. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const { processes, steps } = this.#trace
    if (steps.count < this.#planned) return processes.planned(this.#beginnings.process[steps.count] as ProcessId)
    // The bound rests on the order from left to right.
    if (this.#limit === undefined && steps.isLongTurn(longestTurn)) return usualProcess(this.#trace, enabled, count, nobodySleeps)
    const turn = this.#turn
    let leftmost = enabled[0] as Ordinal
    for (let i = 0; i < count; i++) {
      const process = enabled[i] as Ordinal
      if (process === turn) return process
      if (processes.compare(processes.id(process), processes.id(leftmost)) < 0) leftmost = process
    }
    return leftmost
  }

  stepEnded(): void {
    const { footprint, steps, hasBarriers } = this.#trace
    if (hasBarriers) refuse('it knows no virtual time (delay)')
    const step = steps.count - 1
    const isOfOne = footprint.awaited.length === 1 && footprint.awaited[0] === footprint.location[0]
    if (footprint.awaited.length > 0 && !isOfOne) refuse('it knows no loops that wait for several variables')
    this.#graph.waited(step, isOfOne ? (footprint.awaitedSince[0] as number) : NONE)
    const isKnown = steps.fixed[step] === 1 || this.#trace.writesBefore(step) !== undefined
    if (!isKnown || footprint.length > 1) refuse('it is for steps with one access, and not for those with several (atomic, async code)')
    if (footprint.length === 1 && !isEvent(footprint.kind[0] as number)) refuse('it knows reads, writes, updates, locks and what waits, and no changes that commute (combine)')
  }

  ended({ status }: EndedExecution): void {
    if (status === 'truncated') this.#isTruncated = true
    this.#graph.build(this.#planned)
    const end = this.#limit === undefined ? this.#graph.count : this.#withinLimit(this.#limit)
    if (end < this.#graph.count) this.#isCut = true
    for (let event = this.#planned; event < this.#graph.count && event <= end; event++) this.#branch(event)
    this.#branchAtBlocking(end)
  }

  get more(): boolean {
    return this.#beginnings.waiting > 0
  }

  advance(): number {
    this.#beginnings.take()
    const { length, process } = this.#beginnings
    const { steps, processes } = this.#trace
    const most = Math.min(length, steps.count)
    let shared = 0
    while (shared < most && processes.id(steps.process[shared] as Ordinal) === process[shared]) shared++
    this.#planned = length
    this.#graph.begin(this.#beginnings)
    return shared
  }

  takeAll(): number[][] {
    return this.#beginnings.takeAll()
  }

  begin(beginning: readonly number[]): number {
    this.#beginnings.restore(beginning)
    return this.advance()
  }

  save(): SavedCells {
    return { cells: this.#beginnings.save(), about: [Number(this.#isCut), Number(this.#isTruncated)] }
  }

  restoring(saved: Saved, checked: Checked): Algorithm {
    return new RestoringCells(this.#trace, this, { saved: saved as SavedCells, checked })
  }

  goOn({ cells, about: [isCut, isTruncated] }: SavedCells): void {
    this.#beginnings.restore(cells)
    this.#isCut = isCut === 1
    this.#isTruncated = isTruncated === 1
    this.advance()
  }

  get leftOut(): string | undefined {
    return this.#isCut ? `preemptionBound of ${this.#limit?.bound}` : undefined
  }

  get explored(): string | undefined {
    return this.#limit === undefined || this.#isTruncated || this.more ? undefined : interleavingsWithin(this.#limit.bound)
  }

  get #turn(): Ordinal | typeof NONE {
    const { processes, steps } = this.#trace
    if (steps.count === 0) return NONE
    return steps.count > this.#planned ? (steps.process[steps.count - 1] as Ordinal) : processes.ordinal(this.#beginnings.turn)
  }

  /** How many events the graph has had while it was within the limit: as it grows it needs no fewer preemptions. */
  #withinLimit(limit: PreemptionLimit): number {
    let [within, beyond] = [this.#planned, this.#graph.count + 1]
    for (let count = this.#graph.count; within + 1 < beyond; count = (within + beyond) >> 1) {
      this.#next.beFirst(count)
      if (limit.allows(this.#next)) within = count
      else beyond = count
    }
    return within
  }

  /** The other places of an event that was added. */
  #branch(event: number): void {
    const kind = this.#graph.kind[event]
    if (kind === READ || kind === WRITE) this.#branchAtAccess(event)
    else if (kind === ACQUIRE) this.#branchAtLock(event)
  }

  /** A read comes after every earlier write, and a write before all that read from the one that it comes after. */
  #branchAtAccess(event: number): void {
    const { before, kind, origin, since, source } = this.#graph
    let next: number = NONE
    for (let other = before[event] as number; other !== NONE; other = before[other] as number) {
      // There it would still have waited.
      if (since[event] !== NONE && (source[other] as number) <= (since[event] as number)) return
      const isOrdered = this.#trace.isBefore(other, origin[event] as number)
      if (kind[other] === WRITE) {
        if (isOrdered) return
        next = other
        if (this.#kindBefore(event, next) === READ) this.#readBefore(event, other)
        else this.#revisit({ event, revisited: other })
      } else if ((kind[other] === READ || kind[other] === UNTIL) && !isOrdered && this.#kindBefore(event, next) === WRITE) {
        this.#revisit({ event, revisited: other })
      }
    }
  }

  /** A lock is taken in the place of every earlier event that took it. */
  #branchAtLock(event: number): void {
    const { before, kind, origin } = this.#graph
    for (let other = before[event] as number; other !== NONE; other = before[other] as number) {
      if (kind[other] === RELEASE) continue
      if (this.#trace.isBefore(other, origin[event] as number)) return
      this.#revisit({ event, revisited: other })
    }
  }

  /**
   * Who waits for a value goes on before each write before which that was possible, and takes a lock earlier: among the first `end` events as they were
   * added, and at the end of the execution.
   */
  #branchAtBlocking(end: number): void {
    const { races } = this.#trace
    for (let race = 0; race < races.count; race++) {
      const [step, first] = [races.step[race] as number, races.first[race] as number]
      if (step !== NONE && races.blocking[race] === UNTIL && step >= this.#planned && step <= end) this.#goOnBefore(step, first)
      if (step !== NONE || end < this.#graph.count) continue
      this.#graph.addWaiting(races, race)
      if (races.blocking[race] === ACQUIRE) this.#branchAtLock(this.#graph.count)
      else this.#goOnBefore(this.#graph.count, first)
    }
  }

  #goOnBefore(event: number, write: number): void {
    const { origin, source } = this.#graph
    const place = { origin: this.#rankOf(origin[event] as number), source: this.#rankOf(source[write] as number) }
    const isPassedOver = this.#beginnings.passedOver.has(this.#processOf(event), place)
    if (!isPassedOver || !this.#rules.passesOver) this.#readBefore(event, write)
  }

  /** What the event does just before that write; what it did where there is none. */
  #kindBefore(event: number, write: number): number {
    const writesBefore = this.#trace.writesBefore(event)
    if (writesBefore === undefined || write === NONE) return this.#graph.kind[event] as number
    return writesBefore(write) ? WRITE : READ
  }

  #readBefore(event: number, write: number): void {
    this.#next.readBefore(event, write)
    this.#wait({ event, revisited: NONE })
  }

  #revisit(move: Move): void {
    if (!this.#maximality.holds(move, this.#trace.processes.count)) return
    this.#next.revisit(move, this.#maximality)
    this.#wait(move)
  }

  /** The next graph is to be explored, unless it needs too many preemptions. */
  #wait(move: Move): void {
    const graph = this.#next
    if (this.#limit?.allows(graph) === false) {
      this.#isCut = true
      return
    }
    this.#beginnings.begin()
    for (let i = 0; i < graph.count; i++) {
      const event = graph.event[i] as number
      this.#beginnings.add(this.#processOf(event), { rank: graph.rank[i] as number, displaces: graph.displaces(event) })
    }
    this.#passOver(move)
    this.#beginnings.end(this.#processOf(graph.turn), this.#passedOver)
  }

  /** Who is passed over in the next graph. */
  #passOver({ event, revisited }: Move): void {
    const { count, kind } = this.#graph
    const most = revisited === NONE ? Infinity : this.#rankOf(revisited)
    this.#passedOver.clear()
    this.#passedOver.addAll(this.#beginnings.passedOver, most)
    if (revisited === NONE && event === count) this.#passOverWaiting()
    else if (revisited !== NONE && kind[revisited] === UNTIL) this.#passedOver.add(this.#processOf(revisited), most)
  }

  /** When no process can go on, those that wait for a value come from left to right. */
  #passOverWaiting(): void {
    const { processes, races } = this.#trace
    const { count } = this.#graph
    let last: number = NONE
    for (let race = 0; race < races.count; race++) {
      if (races.step[race] !== NONE || races.blocking[race] !== UNTIL) continue
      const process = processes.id(races.process[race] as Ordinal)
      if (process !== last && processes.compare(process, this.#processOf(count)) < 0) this.#passedOver.add(process, count)
      last = process
    }
  }

  #rankOf(event: number): number {
    return event === NONE ? NONE : (this.#graph.rank[event] as number)
  }

  #processOf(event: number): ProcessId {
    return this.#trace.processes.id(this.#graph.process[event] as Ordinal)
  }
}

function refuse(why: string): never {
  throw new OptionError('algorithm', 'trust', `${why}; give 'source' or 'optimal'`)
}
