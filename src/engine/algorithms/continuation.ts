import { footprintsConflict } from '../access.ts'
import { grown } from '../trace/columns.ts'
import { DeferredContinuation } from './deferred.ts'
import type { KnownFootprints } from './known-footprints.ts'
import type { Ordinal } from '../ids.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** How the next step of a process relates to v: it can come first, and is part of v, */
export const INITIAL = -1
/** or it commutes with all of v, and is no part of it, */
export const INDEPENDENT = -2
/** or that is not known. Else it is the first place of v that it conflicts with. */
export const UNKNOWN = -3

/**
 * A race (e, e') reversed, in full: v = notdep(e, E).e' as a sequence, with the footprints of its steps. Its places are the
 * numbers of the steps after e; e' stands at its own place where it would do the same there, else behind all others.
 */
export class Continuation {
  readonly #trace: Trace
  readonly #known: KnownFootprints
  /** Whether all footprints that mattered so far are known. */
  isCertain = true
  /** Whether all that was found holds for every execution that begins with the same steps up to e'. */
  isLasting = true
  /** The place that `relation` found to come first. */
  #initial: number = NONE
  #race = 0
  #first = 0
  /** The step that e' is, or NONE, and its place in v. */
  #second: number = NONE
  #lastPlace: number = NONE
  #lastProcess: Ordinal | typeof NONE = NONE
  /** Footprint of e', location and kind of each access in turn; undefined if it cannot be known. */
  #last: Int32Array | undefined
  /** By place: the race for which it was taken out, or is needed in a new branch. */
  #taken = new Int32Array(16)
  #needed = new Int32Array(16)
  #stamp = 0
  #clock = new Int32Array(8)

  readonly #isCareful: boolean

  /** With `assumesKinds` a compare-and-swap of which nothing is known is taken to do what it did in E: for tests. */
  constructor(trace: Trace, known: KnownFootprints, { assumesKinds }: { readonly assumesKinds: boolean }) {
    this.#trace = trace
    this.#known = known
    this.#isCareful = !assumesKinds
  }

