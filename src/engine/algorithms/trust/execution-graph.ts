import { ACQUIRE, JOIN, READ, RELEASE, UNTIL, WAIT, WRITE } from '../../access.ts'
import type { Beginnings } from './beginnings.ts'
import type { Ordinal } from '../../ids.ts'
import { Clocks } from '../../trace/clocks.ts'
import { column, grown } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { Races } from '../../trace/races.ts'
import type { Trace } from '../../trace/trace.ts'

/** What a step does that accesses nothing, such as one that spawns. */
export const NOTHING = NONE

/** No event has a rank as high as this. */
const NEVER = 0x7fffffff

/**
 * The current execution as an execution graph: what each event reads from, and the order in which the events were added to the graph. A write
 * counts as an update: it reads from the write that comes before it in coherence order, so that reads-from says both.
 *
 * Events are named by their step in the execution, which is a linearisation of the graph; writes of a location stand in coherence order.
 */
export class ExecutionGraph {
  readonly #trace: Trace
  /** Events. What somebody waits for may be added after them, as the event `count`. */
  count = 0
  /** By event: its place in the order in which events were added to the graph. Those that the execution adds come in its order. */
  rank = new Int32Array(16)
  /** By rank: the event. */
  ranked = new Int32Array(16)
  /** By event: 1 if it came in the place of a lock, or of a blocking read, that it displaced. */
  displaces = new Int32Array(16)
  /** By event: it has waited for a change that comes after this one, its own look of before; NONE if it has not waited. */
  since = new Int32Array(16)
  process = column<Ordinal>(16)
  /** By event: the one before it in program order, or NONE. */
  origin = new Int32Array(16)
  /** By event: READ, WRITE, ACQUIRE, RELEASE, UNTIL, WAIT, JOIN or NOTHING. */
  kind = new Int32Array(16)
  /** By event: its location, or NONE. */
  location = new Int32Array(16)
  /** By event: the change of the location that it reads from; NONE if that is the first value. Of a JOIN: the last event of the process that has ended. */
  source = new Int32Array(16)
  /** By event: the event of its location before it, or NONE. */
  before = new Int32Array(16)
  /** By change: the lowest rank of the events that read from it and change nothing. */
  firstReader = new Int32Array(16)
  /** By event: what it comes after by program order and reads-from. */
  readonly #prefixes = new Clocks()
  /** By location: its last event so far, and its last change. */
  #last = new Int32Array(16).fill(NONE)
  #lastChange = new Int32Array(16).fill(NONE)

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** Another execution begins with these events. */
  begin({ length, rank, displaces }: Beginnings): void {
    this.#reserve(length)
    this.rank.set(rank.subarray(0, length))
    this.displaces.set(displaces.subarray(0, length))
  }


  /** The step that has ended has waited for a change since that step; NONE: for none. */
  waited(step: number, since: number): void {
    this.since = grown(this.since, step + 1)
    this.since[step] = since
    if (since !== NONE) this.isMixed = true
  }

  /** The execution has ended; it began with `planned` events. */
  build(planned: number): void {
    const { steps, processes } = this.#trace
    this.count = steps.count
    this.#reserve(this.count + 1)
    this.#prefixes.reserve(this.count + 1, processes.count)
    for (let event = 0; event < this.count; event++) {
      if (event >= planned) {
        this.rank[event] = event
        this.displaces[event] = 0
      }
      this.ranked[this.rank[event] as number] = event
      this.#add(event)
    }
    for (let event = 0; event < this.count; event++) {
      const location = this.location[event] as number
      if (location !== NONE) this.#last[location] = this.#lastChange[location] = NONE
    }
  }

  /** Adds what a process waits for when the execution has ended: the second event of a race. */
  addWaiting(races: Races, race: number): void {
    const event = this.count
    const location = races.location[race] as number
    this.process[event] = races.process[race] as Ordinal
    this.kind[event] = races.blocking[race] as number
    this.location[event] = location
    this.origin[event] = races.origin[race] as number
    this.before[event] = this.#lastOf(location)
    this.source[event] = NONE
  }

  /** Whether there was anything but reads and writes, such as what waits or spawns. */
  isMixed = false
  /** Locations have lower numbers. */
  get locations(): number {
    return this.#last.length
  }

  isChange(event: number): boolean {
    const kind = this.kind[event]
    return kind === WRITE || kind === ACQUIRE || kind === RELEASE
  }

  /** Whether it comes after a value of its location. */
  reads(event: number): boolean {
    const kind = this.kind[event]
    return kind !== NOTHING && kind !== JOIN
  }

  /** What comes before the event by program order and reads-from, and the event itself, is now in the clock. */
  addPrefix(clock: Int32Array, event: number): void {
    if (event !== NONE) this.#prefixes.addTo(clock, event)
  }

  /** Whether the event is in the clock. */
  isIn(clock: Int32Array, event: number): boolean {
    return (this.#trace.steps.index[event] as number) <= (clock[this.process[event] as number] as number)
  }

  #add(event: number): void {
    const { steps, processes } = this.#trace
    const access = steps.start[event] as number
    const kind = access === steps.end[event] ? NOTHING : (steps.kind[access] as number)
    this.process[event] = steps.process[event] as Ordinal
    this.origin[event] = steps.origin[event] as number
    this.kind[event] = kind
    if (kind !== READ && kind !== WRITE) this.isMixed = true
    this.firstReader[event] = NEVER
    if (kind === NOTHING || kind === JOIN) {
      this.location[event] = NONE
      this.source[event] = kind === JOIN ? processes.origin(steps.location[access] as Ordinal) : NONE
    } else this.#access(event, steps.location[access] as number)
    this.#prefixes.start(event, this.origin[event] as number)
    this.#prefixes.set(event, this.process[event] as number, steps.index[event] as number)
    if (this.source[event] !== NONE) this.#prefixes.join(event, this.source[event] as number)
  }

  #access(event: number, location: number): void {
    if (location >= this.#last.length) this.#reserveLocations(location + 1)
    const source = this.#lastChange[location] as number
    this.location[event] = location
    this.source[event] = source
    this.before[event] = this.#last[location] as number
    this.#last[location] = event
    if (this.isChange(event)) this.#lastChange[location] = event
    else if (source !== NONE && (this.rank[event] as number) < (this.firstReader[source] as number)) this.firstReader[source] = this.rank[event] as number
  }

  #reserve(count: number): void {
    if (count <= this.rank.length) return
    this.rank = grown(this.rank, count)
    this.ranked = grown(this.ranked, count)
    this.displaces = grown(this.displaces, count)
    this.process = grown(this.process, count)
    this.origin = grown(this.origin, count)
    this.kind = grown(this.kind, count)
    this.location = grown(this.location, count)
    this.source = grown(this.source, count)
    this.before = grown(this.before, count)
    this.firstReader = grown(this.firstReader, count)
  }

  #lastOf(location: number): number {
    for (let event = this.count - 1; event >= 0; event--) if (this.location[event] === location) return event
    return NONE
  }

  #reserveLocations(length: number): void {
    const from = this.#last.length
    this.#last = grown(this.#last, length).fill(NONE, from)
    this.#lastChange = grown(this.#lastChange, length).fill(NONE, from)
  }
}

/** Whether an access of this kind can be an event. */
export function isEvent(kind: number): boolean {
  return kind === READ || kind === WRITE || kind === ACQUIRE || kind === RELEASE || kind === UNTIL || kind === WAIT || kind === JOIN
}
