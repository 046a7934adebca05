import { READ, WRITE, conflicts, footprintsConflict } from './access.ts'
import { grown } from './columns.ts'
import { DeferredContinuation } from './deferred.ts'
import type { KnownFootprints } from './known-footprints.ts'
import { NONE } from './processes.ts'
import type { Trace } from './trace.ts'

/** Stands for e' among the steps of v. */
export const LAST = -1

/** How the next step of a process relates to v: it is the first of v that it depends on, or ... */
export const INITIAL = -1
/** ... it is no part of v, and commutes with all of it. */
export const INDEPENDENT = -2
/** ... or that is not known. */
export const UNKNOWN = -3

/**
 * A race (e, e') reversed, in full: v = notdep(e, E).e' as a sequence, with the footprints of its steps. Places of it can
 * be taken out, and marked as needed.
 */
export class Continuation {
  readonly #trace: Trace
  readonly #known: KnownFootprints
  /** Places of v. */
  count = 0
  /** By place: the step, or LAST. */
  step = new Int32Array(64)
  /** By place: 1 once it is taken out. */
  #taken = new Int32Array(64)
  /** By place: 1 where a new branch cannot do without it. */
  #needed = new Int32Array(64)
  /** Whether all footprints that mattered so far are known. */
  isCertain = true
  /** Places that are not taken out. */
  left = 0
  #race = 0
  /** Footprint of e'; undefined if it cannot be known. */
  last: Int32Array | undefined
  lastProcess: number = NONE
  /** The place that `relation` found. */
  place: number = NONE
  #clock = new Int32Array(8)

  constructor(trace: Trace, known: KnownFootprints) {
    this.#trace = trace
    this.#known = known
  }