  /** Takes race number `race` in hand. */
  begin(race: number): void {
    const { races, steps } = this.#trace
    const first = races.first[race] as number
    const second = races.step[race] as number
    this.#race = race
    this.#first = first
    this.#second = second
    this.#stamp++
    this.#taken = grown(this.#taken, steps.count + 1)
    this.#needed = grown(this.#needed, steps.count + 1)
    this.#lastPlace = NONE
    this.#lastProcess = NONE
    this.#last = undefined
    this.isCertain = true
    this.isLasting = true
    if (second !== NONE && !this.#trace.happensBefore(first, second)) return
    this.#lastProcess = races.process[race] as Ordinal
    this.#last = this.#footprintOfLast()
    this.isCertain = this.#last !== undefined
    this.#lastPlace = this.#kindOfLast() !== NONE && second !== NONE ? second : steps.count
  }

  /**
   * How a step of the process with this footprint relates to what is left of v: INITIAL, INDEPENDENT, or the place of the
   * first step that conflicts with it. Without a footprint it may also be UNKNOWN.
   */
  relation(process: Ordinal | typeof NONE, footprint: Int32Array | undefined): number {
    if (footprint === undefined) return this.#relationOfUnknown(process)
    for (let place = this.#next(this.#first); place !== NONE; place = this.#next(place)) {
      const isInitial = this.#processAt(place) === process
      if (!isInitial && !this.#conflictsAt(place, footprint)) continue
      if (place > this.#second) this.isLasting = false
      if (!isInitial) return place
      this.#initial = place
      return INITIAL
    }
    this.isLasting = false
    return INDEPENDENT
  }

  /** Takes out the step that the last relation found to come first. */
  takeInitial(): void {
    this.#taken[this.#initial] = this.#stamp
  }

  /** A new branch has to contain the step at this place. */
  need(place: number): void {
    this.#needed[place] = this.#stamp
  }

  /** Whether nothing is left. */
  get isEmpty(): boolean {
    for (let place = this.#next(this.#first); place !== NONE; place = this.#next(place)) return false
    return true
  }

  /** Whether e' has the same footprint whatever other steps follow. */
  get lastIsSettled(): boolean {
    return this.#lastPlace === this.#second
  }

  /** Calls `visit` with the process (its ordinal) and footprint of what is left and needed, in order. */
  forEachNeeded(visit: (process: Ordinal, footprint: Int32Array | undefined) => void): void {
    this.#completeNeeds()
    const { steps } = this.#trace
    for (let place = this.#next(this.#first); place !== NONE; place = this.#next(place)) {
      if (this.#needed[place] !== this.#stamp) continue
      if (place === this.#lastPlace) visit(this.#lastProcess as Ordinal, this.#last)
      else visit(steps.process[place] as Ordinal, steps.footprint(place))
    }
  }

  /** All of v, to be judged later. */
  defer(): DeferredContinuation {
    const { processes, races, steps } = this.#trace
    this.#stamp++
    const places: number[] = []
    for (let place = this.#next(this.#first); place !== NONE; place = this.#next(place)) places.push(place)
    const hasLast = places.includes(this.#lastPlace)
    const last = hasLast && {
      process: processes.id(this.#lastProcess as Ordinal),
      footprint: this.#last,
      start: this.#last === undefined ? this.#known.startOf(this.#second, races.origin[this.#race] as number) : undefined,
    }
    return new DeferredContinuation(
      places
        .filter((place) => place !== this.#lastPlace)
        .map((step) => ({
          process: processes.id(steps.process[step] as Ordinal),
          footprint: steps.footprint(step),
          identity: this.#known.identity(step),
        })),
      last || undefined,
    )
  }

  /** The place after `place` that is part of v and left; NONE at the end. */
  #next(place: number): number {
    const { steps, clocks } = this.#trace
    const { rows, width } = clocks
    const process = steps.process[this.#first] as number
    const index = steps.index[this.#first] as number
    for (let next = place + 1; next < steps.count; next++) {
      const isPart = next === this.#lastPlace || (rows[next * width + process] as number) < index
      if (isPart && this.#taken[next] !== this.#stamp) return next
    }
    const end = steps.count
    return place < end && this.#lastPlace === end && this.#taken[end] !== this.#stamp ? end : NONE
  }

  #processAt(place: number): Ordinal {
    return place === this.#lastPlace ? (this.#lastProcess as Ordinal) : (this.#trace.steps.process[place] as Ordinal)
  }

  /** Where the process's step is part of v, and nothing before it is left, nothing has to be known of it. */
  #relationOfUnknown(process: Ordinal | typeof NONE): number {
    this.isLasting = false
    const start = this.#next(this.#first)
    for (let place = start; place !== NONE; place = this.#next(place)) {
      if (this.#processAt(place) !== process) continue
      if (place !== this.#lastPlace) return this.relation(process, this.#trace.steps.footprint(place))
      if (this.#last !== undefined) return this.relation(process, this.#last)
      if (place !== start) return UNKNOWN
      this.#initial = place
      return INITIAL
    }
    return UNKNOWN
  }

  /** Whether the step at the place depends on the footprint. Of an e' that is not known the worst is assumed. */
  #conflictsAt(place: number, footprint: Int32Array): boolean {
    if (place === this.#lastPlace) return this.#last === undefined || footprintsConflict(this.#last, footprint)
    return footprintsConflict(this.#trace.steps.footprint(place), footprint)
  }

  /** Marks e', and what the needed places cannot do without. */
  #completeNeeds(): void {
    const { races, steps, clocks } = this.#trace
    this.#clock = grown(this.#clock, clocks.width)
    this.#clock.fill(0)
    if (this.#lastPlace !== NONE) {
      this.need(this.#lastPlace)
      this.#follow(races.cause[this.#race] as number)
      if (this.#second === NONE || steps.fixed[this.#second] === 0) this.#needWhatConflictsWithLast()
    }
    for (let place = steps.count - 1; place > this.#first; place--) {
      if (place === this.#lastPlace) continue
      const isNeeded = this.#needed[place] === this.#stamp
      const isBefore = (this.#clock[steps.process[place] as number] as number) >= (steps.index[place] as number)
      if (!isNeeded && !isBefore) continue
      this.need(place)
      if (isNeeded) this.#follow(place)
    }
  }

  #needWhatConflictsWithLast(): void {
    const last = this.#last
    if (last === undefined) return
    for (let place = this.#next(this.#first); place !== NONE; place = this.#next(place)) {
      if (place !== this.#lastPlace && this.#conflictsAt(place, last)) this.need(place)
    }
  }

  #follow(step: number): void {
    if (step !== NONE) this.#trace.clocks.addTo(this.#clock, step)
  }

  /** The footprint of e' when it comes before e; undefined if that cannot be known. */
  #footprintOfLast(): Int32Array | undefined {
    const { races, steps } = this.#trace
    const race = this.#race
    const kind = this.#kindOfLast()
    if (kind === NONE) return this.#known.find(race)
    if (races.blocking[race] !== NONE) return steps.single(races.location[race] as number, kind)
    const step = this.#second
    if (steps.fixed[step] === 1) return steps.footprint(step)
    return steps.single(steps.location[steps.start[step] as number] as number, kind)
  }

  /** Of an e' with one access: what that is when e' comes before e. NONE if that is not known, and for all others. */
  #kindOfLast(): number {
    const kind = this.#trace.kindBefore(this.#race)
    if (kind !== NONE || this.#isCareful || this.#trace.writesBefore(this.#second) === undefined) return kind
    const { steps } = this.#trace
    return steps.kind[steps.start[this.#second] as number] as number
  }
}
