import type { LocationId, SiteId } from '../../engine/ids.ts'
import type { Look, Search } from '../../engine/index.ts'
import type { ObjectId } from './identity.ts'
import type { Process } from './process.ts'

/** What loops need of the engine. */
export type LoopSearch = Pick<Search, 'step' | 'hasChanged' | 'awaitChange'>

/** A look of an iteration, the first one at its location. */
interface Looked {
  readonly location: LocationId
  readonly step: number
  look: Look
}

/** A process that an iteration has made. */
interface Child {
  /** It ends by itself once it has run; of a timer whether time has to pass for it. */
  readonly kind: 'other' | 'at once' | 'timer'
  readonly round: number
}

/** What the next iteration would look at, if it is like the last one as long as that is as it was. */
interface Waits {
  readonly looks: readonly Looked[]
  /** The time that the iteration asked for. */
  readonly time: number | undefined
  /** Where it looks. */
  readonly sites: ReadonlySet<SiteId>
  /** Time passes in each iteration. */
  readonly isTimed: boolean
}

/** Looks of one iteration, and values that it finds, at most: a longer one is none that waits. */
const most = 2000

/** Iterations that are told apart by the time, while none passes. */
const mostTimed = 16

/** Iterations in one step after which it counts as endless. */
const mostCircles = 1000

/** What goes on and on: an async call, or a callback that sets itself again. */
export interface Asker {
  readonly name: string
  readonly process: Process | undefined
}

/**
 * A loop of an async call that awaits in each iteration, or a callback that sets itself again. Where an iteration has changed nothing that others can see, has left the
 * variables of the call as they were, and found up to its await what the one before it found, it has led back to the same state. The
 * next one will do so too until something changes that it looked at: it waits for that.
 */
export class Loop {
  call: Asker
  /** That sets itself again. */
  readonly callback: unknown
  readonly site: SiteId
  readonly #search: LoopSearch
  readonly #now: () => number
  /** Names of objects, and calls, that were made since it was tested last, and since the time before. */
  own = new Set<unknown>()
  #ownBefore = new Set<unknown>()
  /** The same of one time more, of calls that call themselves: what such a call gives is made before it is one of the loop's. */
  #ownCalls: ReadonlySet<unknown> = new Set()
  /** Values of variables where it was tested, and what was found since then up to the first await. */
  #carried: readonly unknown[]
  #found: unknown[] = []
  #before: { readonly carried: readonly unknown[]; readonly found: readonly unknown[] } | undefined
  /** How often it was tested again after an await. */
  #round = 0
  #hasAwaited = false
  #awaitsOthers = false
  /** Since the step ended that came to the last iteration's first await. */
  #hasEffect = false
  #looks = new Map<LocationId, Looked>()
  #sites = new Set<SiteId>()
  #time: number | undefined
  readonly #children = new Map<Process, Child>()
  #waits: Waits | undefined
  /** Since its call awaited last. */
  #hasJustHadEffect = false
  #awaitedIn = -1
  /** How often in a row an iteration of the running step has led back to the same state, with nothing else having run. */
  #circles = 0

  constructor(call: Asker, site: SiteId, { callback, carried, search, now }: { readonly callback?: unknown; readonly carried: readonly unknown[]; readonly search: LoopSearch; readonly now: () => number }) {
    this.call = call
    this.callback = callback
    this.site = site
    this.#carried = carried
    this.#search = search
    this.#now = now
  }

  get round(): number {
    return this.#round
  }