  /** Takes race number `race` in hand. */
  begin(race: number): void {
    const { races, steps } = this.#trace
    const first = races.first[race] as number
    this.#race = race
    this.#reserve(steps.count + 1)
    let count = 0
    for (let i = first + 1; i < steps.count; i++) {
      if (!this.#trace.happensBefore(first, i)) this.step[count++] = i
    }
    this.lastProcess = NONE
    this.last = undefined
    const second = races.step[race] as number
    if (second === NONE || this.#trace.happensBefore(first, second)) {
      this.step[count++] = LAST
      this.lastProcess = races.process[race] as number
      this.last = this.#footprintOfLast()
    }
    this.#taken.fill(0, 0, count)
    this.#needed.fill(0, 0, count)
    this.count = count
    this.left = count
    this.isCertain = this.lastProcess === NONE || this.last !== undefined
  }

  /** To be decided later. */
  defer(): DeferredContinuation {
    const { steps, processes, races } = this.#trace
    const count = this.lastProcess === NONE ? this.count : this.count - 1
    const places = Array.from({ length: count }, (_, place) => this.step[place] as number)
    const second = races.step[this.#race] as number
    return new DeferredContinuation(
      places.map((step) => ({
        process: processes.id(steps.process[step] as number),
        footprint: steps.footprint(step),
        identity: this.#known.identity(step),
      })),
      this.lastProcess === NONE
        ? undefined
        : {
            process: processes.id(this.lastProcess),
            footprint: this.last,
            start: this.last === undefined ? this.#known.startOf(second, races.origin[this.#race] as number) : undefined,
          },
    )
  }

  process(place: number): number {
    const step = this.step[place] as number
    return step === LAST ? this.lastProcess : (this.#trace.steps.process[step] as number)
  }

  footprint(place: number): Int32Array | undefined {
    const step = this.step[place] as number
    return step === LAST ? this.last : this.#trace.steps.footprint(step)
  }

  isTaken(place: number): boolean {
    return this.#taken[place] === 1
  }

  take(place: number): void {
    this.#taken[place] = 1
    this.left--
  }

  need(place: number): void {
    this.#needed[place] = 1
  }

  isNeeded(place: number): boolean {
    return this.#needed[place] === 1
  }

  /**
   * How a step of the process with this footprint relates to what is left of v: INITIAL, INDEPENDENT, or the place of the
   * first step that conflicts with it. Without a footprint it may also be UNKNOWN.
   */
  relation(process: number, footprint: Int32Array | undefined): number {
    if (footprint === undefined) return this.#relationOfUnknown(process)
    for (let place = 0; place < this.count; place++) {
      if (this.#taken[place] === 1) continue
      if (this.process(place) === process) {
        this.place = place
        return INITIAL
      }
      if (this.#conflicts(place, footprint)) return place
    }
    return INDEPENDENT
  }

  /** Marks what the needed places cannot do without. */
  completeNeeds(): void {
    const { races, steps, clocks, processes } = this.#trace
    this.#clock = grown(this.#clock, Math.max(clocks.width, processes.count))
    this.#clock.fill(0)
    for (let place = this.count - 1; place >= 0; place--) {
      const step = this.step[place] as number
      if (step === LAST) {
        this.#needed[place] = 1
        const second = races.step[this.#race] as number
        this.#follow(races.cause[this.#race] as number)
        if (second === NONE || steps.fixed[second] === 0) this.#needWhatConflictsWithLast()
      } else if (this.#needed[place] === 1 || (this.#clock[steps.process[step] as number] as number) >= (steps.index[step] as number)) {
        this.#needed[place] = 1
        this.#follow(step)
      }
    }
  }

  #needWhatConflictsWithLast(): void {
    const last = this.last as Int32Array
    for (let place = 0; place < this.count; place++) {
      if (this.step[place] !== LAST && this.#conflicts(place, last)) this.#needed[place] = 1
    }
  }

  #follow(step: number): void {
    if (step === NONE) return
    const { rows, width } = this.#trace.clocks
    const row = step * width
    for (let p = 0; p < width; p++) {
      const component = rows[row + p] as number
      if (component > (this.#clock[p] as number)) this.#clock[p] = component
    }
  }

  /** The footprint of e' when it comes before e; undefined if that cannot be known. */
  #footprintOfLast(): Int32Array | undefined {
    const { races, steps } = this.#trace
    const race = this.#race
    if (races.blocking[race] !== NONE) return Int32Array.of(races.location[race] as number, races.blocking[race] as number)
    const step = races.step[race] as number
    if (steps.fixed[step] === 1) return steps.footprint(step)
    const writesBefore = this.#trace.writesBefore(step)
    if (writesBefore === undefined) return this.#known.find(race)
    const first = races.first[race] as number
    const footprint = steps.footprint(step)
    for (let i = steps.start[first] as number; i < (steps.end[first] as number); i++) {
      if (steps.location[i] !== footprint[0] || steps.kind[i] !== WRITE) continue
      footprint[1] = writesBefore(steps.version[i] as number) ? WRITE : READ
    }
    return footprint
  }

  /** Where the process's step is part of v, and nothing before it is left, nothing has to be known of it. */
  #relationOfUnknown(process: number): number {
    for (let place = 0; place < this.count; place++) {
      if (this.#taken[place] === 1 || this.process(place) !== process) continue
      const footprint = this.footprint(place)
      if (footprint !== undefined) return this.relation(process, footprint)
      if (!this.#isFirstLeft(place)) return UNKNOWN
      this.place = place
      return INITIAL
    }
    return UNKNOWN
  }

  #isFirstLeft(place: number): boolean {
    for (let i = 0; i < place; i++) if (this.#taken[i] === 0) return false
    return true
  }

  /** Of an e' that is not known the worst is assumed. */
  #conflicts(place: number, footprint: Int32Array): boolean {
    const { steps } = this.#trace
    const step = this.step[place] as number
    if (step === LAST) return this.last === undefined || footprintsConflict(this.last, footprint)
    const end = steps.end[step] as number
    for (let i = steps.start[step] as number; i < end; i++) {
      for (let j = 0; j < footprint.length; j += 2) {
        if (steps.location[i] === footprint[j] && conflicts(steps.kind[i] as number, footprint[j + 1] as number)) return true
      }
    }
    return false
  }

  #reserve(count: number): void {
    if (count <= this.step.length) return
    this.step = grown(this.step, count)
    this.#taken = grown(this.#taken, this.step.length)
    this.#needed = grown(this.#needed, this.step.length)
  }
}
