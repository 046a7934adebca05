import type { SiteId } from '../../engine/ids.ts'
import { DECIDING } from '../execution/keys.ts'
import type { Execution } from '../execution/execution.ts'
import { FixedOrder } from '../execution/fixed-order.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { Place } from '../execution/place.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { Turn } from '../execution/turns.ts'
import type { PromiseRecord } from './promise-record.ts'

/** Where a decision comes at the latest. */
interface Standing {
  /** Of the job that decides, or would have done so. */
  readonly place: Place
  /** What comes later comes behind this one. */
  readonly turn: Turn
}

/** A part decides in a step of its own, if it is the first. */
export class Decision implements Continuation {
  readonly process: Process
  readonly site: SiteId
  /** Of the job that would have decided. */
  readonly place: Place
  turn: Turn | undefined
  readonly whole: PromiseRecord
  /** Where those would have decided that have come too late for what has led to this one: all that comes later than they comes later than this one. */
  readonly bounds: Standing[] = []
  readonly #part: PromiseRecord
  readonly #behind: readonly Turn[]

  constructor(part: PromiseRecord, whole: PromiseRecord, { process, site, behind, place }: { readonly process: Process; readonly site: SiteId; readonly behind: readonly Turn[]; readonly place: Place }) {
    this.#behind = behind
    this.#part = part
    this.whole = whole
    this.process = process
    this.site = site
    this.place = place
  }

