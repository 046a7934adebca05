import type { SiteId } from '../../engine/ids.ts'
import { QUICK } from '../execution/assumptions.ts'
import type { Execution } from '../execution/execution.ts'
import { FixedOrder } from '../execution/fixed-order.ts'
import { Place } from '../execution/place.ts'
import { DECIDING } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { Turn } from '../execution/turns.ts'
import type { PromiseRecord } from './promise-record.ts'

/**
 * The parts of a combinator of which the first one decides. A part that is settled by the running step decides at once: nothing that is
 * settled later can be there earlier. That is not so where its outcome is passed on by several jobs, as that of `async () => promise`: another part may
 * overtake it, or not. Its decision then is a step of its own, and so are those of all parts after it.
 */
export class Deciders {
  readonly #whole: PromiseRecord
  readonly #site: SiteId
  /** Those that are steps of their own. */
  readonly #decisions: Decision[] = []
  readonly #places: Place[] = []

  constructor(whole: PromiseRecord, site: SiteId) {
    this.#whole = whole
    this.#site = site
  }

  /** To be called by the job by which the whole gets to know of the part, which is settled. */
  decide(part: PromiseRecord): void {
    const whole = this.#whole
    const { execution } = part
    const { place } = execution.jobs
    if (running !== execution || !execution.accesses.isExploring || !place) return decideBy(part, whole, this.#site)
    if (place.hops === 1 && !(decisions.known(execution) && mayBeOvertaken(whole, place))) {
      execution.accesses.read(whole.object, DECIDING, this.#site, this.#decisions.length, 'size')
      if (this.#decisions.length === 0) return decideBy(part, whole, this.#site)
    }
    if (execution.identities.assumptions.quickDecisions.lose(QUICK)) execution.accesses.startAnew()
    execution.jobs.keepPlaces()
    execution.accesses.insert(whole.object, DECIDING, this.#site, part.object)
    const decision = new Decision(part, whole, { process: execution.spawnAnother(execution.process), site: this.#site, place })
    decisions.of(execution).add(execution, decision, this.#decisions)
    this.#decisions.push(decision)
    this.#places.push(place)
    whole.decidedAt = this.#places
    execution.leave(decision, () => part.settlers())
  }
}

/** Whether what steps before have led to may come first, by a part of which another part has yet to decide. */
function mayBeOvertaken(record: PromiseRecord, place: Place, seen = new Set<PromiseRecord>()): boolean {
  if (seen.has(record)) return false
  seen.add(record)
  if (record.decidedAt.some(({ origin }) => Place.isKnownToLead(origin.cause, place))) return true
  const { followed, parts, mayFollow } = record
  return [...followed, ...parts].some((other) => mayBeOvertaken(other, place, seen)) || (mayFollow !== undefined && mayBeOvertaken(mayFollow, place, seen))
}

/** A part decides in a step of its own, if it is the first. */
class Decision implements Continuation {
  readonly process: Process
  readonly site: SiteId
  /** Of the job that would have decided. */
  readonly place: Place
  turn: Turn | undefined
  readonly #part: PromiseRecord
  readonly #whole: PromiseRecord

  constructor(part: PromiseRecord, whole: PromiseRecord, { process, site, place }: { readonly process: Process; readonly site: SiteId; readonly place: Place }) {
    this.#part = part
    this.#whole = whole
    this.process = process
    this.site = site
    this.place = place
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    this.#part.orderAfter(execution, this.site)
    this.turn!.hasToldCause(execution)
    execution.jobs.goOnFrom(this.place)
    decisions.of(execution).run(execution, this)
    decideBy(this.#part, this.#whole, this.site)
  }

  delegate(): Call | undefined {
    return undefined
  }
}

function decideBy(part: PromiseRecord, whole: PromiseRecord, site: SiteId): void {
  if (!whole.decide(site, { as: part.state as 'fulfilled' | 'rejected', value: part.value })) return
  whole.followed = [part]
  whole.settleLike(part)
}

/**
 * The order of decisions. What one step has led to comes in the order of the jobs, and so does what a decision leads to, as if that step had led to it.
 * What steps after it lead to comes later, unless it comes by so many jobs fewer that the steps may have caught up.
 */
class Decisions {
  /** By the number of jobs. */
  readonly #orders = new Map<number, FixedOrder>()
  readonly #pending = new Set<Decision>()
  #running: Decision | undefined
  #runningIn: number | undefined

  /** @param ofWhole the decisions about the same so far */
  add(execution: Execution, decision: Decision, ofWhole: readonly Decision[]): void {
    const { place } = decision
    if (!Place.isKnownToLead(place.origin.cause, place)) {
      decision.turn = Turn.ofItsOwn(execution)
      return
    }
    const others: FixedOrder[] = []
    for (const [hops, order] of this.#orders) if (hops < place.hops) others.push(order)
    let order = this.#orders.get(place.hops)
    if (!order) this.#orders.set(place.hops, (order = new FixedOrder()))
    const earlier = [...ofWhole, ...this.#pending].filter((other) => Place.isKnownToLead(other.place.origin.cause, place) && other.place.isBefore(place))
    decision.turn = order.enterAmong(execution, { others, earlier: earlier.map(turnOf), late: this.#runningIn === execution.stepCount ? this.#late(place) : undefined })
    this.#pending.add(decision)
  }

  /** The decision is taken by the running step. */
  run({ stepCount }: Execution, decision: Decision): void {
    this.#pending.delete(decision)
    this.#running = decision
    this.#runningIn = stepCount
  }

  /** For what the running decision leads to. */
  #late(place: Place): { readonly step: number; readonly before: readonly Turn[] } {
    const { step } = turnOf(this.#running!)
    const before = [...this.#pending].filter((other) => (Place.isKnownToLead(place.origin.cause, other.place) ? place.isBefore(other.place) : place.hops <= other.place.hops && turnOf(other).isOfStepAfter(step)))
    return { step, before: before.map(turnOf) }
  }
}

const turnOf = ({ turn }: Decision): Turn => turn!

const decisions = new PerExecution(() => new Decisions())
