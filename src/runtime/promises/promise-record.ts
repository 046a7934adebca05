import type { SiteId } from '../../engine/ids.ts'
import type { AsyncCall } from './async-call.ts'
import type { Execution } from '../execution/execution.ts'
import { namedOtherwise, type ObjectId } from '../execution/identity.ts'
import { HANDLED, SETTLED, WATCHED } from '../execution/keys.ts'
import { alsoHears } from '../execution/listener.ts'
import type { Continuation } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import type { Settlement } from '../execution/told-access.ts'
import { isInPackage, placeOf } from '../execution/sources.ts'
import { nameThrown } from '../execution/thrown.ts'
import { FixedOrder } from '../execution/fixed-order.ts'
import type { Turn } from '../execution/turns.ts'
import type { Reserved } from '../execution/jobs.ts'
import { isLater, type Place } from '../execution/place.ts'
import { hear, NativePromise, inMicrotask, noop } from '../execution/native.ts'
import { fulfilWith } from '../execution/fulfilling.ts'
import { tellLater } from './late-rejections.ts'
import { tie, tiedTo } from '../execution/tie.ts'
import { thenJobs } from './then-jobs.ts'
import { newPromise, ofNewPromise } from './unsettled.ts'

export type PromiseState = 'pending' | 'fulfilled' | 'rejected'

/** A promise of the platform that nobody has settled so far, and the functions that do it. */
export interface Unsettled {
  readonly promise: Promise<unknown>
  readonly fulfil: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** What is done once a promise is settled. */
class Waiting {
  readonly run: () => void
  /** It is a job that takes a microtask. */
  readonly isJob: boolean
  /** The place in the queue that it has if the call whose result this is turns out to have ended already. */
  readonly place: Reserved | undefined
  /** Of the job by which it has begun to wait, if one did: the plain run may come to that only when the promise is settled. */
  readonly since: Place | undefined

  constructor(run: () => void, { isJob, place, since }: { readonly isJob: boolean; readonly place?: Reserved | undefined; readonly since?: Place | undefined }) {
    this.run = run
    this.isJob = isJob
    this.place = place
    this.since = since
  }
}

/**
 * When a promise was settled: `now`, or one microtask ago, where the platform has told of it by a reaction. What follows from
 * it then is due already.
 */
export type Moment = 'now' | 'a microtask ago'

/**
 * What the runtime knows of one promise. Settling writes its location; a settling that comes too late reads it; resuming is
 * enabled by whatever decided the outcome.
 *
 * What passes an outcome on from one promise to another runs no code of the user. It takes the microtasks that the language
 * says, within the step that settled the first, so that of two promises settled in one step the same one is first as without
 * the runtime.
 */
export class PromiseRecord {
  readonly execution: Execution
  readonly promise: Promise<unknown>
  readonly object: ObjectId
  readonly site: SiteId
  state: PromiseState = 'pending'
  value: unknown = undefined
  /** Something controlled will see a rejection. */
  handled = false
  isTold = false
  /** The platform takes it for handled, as the runtime hears of it. */
  isOverheard = false
  /** So it does as a mock that has returned it waits for it. */
  #isHeardByMock = false
  #rejectedIn = -1
  /** Rejected like it, so that the platform tells of that where nobody handles it. */
  #alike: Promise<unknown> | undefined
  /** The async call whose result this is. */
  owner: AsyncCall | undefined
  /** A thenable that something was resolved with settles this one, which stands for the other. */
  isOfThenable = false
  /** It was settled before the body began: whatever answers, this has. */
  wasSettledBefore = false
  /** Its call has ended, or goes on where nobody sees it; the outcome comes with the next microtasks. */
  isEnding = false
  /** Something outside has settled it: tells what that may be due to. */
  comesFromOutside: (() => void) | undefined
  /** Somebody goes on after it, in the running step. */
  goesOn: (() => void) | undefined
  /** The promises this one's outcome comes from, besides its own settling. */
  followed: readonly PromiseRecord[] = none
  /** The promise whose outcome it may turn out to have, because a reaction to that outcome is missing. */
  mayFollow: PromiseRecord | undefined
  /** As long as that is pending: the promise whose outcome the callback waits for that this one's comes from. */
  reactsTo: PromiseRecord | undefined
  /** The promises that a combinator combines, and what that is called. */
  parts: readonly PromiseRecord[] = none
  combinator: string | undefined
  /** Where parts of it decide in steps of their own, so far. */
  decidedAt: readonly Place[] = none
  /** Of the job by which a part has decided. */
  decidedFrom: Place | undefined
  /** How many ask for the moment in which it is settled (see `watching.ts`). */
  #watchers = 0
  readonly #step: number
  /** The step in which it was settled, as the search counts. */
  #settledIn: number | undefined
  #decided = false
  #isAnswer = false
  /** Of the job that settled it, if one did: the plain run may come to it only later. */
  #place: Place | undefined
  /** Whether a step chose this outcome by settling, so that its location orders those who wait. */
  #written = false
  /** What code that is not instrumented does when this is settled. */
  #heard: (() => void) | undefined
  #waiting: (Waiting | Continuation)[] | undefined
  /** What whoever goes on after it comes behind: reactions of promises whose outcomes were passed on to this one, if they were registered before that. */
  behind: readonly Turn[] = none
  #reactions: FixedOrder | undefined
  /** What settles the promise of the platform; undefined where that is not for this record to do. */
  #fulfil: Unsettled['fulfil'] | undefined
  #fail: Unsettled['reject'] | undefined