  get standings(): readonly Standing[] {
    return [{ place: this.place, turn: this.turn! }, ...this.bounds]
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    this.#part.orderAfter(execution, this.site)
    this.turn!.hasToldCause(execution)
    execution.jobs.goOnFrom(this.place)
    decisions.of(execution).run(execution, this)
    if (!decideBy(this.#part, this.whole, { site: this.site, behind: this.#behind, place: this.place })) decisions.of(execution).comesTooLate(execution, this.whole, this.standings)
  }

  delegate(): Call | undefined {
    return undefined
  }
}

/** False: another part has done so. `behind`: what comes before. */
export function decideBy(part: PromiseRecord, whole: PromiseRecord, { site, behind, place }: { readonly site: SiteId; readonly behind: readonly Turn[]; readonly place?: Place }): boolean {
  if (!whole.decide(site, { as: part.state as 'fulfilled' | 'rejected', value: part.value })) return false
  whole.followed = [part]
  whole.decidedFrom = place
  whole.settleLike(part, behind)
  return true
}

/**
 * The order of decisions. What one step has led to comes in the order of the jobs, and so does what a decision leads to, as if that step had led to it.
 * What steps after it lead to comes later, unless it comes by so many jobs fewer that the steps may have caught up. A decision that has come too late
 * leads to nothing, but what it would have led to tells when, at the latest, that of the first one comes.
 */
class Decisions {
  /** By the number of jobs. */
  readonly #orders = new Map<number, FixedOrder>()
  readonly #pending = new Set<Decision>()
  /** By the step that has led to them, those taken among them. */
  readonly #ledTo = new Map<number, Decision[]>()
  /** Those that have to come before what comes after one that has come too late. */
  readonly #bound = new Set<Decision>()
  /** One of them has to wait for others, perhaps. */
  areOrdered = false
  #running: Decision | undefined
  #runningIn: number | undefined

  /** @param ofWhole the decisions about the same so far */
  add(execution: Execution, decision: Decision, ofWhole: readonly Decision[]): void {
    const { place, whole } = decision
    const by = this.#runningIn === execution.stepCount ? this.#running! : undefined
    if (!isOrdered || !isKnown(place)) {
      // It comes behind nothing, but what one that has come too late would have led to may come behind it.
      decision.turn = new Turn(execution, none)
    } else {
      this.areOrdered = true
      const others: FixedOrder[] = []
      for (const [hops, order] of this.#orders) if (hops < place.hops) others.push(order)
      const standings = [...ofWhole, ...this.#pending, ...this.#bound, ...this.#taken(place)].flatMap((other) => other.standings)
      const earlier = standings.filter((other) => isKnown(other.place) && Place.isKnownToLead(other.place.origin.cause, place) && other.place.isBefore(place))
      const late = by ? { step: turnOf(by).step, before: this.#after(place, turnOf(by).step) } : this.#beforeOthers(execution, place)
      decision.turn = this.#order(place).enter(execution, { others, earlier: earlier.map(turnOf), late })
      this.#pending.add(decision)
    }
    whole.decidedAt = [...whole.decidedAt, place]
    const ledTo = this.#ledTo.get(place.origin.cause)
    if (ledTo) ledTo.push(decision)
    else this.#ledTo.set(place.origin.cause, [decision])
    const jobs = by && Place.jobsBetween(by.place, place)
    if (jobs !== undefined) for (const bound of by!.bounds) this.#bind(execution, decision, bound, jobs)
  }

  /** Those taken that what led to the place may have led to as well: it comes behind them, though nothing holds it any more. */
  #taken(place: Place): Decision[] {
    const taken: Decision[] = []
    for (const cause of Place.causesOf(place)) {
      for (const decision of this.#ledTo.get(cause) ?? none) if (turnOf(decision).isOver) taken.push(decision)
    }
    return taken
  }

  /** The decision is taken by the running step. */
  run({ stepCount }: Execution, decision: Decision): void {
    this.#pending.delete(decision)
    this.#running = decision
    this.#runningIn = stepCount
  }

  /** A part of the whole would have decided there, but another one has. */
  comesTooLate(execution: Execution, whole: PromiseRecord, standings: readonly Standing[]): void {
    const { decidedFrom } = whole
    if (!decidedFrom) return
    for (const decision of this.#ledTo.get(decidedFrom.origin.cause) ?? none) {
      const jobs = Place.jobsBetween(decidedFrom, decision.place)
      if (jobs !== undefined) for (const standing of standings) this.#bind(execution, decision, standing, jobs)
    }
  }

  /** The decision comes before what comes after the place to which another one would have led by so many jobs. */
  #bind(execution: Execution, decision: Decision, { place, turn }: Standing, jobs: number): void {
    const bound = place.after(jobs)
    if (!isOrdered || !isKnown(bound)) return
    const before = this.#after(bound, turn.step).filter((other) => other !== decision.turn)
    const behind = this.#order(bound).enter(execution, { earlier: [turnOf(decision)], late: { step: turn.step, before } })
    behind.skip()
    decision.bounds.push({ place: bound, turn: behind })
    this.#bound.add(decision)
    execution.accesses.insert(decision.whole.object, DECIDING, decision.site, execution.identities.fresh())
    decision.whole.decidedAt = [...decision.whole.decidedAt, bound]
  }

  /** A job of the running step comes before some that have run: those are of a step that has led to it, which a plain run comes to later. */
  #beforeOthers(execution: Execution, place: Place): { readonly step: number; readonly before: readonly Turn[] } | undefined {
    const before = this.#toCome.filter((other) => Place.isKnownToLead(place.origin.cause, other.place) && place.isBefore(other.place)).map(turnOf)
    return before.length === 0 ? undefined : { step: execution.search.step, before }
  }

  /** What waits and comes after the place, to which a step has led. */
  #after(place: Place, step: number): Turn[] {
    const after = this.#toCome.filter((other) => (Place.isKnownToLead(place.origin.cause, other.place) ? place.isBefore(other.place) : place.hops <= other.place.hops && turnOf(other).isOfStepAfter(step)))
    return after.map(turnOf)
  }

  /** Decisions that wait, and what others that have come too late would have led to. */
  get #toCome(): (Decision | Standing)[] {
    return [...this.#pending, ...[...this.#bound].flatMap(({ bounds }) => bounds)]
  }

  #order({ hops }: Place): FixedOrder {
    let order = this.#orders.get(hops)
    if (!order) this.#orders.set(hops, (order = new FixedOrder()))
    return order
  }
}

const none: readonly never[] = []

/** Whether it is known when a plain run comes there. */
const isKnown = (place: Place): boolean => Place.isKnownToLead(place.origin.cause, place)

const turnOf = ({ turn }: Decision | Standing): Turn => turn!

export const decisions = new PerExecution(() => new Decisions())

/** What comes first of decisions has turned out to hang on steps that do not conflict with theirs: the exploration has to start again, with decisions in any order. */
export class DecisionsOutOfOrder extends Error {}

let isOrdered = true

/** From now on decisions wait for no others: nothing is lost, but some orders may be none that an engine has. Returns what ends that. */
export function decideInAnyOrder(): () => void {
  isOrdered = false
  return () => {
    isOrdered = true
  }
}

/** Whether what diverged may be the order of decisions. */
export const areDecisionsOrdered = (execution: Execution): boolean => isOrdered && decisions.known(execution)?.areOrdered === true
