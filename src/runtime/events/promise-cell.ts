import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { namedOtherwise, type ObjectId } from '../execution/identity.ts'
import { REACTIONS, SETTLED } from '../execution/keys.ts'
import type { Decider } from '../execution/one-line.ts'
import { alsoHears } from '../execution/listener.ts'
import type { Call } from '../execution/process.ts'
import { NativePromise } from '../execution/native.ts'
import type { Settlement } from '../execution/told-access.ts'
import { running } from '../execution/running.ts'
import { placeOf } from '../execution/sources.ts'
import { tie, tiedTo } from '../execution/tie.ts'

/** How a promise came about. */
interface Origin {
  readonly isForeign: boolean
  readonly isDerived: boolean
}

/**
 * What is known of one promise of the platform that was made in a step. Its location is what steps agree on: whoever settles it
 * writes, whoever asks for its outcome reads. Nobody else has the promise in the step that makes it, so that step tells nothing.
 */
export class PromiseCell {
  readonly execution: Execution
  readonly object: ObjectId
  /** Where it was made, as far as that is known. */
  site: SiteId
  /** The async call whose result it is, */
  owner: Call | undefined
  /** or that goes on when this one does: the platform makes a promise for each `await`. */
  resumes: Call | undefined
  /** What it is the result of, */
  combinator: string | undefined
  /** and the promises that were given to that. */
  parts: readonly object[] = none
  isSettled = false
  /** Its outcome is decided, if only by that of another promise. */
  isClaimed = false
  /** Somebody has called a function that settles it, later than in the call that has made it. */
  #isDeferred = false
  /** What code that is not instrumented does when this is settled. */
  #heard: (() => void) | undefined
  #tells: (() => void) | undefined
  #asked: (() => void) | undefined
  readonly #bornIn: number
  #settledIn = -1
  /** How many wait for it, from other steps than the one that made it. */
  #asks = 0

  /** Code that is not instrumented has made it. */
  readonly isForeign: boolean
  /** Another promise decides it, */
  readonly #isDerived: boolean
  /** or functions of which it is known who calls them. */
  isControlled = false
  /** Nothing settles it but functions that tell when they are called. */
  isTold = false
  /** What it is to be, which is a promise of the platform, as such a function has been told. */
  #becomes: object | undefined

  constructor(execution: Execution, site: SiteId, { isForeign, isDerived }: Origin) {
    this.execution = execution
    this.site = site
    this.isForeign = isForeign
    this.#isDerived = isDerived
    this.object = isForeign ? execution.identities.freshForeign() : execution.identities.fresh()
    this.#bornIn = execution.stepCount
    execution.recorder?.owners.tell(this.object, () => this.#name())
  }

  /** The running step has made it. */
  get isNew(): boolean {
    return this.execution.stepCount === this.#bornIn
  }

  /** The platform has made it for work of its own, which is still under way. */
  get isOfPlatform(): boolean {
    return !this.isSettled && !this.#isDerived && !this.isControlled && this.owner === undefined && this.combinator === undefined
  }

  /** Others of the program settle it, or what a call has passed on as its result: there is no time that it takes by itself. */
  get isUpToOthers(): boolean {
    const passedOn = this.owner?.endsWith
    return this.#isDeferred || (passedOn !== undefined && cellOf(this.execution, passedOn)?.isUpToOthers === true)
  }

  /** Whether others may have a say in what it is. */
  get #isShared(): boolean {
    return running === this.execution && !this.isNew && this.#settledIn !== this.#bornIn
  }