  /** @param native the promise that it is about, where there is one: `Unsettled` if this record settles it */
  constructor(execution: Execution, site: SiteId, native?: Promise<unknown> | Unsettled) {
    this.execution = execution
    this.site = site
    this.object = execution.identities.fresh()
    this.#step = execution.stepCount
    const { listener } = execution
    if (listener !== undefined && execution.runsOpaqueCode) this.heardBy(listener.hears)
    if (native instanceof NativePromise) {
      this.promise = native
    } else if (native) {
      this.promise = native.promise
      this.#fulfil = native.fulfil
      this.#fail = native.reject
    } else {
      this.promise = newPromise()
      this.#fulfil = ofNewPromise.fulfil
      this.#fail = ofNewPromise.reject
    }
    tie(this.promise, this)
    execution.recorder?.owners.tell(this.object, () => this.#name())
  }

  reject(error: unknown, site: SiteId, moment: Moment = 'now'): void {
    if (this.decide(site, { as: 'rejected', value: error })) this.settle('rejected', error, moment)
  }

  /** Claims the right to settle this promise: true for the first claim, which is a write; a later one reads. */
  decide(site: SiteId, outcome?: Settlement): boolean {
    if (this.#decided) {
      if (running === this.execution) running.accesses.settleTooLate(this.object, SETTLED, site, this.state, outcome)
      return false
    }
    this.#decided = true
    this.write(site, outcome)
    return true
  }

  /** The running step has a say in how or when this promise is settled. */
  write(site: SiteId, outcome?: Settlement): void {
    if (running !== this.execution) return
    this.#written = true
    running.accesses.settle(this.object, SETTLED, site, outcome)
    if (!running.identities.assumptions.unchanged.has(WATCHED)) running.accesses.read(this.object, WATCHED, site, this.#watchers, 'size')
  }

  /** Whether it is settled by now decides something. */
  look(site: SiteId): void {
    if (running === this.execution) running.accesses.read(this.object, SETTLED, site, this.state)
  }

  /** From now on something hangs on the moment in which it is settled: whoever settles it looks whether there is such a thing. */
  watchedBy(whole: ObjectId, site: SiteId): void {
    this.#watchers++
    if (running === this.execution) running.accesses.insert(this.object, WATCHED, site, whole)
  }

  /** Code that is not instrumented has got hold of it. */
  heardBy(hears: () => void): void {
    this.#heard = alsoHears(this.#heard, hears)
  }

  /** The runtime settles it, and not code that is not instrumented. */
  get isControlled(): boolean {
    return this.#fulfil !== undefined
  }

  get isWatched(): boolean {
    return this.#watchers > 0
  }

  /** Of the job that settled it, if one did. */
  get settledAt(): Place | undefined {
    return this.#place
  }

  get isDecided(): boolean {
    return this.#decided
  }

  /** From now on it passes on the outcome of another promise, which is no decision of its own. */
  follow(target: PromiseRecord): void {
    this.#decided = true
    this.followed = [target]
    target.handle(0)
  }

  /** Has the outcome of the other one, which is settled, and comes behind all that comes before the job by which it has heard of that. */
  settleLike(target: PromiseRecord, behind: readonly Turn[] = target.behind): void {
    this.comesBehind(behind)
    this.settle(target.state as 'fulfilled' | 'rejected', target.value)
  }

  /** Who goes on after it comes behind these. */
  comesBehind(turns: readonly Turn[]): void {
    if (turns.length > 0) this.behind = this.behind.length > 0 ? [...this.behind, ...turns] : turns
  }

  settle(state: 'fulfilled' | 'rejected', value: unknown, moment: Moment = 'now'): void {
    this.#decided = true
    this.state = state
    this.value = value
    this.#place = this.execution.jobs.place
    if (running === this.execution && running.accesses.isExploring) this.#settledIn = running.search.step
    const execution = this.execution
    if (state === 'rejected') {
      if (running === execution) {
        nameThrown(execution.identities, value)
        execution.accesses.write(this.object, HANDLED, this.site, 'rejected')
      }
      this.#rejectedIn = execution.stepCount
      if (this.handled || this.#isHeardByMock || this.#isToldLater()) hear(this.promise, undefined, noop)
      else {
        if (this.isOverheard) tie((this.#alike = NativePromise.reject(value)), this)
        execution.suspects.add(this)
      }
    }
    if (this.#heard !== undefined && running === execution) this.#heard()
    if (this.#fulfil) {
      if (state === 'fulfilled') fulfilWith(this.#fulfil, value)
      else this.#fail!(value)
    }
    this.#tell(moment)
  }

  /** Whether it is for others to tell that nobody handles it. */
  #isToldLater(): boolean {
    const { execution } = this
    // A plain run ends its turn first.
    if (execution.keepsTurns) return false
    if (thenJobs.known(execution)?.isLeft(this, execution.stepCount)) return true
    if (!this.#isOfAnswer || running !== execution || !execution.accesses.isExploring) return false
    tellLater(this)
    return true
  }

  get #isOfAnswer(): boolean {
    return this.#isAnswer || this.followed.some((other) => other.#isOfAnswer)
  }

  /** It stands for an answer of something outside, which may take any time. */
  standsForAnswer(): void {
    this.#isAnswer = true
    if (this.state === 'rejected' && this.execution.suspects.remove(this) && this.#isToldLater()) hear(this.promise, undefined, noop)
  }

  /** A mock that has returned it waits for it as well, so the platform takes it for handled. Without the mock it would not be, where the program handles it too late. */
  heardByMock(): void {
    this.#isHeardByMock = true
    if (this.state === 'rejected' && !this.handled && this.execution.suspects.remove(this)) hear(this.promise, undefined, noop)
  }

  #tell(moment: Moment): void {
    const waiting = this.#waiting
    if (!waiting) return
    const { jobs } = this.execution
    this.#waiting = undefined
    for (let i = 0; i < waiting.length; i++) {
      const one = waiting[i]!
      if (!(one instanceof Waiting)) this.#wake(one)
      else if (one.since && isLater(one.since, jobs.place)) jobs.later(one.run, one.since)
      else if (one.isJob) inMoment(this.execution, moment, one.run)
      else if (one.place && moment === 'a microtask ago') this.execution.jobs.inPlace(one.place, one.run)
      else one.run()
    }
  }

  /** A rejection of this promise will be seen. Conflicts only with a rejection: too late a handler is a bug of its own. */
  handle(site: SiteId): void {
    const execution = this.execution
    const sameStep = running === execution && execution.stepCount === this.#step
    if (!sameStep && running === execution) execution.accesses.register(this.object, HANDLED, site, this.handled)
    if (this.handled) return
    this.handled = true
    if (this.state !== 'rejected') return
    hear(this.#alike ?? this.promise, undefined, noop)
    if (this.#isHeardByMock && running === execution && !execution.keepsTurns && this.#rejectedIn !== execution.stepCount) execution.unhandled.push(this)
    if (this.isTold && running === execution) execution.suspects.handledLate(this)
    thenJobs.known(execution)?.handled(this, execution.stepCount)
  }

  /** Calls back when settled, at once if it is: for what waits for a step of its own. */
  whenSettled(run: () => void): void {
    if (this.state === 'pending') this.#isAwaited()
    if (this.state !== 'pending') run()
    else (this.#waiting ??= []).push(new Waiting(run, { isJob: false, place: this.isEnding ? this.execution.reservePlace() : undefined }))
  }

  /**
   * The place of one more reaction among all: they come in the order in which they were registered. What a package registers with a promise
   * that was settled before all is what it would give to `queueMicrotask`.
   */
  enter(site: SiteId): Turn {
    const { execution } = this
    if (this.wasSettledBefore && isInPackage(site)) return execution.clock.enterMicrotasks(execution)
    const turn = (this.#reactions ??= new FixedOrder()).enter(execution)
    // It stands in the queue already, though nobody has heard of the outcome so far.
    if (this.isEnding) {
      const microtasks = execution.clock.microtasks(execution)
      microtasks?.letGoOn(execution, turn)
      // Nothing is before it now, whatever gets into the queue until its step ends.
      turn.putBehind(execution, microtasks?.turns ?? none, { settlers: none })
    }
    return turn
  }

  /** Lets the continuation go on once this is settled. */
  wakes(continuation: Continuation): void {
    if (this.state !== 'pending') this.#wake(continuation, this.#place)
    else if (this.isEnding) this.whenSettled(() => this.#wake(continuation))
    else {
      this.#isAwaited()
      ;(this.#waiting ??= []).push(continuation)
    }
  }

  #wake(continuation: Continuation, after?: Place): void {
    const { execution } = this
    for (let i = 0; i < this.behind.length; i++) continuation.turn?.follow(execution, this.behind[i]!)
    if (running === execution) execution.putBehindMicrotasks(continuation, () => this.settlers())
    execution.wake(continuation, after)
  }

  /** The steps that have settled it, and those whose outcomes it passes on. */
  settlers(): readonly number[] {
    const own = this.#settledIn === undefined ? none : [this.#settledIn]
    return this.followed.length === 0 ? own : [...own, ...this.followed.flatMap((other) => other.settlers())]
  }

  /** Something waits from now on, whoever settles it. */
  #isAwaited(): void {
    if (running === this.execution) running.accesses.loop?.changes(this.object)
  }

  /** Calls back in the microtask in which a reaction would run: for what passes an outcome on, with what comes before such a reaction. */
  afterSettled(pass: (behind: readonly Turn[]) => void, mark = this.mark()): void {
    const { jobs } = this.execution
    const job = (): void => pass(mark.length > 0 ? [...this.behind, ...mark] : this.behind)
    if (this.state !== 'pending') return jobs.later(job, this.#place && isLater(this.#place, jobs.place) ? this.#place : undefined)
    if (!this.isEnding) return this.#register(job)
    const place = this.execution.reservePlace()
    inMicrotask(() => (this.state === 'pending' ? this.#register(job) : jobs.inPlace(place, () => jobs.now(job))))
  }

  /** What stands behind the reactions that there are, if there are any. */
  mark(): readonly Turn[] {
    const mark = running === this.execution ? this.#reactions?.mark(running) : undefined
    return mark ? [mark] : none
  }

  #register(job: () => void): void {
    this.#isAwaited()
    ;(this.#waiting ??= []).push(new Waiting(job, { isJob: true, since: this.execution.jobs.place }))
  }

  /** What a reader calls it: by the call whose result it is, by what makes it of others, by what it was made for. */
  #name(): string {
    const { owner, combinator } = this
    // A call that is awaited at once has the process of its caller.
    if (owner) return `promise of ${owner.process?.name.startsWith(`${owner.name}#`) ? owner.process.name : owner.name}`
    if (combinator !== undefined) return combinator
    const made = placeOf(this.site)?.name
    return made === undefined ? 'promise' : `promise ${made}`
  }

  /** The calls of which one has to go on before this can be settled, whatever it was handed on by. */
  blockers(seen = new Set<PromiseRecord>()): AsyncCall[] {
    if (this.state !== 'pending' || seen.has(this)) return []
    seen.add(this)
    if (this.owner?.isSuspended) return [this.owner]
    const parts = this.combinator === 'Promise.all' || this.combinator === 'Promise.allSettled' ? this.parts : none
    return [...this.followed, this.reactsTo, this.mayFollow, ...parts].flatMap((record) => record?.blockers(seen) ?? [])
  }

  /** The call whose end it was left to. */
  get leftTo(): AsyncCall | undefined {
    return this.owner ?? (this.followed.length === 1 ? this.followed[0]!.leftTo : undefined)
  }

  /** The step now running was enabled by this promise. */
  orderAfter(execution: Execution, site: SiteId): void {
    if (this.#written) execution.accesses.wait(this.object, SETTLED, site)
    else execution.accesses.waitUnseen(this.object, SETTLED)
    this.comesFromOutside?.()
    this.goesOn?.()
    for (let i = 0; i < this.followed.length; i++) this.followed[i]!.orderAfter(execution, site)
  }
}

const none: readonly never[] = []

/** Runs a job that is due one microtask after this moment. */
export function inMoment({ jobs }: Execution, moment: Moment, job: () => void): void {
  if (moment === 'now') jobs.later(job)
  else jobs.now(job)
}

// A promise has the name that its record has.
namedOtherwise((object) => (running === null ? undefined : knownRecord(running, object)?.object))

/** The record of a promise, of whatever execution. */
export function recordOfAny(promise: object): PromiseRecord | undefined {
  const known = tiedTo(promise)
  return known instanceof PromiseRecord ? known : undefined
}

/** The record of a promise of this execution; undefined for one that it does not know. */
export function knownRecord(execution: Execution, promise: object): PromiseRecord | undefined {
  const record = recordOfAny(promise)
  return record?.execution === execution ? record : undefined
}
