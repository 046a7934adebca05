import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { fulfilWith, mayHaveThen } from '../execution/fulfilling.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Loop } from '../execution/loops.ts'
import { hear, isNativeThen, NativePromise } from '../execution/native.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { isInPackage, placeOf, type SourcePlace } from '../execution/sources.ts'
import { cellOf } from './promise-cell.ts'
import { unseen } from './promise-hooks.ts'

export type Settle = () => void

/** The functions that settle a promise. */
interface Settlers {
  readonly fulfil: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The answer of something outside, or of what stands for that: an event of its own, in which a promise is settled. It may take
 * any time. All that waits for the promise then goes on as the platform has it.
 */
export class Answer implements Continuation {
  readonly queue = 'turns'
  process: Process | undefined
  readonly site: SiteId
  readonly #execution: Execution
  readonly #askedIn: number
  readonly #cause: () => () => void
  #settle: Settle | undefined
  /** The later step in which what was asked for came about has this. */
  #enabledBy: ObjectId | undefined
  #isOver = false
  #isEarly = false
  /** Tells what it may be due to, if it comes from outside. */
  #follow: (() => void) | undefined

  /**
   * @param cause gives, when it comes, what tells what it is due to
   * @param call who has asked
   */
  constructor(execution: Execution, site: SiteId, { cause = () => execution.outside.comes(), call = execution.call }: { readonly cause?: () => () => void; readonly call?: Call | null } = {}) {
    this.#execution = execution
    this.#cause = cause
    this.site = site
    this.#askedIn = execution.stepCount
    // Only then is it known who waits for whom.
    execution.atStepEnd(() => this.#takeProcess(call))
  }

  /** It is there: what it does can be taken as a step. */
  comes(settle: Settle): void {
    this.#settle = settle
    const execution = this.#execution
    if (running === execution && execution.stepCount !== this.#askedIn) {
      this.#enabledBy = execution.identities.fresh()
      execution.accesses.takeTurn(this.#enabledBy)
    }
    // What is real may come before the step that has asked for it is over.
    if (running !== execution) this.#follow = this.#cause()
    if (this.process === undefined && running !== execution) this.#isEarly = true
    else execution.wake(this)
  }

  /** The promise is settled within a step: there will be no event. */
  isOver(): void {
    this.#isOver = true
  }

  resume(): void {
    const execution = this.#execution
    execution.enter(null)
    if (this.#enabledBy !== undefined) execution.accesses.followTurn(this.#enabledBy)
    this.#follow?.()
    this.#settle!()
  }

  delegate(): undefined {
    return undefined
  }

  #takeProcess(call: Call | null): void {
    if (this.#isOver) return
    this.process = processOfAnswer(this.#execution, call)
    if (this.#isEarly) this.#execution.wake(this)
  }
}

/**
 * The process in which a call goes on with an answer, at the end of the step in which it has asked: the line of control that waits goes on as the
 * process of this step, if it is that one's. What other steps did must not decide it: who has come to wait for that line meanwhile.
 */
export function processOfAnswer(execution: Execution, call: Call | null): Process {
  const line = call && lineOf(execution.process, call)
  const asker = line && askerOf(line)
  let process: Process
  if (line?.process === execution.process && execution.process.canGoOn(execution.stepCount)) {
    process = execution.process
  } else {
    const known = line?.process ?? asker?.process
    process = known ? execution.processes.spawnAnother(known) : execution.processes.spawn(asker?.name ?? 'answer')
    if (line) line.process = process
  }
  if (asker) asker.process ??= process
  process.loop = loopOf(call)
  return process
}

/** Of the call, and those that wait for one another up from it: the first one that goes on as this process, or the outermost where none does. */
function lineOf(process: Process, call: Call): Call {
  let line = call
  while (line.process !== process && line.awaitedBy?.isSuspended) line = line.awaitedBy
  return line
}

/** The loop that goes on with what the call waits for. */
function loopOf(call: Call | null): Loop | undefined {
  for (let waiting: Call | undefined = call ?? undefined; waiting?.isSuspended; waiting = waiting.awaitedBy) {
    if (waiting.loop) return waiting.loop
  }
  return undefined
}

/** The call that waits for the call that waits for this one: one line of control. */
function outermost(call: Call): Call {
  let line = call
  while (line.awaitedBy?.isSuspended) line = line.awaitedBy
  return line
}

/** The call that a reader takes for the one who asks: where a package does so in a call that nobody awaits, the one that has called the package. */
function askerOf(line: Call): Call {
  let asker: Call | undefined = line
  while (asker && isInPackage(asker.site)) asker = asker.caller && outermost(asker.caller)
  // What the body starts is a line of control of its own.
  return asker?.caller ? asker : line
}

/** What `await` in a file that stands for I/O waits for, unless that has to come anyway: an answer of its own. */
export function answerTo(execution: Execution, value: unknown, site: SiteId): Promise<unknown> | undefined {
  const { events } = execution
  const place = placeOf(site)
  if (place === undefined || !events || events.io(place) === 'nothing' || letsMicrotaskPass(execution, place.text)) return undefined
  if (isPromise(value as object)) {
    // What another `then` makes of it the platform has to ask for.
    if (!hasNativeThen(value as object)) return undefined
    const cell = cellOf(execution, value as object)
    cell?.look(site)
    if (!cell?.isSettled || cell.isUpToOthers) return undefined
  } else if (mayHaveThen(value)) {
    return undefined
  }
  return standsIn(execution, `awaits in ${nameOf(place.file)}`, 'awaited') ? answered(execution, value, site) : undefined
}

function hasNativeThen(promise: object): boolean {
  for (let holder: object | null = promise; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, 'then')
    if (own) return isNativeThen(own.value)
  }
  return false
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** Settles a promise like the original, in the moment that `comes` finds right. */
export function settlesLike(original: Promise<unknown>, { fulfil, reject, comes, heard }: Settlers & { readonly comes: (settle: Settle) => void; readonly heard?: ((value: unknown) => void) | undefined }): void {
  unseen(() =>
    hear(
      original,
      (value) => {
        heard?.(value)
        comes(() => fulfilWith(fulfil, value))
      },
      (error: unknown) => comes(() => reject(error)),
    ),
  )
}

/** A promise with the outcome of this one, or this value, that is settled by an event of its own. */
export function answered(execution: Execution, value: unknown, site: SiteId): Promise<unknown> {
  const answer = new Answer(execution, site)
  const promise = new NativePromise((fulfil, reject) => {
    if (!isPromise(value as object)) return answer.comes(() => fulfil(value))
    cellOf(execution, value as object)?.ask(site)
    settlesLike(value as Promise<unknown>, { fulfil, reject, comes: (settle) => answer.comes(settle) })
  })
  const cell = cellOf(execution, promise)
  if (cell) cell.isControlled = true
  return promise
}

/** What an async function of a file that stands for I/O returns, where it has awaited nothing: its answer takes its time as well. @param callers where it may have been called: places of the call that has done so, and of what was done last */
export function answerOfFake<T>(execution: Execution, result: Promise<T>, { name, site, callers }: { readonly name: string; readonly site: SiteId; readonly callers: readonly SiteId[] }): Promise<T> {
  const place = placeOf(site)
  const { events } = execution
  if (place === undefined || !events) return result
  const stands = events.io(place)
  if (stands === 'awaits' && callers.some((caller) => isOfOther(placeOf(caller), place) && !isInPackage(caller))) events.answersAtOnce(`${name} at ${nameOf(place.file)}:${place.line}`)
  if (stands !== 'answers' || !standsIn(execution, `functions in ${nameOf(place.file)}`, result)) return result
  return answered(execution, result, site) as Promise<T>
}

const isOfOther = (one: SourcePlace | undefined, { file }: SourcePlace): boolean => one !== undefined && one.file !== file

/** What `io` is given: the promise of it stands for an answer of something outside. */
export function answerToIo(execution: Execution, value: unknown, promise: Promise<unknown>): Promise<unknown> {
  if (!standsIn(execution, 'io()', promise)) return promise
  return answered(execution, isPromise(value as object) || mayHaveThen(value) ? promise : value, execution.call?.site ?? 0)
}

/** What a mock returns: it stands for an answer of something outside. */
export function answerOfMock(execution: Execution, value: object, site: SiteId): unknown {
  return standsIn(execution, `mock ${calleeAt(site)}`, value) ? answered(execution, value, site) : value
}

/** What a function returns that stands in the place of `fetch`. */
export function answerOfFetch(execution: Execution, result: Promise<unknown>, site: SiteId): Promise<unknown> {
  return standsIn(execution, 'fetch', result) ? answered(execution, result, site) : result
}

/** An answer to a request has come within the running step: whether it stands for one from outside. `answer` is called when it is its turn. */
export function isAnswerToRequest(execution: Execution, { call, site }: { readonly call: Call | null; readonly site: SiteId }, answer: Settle): boolean {
  if (!standsIn(execution, 'http')) return false
  new Answer(execution, call ? askerOf(outermost(call)).site : site, { call }).comes(answer)
  return true
}

/**
 * Whether the test itself waits for a turn of the event loop, as `await flushPromises()` does: it means that all has come by then which is under way. Stands for a
 * timer of no length, which fires when nothing else can run.
 */
export function awaitsAll(execution: Execution): boolean {
  const { call, events, clock } = execution
  // What the test calls may be a fake, whose answer takes its time.
  if (!events || !call || call.caller || clock.races) return false
  const place = placeOf(call.site)
  return place !== undefined && events.io(place) === 'awaits' && standsIn(execution, `awaits in ${nameOf(place.file)}`)
}

/**
 * `await Promise.resolve()`, of the test itself: that is one microtask, however long anything takes that a fake stands for. A loop that does so again and again
 * waits for something that may come later.
 */
function letsMicrotaskPass({ call, accesses }: Execution, text: string): boolean {
  return call !== null && !call.caller && accesses.loop === undefined && /^(?:await )?Promise\.resolve\(\)$/.test(text)
}

/** Whether this is an event of its own. Code that runs alone has one order, whatever it waits for. @param answer the promise by which it answers in the plain run, where that is known */
function standsIn(execution: Execution, name: string, answer?: object | 'awaited'): boolean {
  if (!execution.accesses.isExploring) return false
  execution.line?.meetsStandIn(answer)
  return execution.events?.hasStandIns(name) === true
}

/** What is called there, as the source says it. */
export function calleeAt(site: SiteId, fallback = 'vi.fn()'): string {
  return /^(?:await )?([\w$.#?[\]'"]+)\(/.exec(placeOf(site)?.text ?? '')?.[1] ?? fallback
}