  /** It is tested again. */
  again(carried: readonly unknown[]): void {
    if (!this.#hasAwaited) return
    this.#hasAwaited = false
    this.#round++
    this.#before = { carried: this.#carried, found: this.#found }
    this.#carried = carried
    this.#found = []
    this.#ownBefore = this.own
    this.own = new Set()
  }

  /** The call ends with another one of its function, which goes on with the loop. */
  goesOnAs(call: Asker, carried: readonly unknown[]): void {
    this.call = call
    this.#ownCalls = this.#ownBefore
    this.again(carried)
  }

  /** Its call awaits, perhaps what only others can settle. Returns whether that is the first time in this iteration. */
  awaits({ others }: { readonly others: boolean }): boolean {
    if (this.#hasAwaited) return false
    this.#hasAwaited = true
    this.#awaitsOthers = others
    const { step } = this.#search
    this.#circles = step === this.#awaitedIn && !this.#hasJustHadEffect && this.#isSame ? this.#circles + 1 : 0
    this.#awaitedIn = step
    this.#hasJustHadEffect = false
    return true
  }

  /** Where a step is an event: the loop keeps it from ending. What else was queued would have run by now. Who asks for the time does that until some passes. */
  get isEndless(): boolean {
    return this.#circles > mostCircles && this.#time === undefined
  }

  /** The step is over in which its call came to the first await of an iteration. */
  stepEnded(): void {
    this.#waits = this.#isBack ? { looks: [...this.#looks.values()], time: this.#time, sites: this.#sites, isTimed: this.#isTimed } : undefined
    this.#hasEffect = false
    this.#looks = new Map()
    this.#sites = new Set()
    this.#time = undefined
  }

  get #isBack(): boolean {
    return !this.#hasEffect && this.#isSame
  }

  /** The variables are as they were, and it has found the same. */
  get #isSame(): boolean {
    const before = this.#before
    if (!before || this.#awaitsOthers || this.#looks.size > most) return false
    for (const { kind, round } of this.#children.values()) if (kind === 'other' || round !== this.#round) return false
    return areSame(before.carried, this.#carried) && areSame(before.found, this.#found) && this.#found.length < most
  }

  get #isTimed(): boolean {
    for (const { kind } of this.#children.values()) if (kind === 'timer') return true
    return false
  }

  /** The next step would lead to the same state once more. */
  get isWaiting(): boolean {
    return this.#waits !== undefined && !this.#waits.isTimed && this.isUnchanged
  }

  /** Nothing has changed that the last iteration looked at. */
  get isUnchanged(): boolean {
    const waits = this.#waits
    if (waits === undefined || this.#hasTimePassed(waits)) return false
    return !waits.looks.some(({ location, step }) => this.#search.hasChanged(location, step))
  }

  /** It asks for the time, and may go on when that passes. */
  get asksForTime(): boolean {
    return this.#waits?.time !== undefined
  }

  /** Where the looks stand that decide whether it goes on. */
  get sites(): readonly SiteId[] {
    return [...(this.#waits?.sites ?? this.#sites)]
  }

  #hasTimePassed({ time }: Waits): boolean {
    return time !== undefined && time !== this.#now()
  }

  /** A step of it begins; false if that is one of those that lead to the same state. */
  begins(): boolean {
    const waits = this.#waits
    this.#waits = undefined
    // After time has passed it comes after all that was.
    if (waits === undefined || waits.isTimed || this.#hasTimePassed(waits)) return true
    if (!waits.looks.some(({ location, step }) => this.#search.hasChanged(location, step))) return false
    for (const { location, step, look } of waits.looks) this.#search.awaitChange(location, step, look)
    return true
  }

  // What its steps do -------------------------------------------------------------------------

  reads(object: ObjectId, location: LocationId, { value, look, site }: { readonly value: unknown; readonly look: Look; readonly site: SiteId }): void {
    if (this.isOwn(object)) return
    if (!this.#hasAwaited && this.#found.length < most) this.#found.push(location, value)
    this.#sites.add(site)
    const looked = this.#looks.get(location)
    if (looked === undefined) {
      if (this.#looks.size <= most) this.#looks.set(location, { location, look, step: this.#search.step })
    } else if (looked.look !== look) looked.look = 'value'
  }

  /** Looks at what nobody changes. */
  readsUnchanged(site: SiteId): void {
    this.#sites.add(site)
  }

  /** Whether what it does takes time: that it waits shows only where nothing changes. */
  get takesTime(): boolean {
    return this.#round < mostTimed
  }

  /** The same for the time. */
  asksTime(time: number): void {
    if (!this.#hasAwaited && this.#found.length < most) this.#found.push('time', time)
    this.#time ??= time
  }

  changes(object: ObjectId): void {
    if (!this.isOwn(object)) this.hasEffect()
  }

  /** Something that others may see, or that decides what it does later. */
  hasEffect(): void {
    this.#hasEffect = true
    this.#hasJustHadEffect = true
  }

  /** Code runs in its step that goes on with a call, or a promise, or is a callback: perhaps one of others. */
  runs(made: unknown): void {
    if (!this.isOwn(made)) this.hasEffect()
  }

  /** Whether nobody else has what has this name, or the call: the last iteration made it, or this one. */
  isOwn(made: unknown): boolean {
    return this.own.has(made) || this.#ownBefore.has(made) || this.#ownCalls.has(made)
  }

  spawns(process: Process, kind: Child['kind'] = 'other'): void {
    this.#children.set(process, { kind, round: this.#round })
  }

  /** A process will do nothing any more: it has run, or will not. */
  ends(process: Process): void {
    if (!this.#children.delete(process)) this.hasEffect()
  }
}

// As it was before any body ran.
const { is } = Object

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, i) => is(value, other[i]))
}
