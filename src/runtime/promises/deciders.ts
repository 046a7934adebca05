import type { SiteId } from '../../engine/ids.ts'
import { QUICK } from '../execution/assumptions.ts'
import { Place } from '../execution/place.ts'
import { DECIDING } from '../execution/keys.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { Turn } from '../execution/turns.ts'
import { decideBy, Decision, decisions } from './decisions.ts'
import type { PromiseRecord } from './promise-record.ts'
import { isAnswer } from './stand-ins.ts'

/**
 * The parts of a combinator of which the first one decides. A part that is settled by the running step decides at once: nothing that is
 * settled later can be there earlier. That is not so where its outcome is passed on by several jobs, as that of `async () => promise`: another part may
 * overtake it, or not: in the step that settles it, and in those after it to which such jobs come first. Its decision then is a step of its own, and so are those of all parts after it. What stands for an answer of something outside, which may take
 * any time, decides in a step that any other part may overtake.
 */
export class Deciders {
  readonly #whole: PromiseRecord
  readonly #site: SiteId
  /** Those that are steps of their own. */
  readonly #decisions: Decision[] = []
  /** A part decides at a time of its own. */
  #hasAnswer = false

  constructor(whole: PromiseRecord, site: SiteId) {
    this.#whole = whole
    this.#site = site
  }

  /** To be called by the job by which the whole gets to know of the part, which is settled. */
  decide(part: PromiseRecord, behind: readonly Turn[]): void {
    const whole = this.#whole
    const { execution } = part
    const { place } = execution.jobs
    if (running !== execution || !execution.accesses.isExploring || !place) {
      decideBy(part, whole, { site: this.#site, behind })
      return
    }
    const { quickDecisions } = execution.identities.assumptions
    if (isOfAnswer(part)) return this.#decideAtAnyTime(part, behind)
    if (isQuick(part, whole, { place, site: this.#site, isTrusted: quickDecisions.has(QUICK) })) {
      execution.accesses.read(whole.object, DECIDING, this.#site, this.#decisions.length + (this.#hasAnswer ? 1 : 0), 'size')
      if (this.#decisions.length === 0 && !this.#hasAnswer) {
        if (!decideBy(part, whole, { site: this.#site, behind, place })) decisions.of(execution).comesTooLate(execution, whole, [{ place, turn: Turn.ofItsOwn(execution) }])
        return
      }
    }
    if (quickDecisions.lose(QUICK)) execution.accesses.startAnew()
    execution.jobs.keepPlaces()
    execution.accesses.insert(whole.object, DECIDING, this.#site, part.object)
    const decision = new Decision(part, whole, { process: execution.processes.spawnAnother(execution.process), site: this.#site, behind, place })
    decisions.of(execution).add(execution, decision, this.#decisions)
    this.#decisions.push(decision)
    execution.leave(decision, () => part.settlers())
  }

  #decideAtAnyTime(part: PromiseRecord, behind: readonly Turn[]): void {
    const whole = this.#whole
    const { execution } = part
    this.#hasAnswer = true
    execution.accesses.insert(whole.object, DECIDING, this.#site, part.object)
    execution.leave(new AnswerDecides(part, whole, { process: execution.processes.spawnAnother(execution.process), site: this.#site, behind }), () => part.settlers())
  }
}

/** Whether the outcome is that of something outside, as far as it is known whose it is. */
const isOfAnswer = ({ execution, promise, followed, parts, combinator }: PromiseRecord): boolean =>
  isAnswer(execution, promise) || ((combinator === undefined || followed === parts) && followed.some(isOfAnswer))

interface AtPlace {
  readonly place: Place
  readonly site: SiteId
  /** Nothing is known of how steps have led to others, and no decision was another so far. */
  readonly isTrusted: boolean
}

/** Whether nothing that is settled later can be there earlier than the part. */
function isQuick({ settledAt }: PromiseRecord, whole: PromiseRecord, { place, site, isTrusted }: AtPlace): boolean {
  if (place.hops !== 1) return false
  // A step before has settled it, by jobs to which a plain run may come only after the running step: there others are first, which are settled already.
  const isOfEarlierStep = settledAt !== undefined && settledAt.origin.step !== place.origin.step
  if (isTrusted) return !isOfEarlierStep
  return !(isOfEarlierStep && settledAt.isAfterStepOf(place)) && !mayBeOvertaken(whole, { place, site })
}

/** Whether what steps before have led to may come first, by a part of which another part has yet to decide. */
function mayBeOvertaken(record: PromiseRecord, at: Omit<AtPlace, 'isTrusted'>, seen = new Set<PromiseRecord>()): boolean {
  if (seen.has(record)) return false
  seen.add(record)
  const { execution, combinator, decidedAt, followed, parts, mayFollow } = record
  if (combinator !== undefined) execution.accesses.read(record.object, DECIDING, at.site, decidedAt.length, 'size')
  if (decidedAt.some(({ origin }) => Place.isKnownToLead(origin.cause, at.place))) return true
  return [...followed, ...parts].some((other) => mayBeOvertaken(other, at, seen)) || (mayFollow !== undefined && mayBeOvertaken(mayFollow, at, seen))
}

/** An answer is there, before other parts or after them. */
class AnswerDecides implements Continuation {
  readonly process: Process
  readonly site: SiteId
  turn: Turn | undefined
  readonly #part: PromiseRecord
  readonly #whole: PromiseRecord
  readonly #behind: readonly Turn[]

  constructor(part: PromiseRecord, whole: PromiseRecord, { process, site, behind }: { readonly process: Process; readonly site: SiteId; readonly behind: readonly Turn[] }) {
    this.#behind = behind
    this.#part = part
    this.#whole = whole
    this.process = process
    this.site = site
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    this.#part.orderAfter(execution, this.site)
    this.turn?.hasToldCause(execution)
    decideBy(this.#part, this.#whole, { site: this.site, behind: this.#behind })
  }

  delegate(): Call | undefined {
    return undefined
  }
}