  /** The running step does one thing if it is settled, and another if not. */
  look(site: SiteId): void {
    if (this.#isShared) this.execution.accesses.read(this.object, SETTLED, site, this.isSettled)
  }

  /** The running step asks for the outcome: to know it, or to do something once it is there. */
  ask(site: SiteId): void {
    this.#asked?.()
    if (!this.#isShared) return
    this.look(site)
    if (this.isSettled) return
    this.#asks++
    this.execution.accesses.append(this.object, REACTIONS, site, {})
  }

  /** Calls back whenever somebody of the program asks for the outcome. */
  whenAsked(callback: () => void): void {
    this.#asked = callback
  }

  /** The running step has settled it. */
  settled(): void {
    this.isSettled = true
    this.isClaimed = true
    this.#settledIn = this.execution.stepCount
    if (running === this.execution) this.#heard?.()
    if (running !== this.execution || this.isNew) return
    running.accesses.settle(this.object, SETTLED, this.site)
    // Those who wait go on now, in the order in which they have asked.
    running.accesses.read(this.object, REACTIONS, this.site, this.#asks)
  }

  /** Code that is not instrumented has got hold of it. */
  heardBy(hears: () => void): void {
    this.#heard = alsoHears(this.#heard, hears)
  }

  /** A call that code which is not instrumented has made is what it may wait for. */
  heardByCaller(): void {
    const { listener } = this.execution
    if (listener !== undefined && listener.call === this.execution.call) this.heardBy(listener.hears)
  }

  /** Somebody calls a function that settles it: only the first call does. */
  claim(site: SiteId, outcome?: Settlement): void {
    if (running !== this.execution) return
    this.#isDeferred = true
    if (this.isClaimed) {
      running.accesses.settleTooLate(this.object, SETTLED, site, 'settled', outcome)
    } else {
      this.isClaimed = true
      if (outcome?.as === 'fulfilled' && asksNothingOfProgram(outcome.value)) this.#becomes = outcome.value
      if (!this.isNew) running.accesses.settle(this.object, SETTLED, site, outcome)
    }
  }

  /** What decides it, and whether that waits for others. */
  get decider(): Decider {
    const { owner, combinator, isTold, isClaimed } = this
    if (combinator !== undefined || owner?.isSuspended || (isTold && !isClaimed)) return 'waits'
    return { waitsFor: this.#becomes ?? owner?.endsWith }
  }

  /** The reaction whose result this is tells what it does, as the platform's own functions do not. */
  whenBegun(tells: () => void): void {
    this.#tells = tells
  }

  /** The reaction whose result this is begins. */
  begins(): void {
    this.#tells?.()
  }

  /** The call that has to go on before this can be settled: its own, or that to which its own has left it. */
  get leftTo(): Call | undefined {
    return this.#leftTo(new Set())
  }

  /** @param seen calls may be left to each other */
  #leftTo(seen: Set<PromiseCell>): Call | undefined {
    const { owner } = this
    if (owner?.isSuspended || owner?.endsWith === undefined || seen.has(this)) return owner
    const cell = cellOf(this.execution, owner.endsWith)
    return cell && cell.#leftTo(seen.add(this))
  }

  /** The calls of which one has to go on before this can be settled, as far as they are known. */
  blockers(seen = new Set<PromiseCell>()): Call[] {
    if (this.isSettled || seen.has(this)) return []
    seen.add(this)
    const { leftTo } = this
    if (leftTo?.isSuspended) return [leftTo]
    const isOfAll = this.combinator === 'Promise.all' || this.combinator === 'Promise.allSettled'
    return (isOfAll ? this.parts : none).flatMap((part) => cellOf(this.execution, part)?.blockers(seen) ?? [])
  }

  #name(): string {
    if (this.owner) return `promise of ${this.owner.name}`
    if (this.combinator !== undefined) return this.combinator
    const made = placeOf(this.site)?.name
    return made === undefined ? 'promise' : `promise ${made}`
  }
}

const none: readonly never[] = []

/** What is known of a promise, if a step of this execution made it. */
export function cellOf(execution: Execution, promise: object): PromiseCell | undefined {
  const known = tiedTo(promise)
  return known instanceof PromiseCell && known.execution === execution ? known : undefined
}

/** From now on the promise is known. */
export function makeCell(execution: Execution, promise: object, origin: Origin): PromiseCell {
  const cell = new PromiseCell(execution, 0, origin)
  tie(promise, cell)
  return cell
}

/** Whether a promise runs code of the program when it is asked for its class, as the platform does once. */
export const tellsOfItsClass = (promise: Promise<unknown>): boolean => Reflect.getOwnPropertyDescriptor(promise, 'constructor')?.get !== undefined

/** A reaction to a promise is registered: the platform tells of it by itself, but not where it makes a promise of a subclass for it. */
export function askSubclass(execution: Execution, promise: Promise<unknown>, site: SiteId): void {
  if (tellsOfItsClass(promise) || promise.constructor !== NativePromise) cellOf(execution, promise)?.ask(site)
}

/** Who settles a promise to which no reaction does. */
export function deciderOf(promise: object): Decider {
  const known = tiedTo(promise)
  return known instanceof PromiseCell ? known.decider : { waitsFor: undefined }
}

/** A promise that the platform asks for its `then`, and for nothing of the program's. */
export function asksNothingOfProgram(value: unknown): value is object {
  return typeof value === 'object' && value !== null && isPromise(value) && Reflect.getPrototypeOf(value) === NativePromise.prototype && !Object.hasOwn(value, 'then')
}

/** The execution in which a promise was made, however long ago. */
export function executionOf(promise: object): Execution | undefined {
  const known = tiedTo(promise)
  return known instanceof PromiseCell ? known.execution : undefined
}

// A promise has the name that its cell has.
namedOtherwise((object) => (running === null || !isPromise(object) ? undefined : cellOf(running, object)?.object))
