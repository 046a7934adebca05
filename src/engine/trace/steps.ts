import { JOIN, WAIT, conflicts, kindOf, type Access } from '../access.ts'
import { column, grown } from './columns.ts'
import type { Footprint } from './footprint.ts'
import type { LocationId, Ordinal } from '../ids.ts'
import { inDriver } from '../observation/engine-locations.ts'
import { NONE } from './processes.ts'

/** The steps of the current execution and their accesses, as columns. What a prefix holds outlives the execution. */
export class Steps {
  count = 0
  /** By step: the process's ordinal. */
  process = column<Ordinal>(16)
  /** By step: its number among the steps of its process, from 1. */
  index = new Int32Array(16)
  /** By step: 1 where the footprint is the same in every state. */
  fixed = new Int32Array(16)
  /** By step: the step before it in program order, or NONE. */
  origin = new Int32Array(16)
  /** By step: how many barriers came before it. */
  barrier = new Int32Array(16)
  /** By step: the number below which all steps happen before it, since nothing else could run; mostly 0. */
  follows = new Int32Array(16)
  /** By step: the one change that enabled a step which would have repeated another, or NONE. */
  enabler = new Int32Array(16)
  /** By step: 1 where what it waited for (`wait`, `join`) does not all happen before its origin. */
  waited = new Int32Array(16)
  /** By step: hash of the values that it saw. */
  seen = new Int32Array(16)
  /** By step: its first access. */
  start = new Int32Array(16)
  /** By step: the access after its last. */
  end = new Int32Array(16)

  /** By access. */
  location = new Int32Array(16)
  kind = new Int32Array(16)
  site = new Int32Array(16)
  /** By access: its step. */
  step = new Int32Array(16)
  /** By access: one of its layer before it; of a `keep`: the one before it. */
  link = new Int32Array(16)
  /** By access, of a change: the change of its location before it. */
  change = new Int32Array(16)

  /** By step: its footprint, once somebody has asked for it. */
  readonly #footprints: (Int32Array | undefined)[] = []
  /** Footprints of one access, by kind and location. */
  readonly #singles: (Int32Array | undefined)[][] = []

  reserve(count: number): void {
    if (count <= this.process.length) return
    this.process = grown(this.process, count)
    this.index = grown(this.index, count)
    this.fixed = grown(this.fixed, count)
    this.origin = grown(this.origin, count)
    this.barrier = grown(this.barrier, count)
    this.follows = grown(this.follows, count)
    this.enabler = grown(this.enabler, count)
    this.waited = grown(this.waited, count)
    this.seen = grown(this.seen, count)
    this.start = grown(this.start, count)
    this.end = grown(this.end, count)
  }

  /** Whether the last `length` steps are all of one process. */
  isLongTurn(length: number): boolean {
    const last = this.count - 1
    const first = this.count - length
    if (first < 0 || this.process[first] !== this.process[last]) return false
    return (this.index[last] as number) - (this.index[first] as number) === length - 1
  }

  /** Stores the footprint as that of `step`, from access number `start` on. */
  store(step: number, start: number, footprint: Footprint): void {
    const end = start + footprint.length
    if (end > this.location.length) this.#growAccesses(end)
    for (let i = 0; i < footprint.length; i++) {
      this.location[start + i] = footprint.location[i] as number
      this.kind[start + i] = footprint.kind[i] as number
      this.site[start + i] = footprint.site[i] as number
      this.step[start + i] = step
    }
    this.seen[step] = footprint.seen
    this.start[step] = start
    this.end[step] = end
    if (step < this.#footprints.length) this.#footprints[step] = undefined
  }

  /** Whether `step` was recorded with just this footprint. */
  matches(step: number, footprint: Footprint): boolean {
    const start = this.start[step] as number
    if (footprint.length !== (this.end[step] as number) - start) return false
    for (let i = 0; i < footprint.length; i++) {
      if (footprint.location[i] !== this.location[start + i]) return false
      if (footprint.kind[i] !== this.kind[start + i]) return false
    }
    return true
  }

  /** Whether `step` depends on the accesses [start, end) of another process's step. */
  depends(step: number, start: number, end: number): boolean {
    const stepEnd = this.end[step] as number
    for (let i = this.start[step] as number; i < stepEnd; i++) {
      for (let j = start; j < end; j++) {
        if (this.location[i] !== this.location[j]) continue
        if (conflicts(this.kind[i] as number, this.kind[j] as number)) return true
      }
    }
    return false
  }

  /** What `step` does to the location; NONE if it has no access of it, or an enabling one only. */
  kindAt(step: number, location: number): number {
    const end = this.end[step] as number
    for (let i = this.start[step] as number; i < end; i++) {
      const kind = this.kind[i] as number
      if (this.location[i] === location && kind !== WAIT && kind !== JOIN) return kind
    }
    return NONE
  }

  /** Location and kind of each access in turn. Not to be changed: equal ones may be one. */
  footprint(step: number): Int32Array {
    return (this.#footprints[step] ??= this.#footprintOf(this.start[step] as number, this.end[step] as number))
  }

  /** The step has this footprint, as it turned out: one array for all of its like. */
  share(step: number, footprint: Int32Array): void {
    this.#footprints[step] = footprint
  }

  /** Whether this is the footprint of the step. */
  hasFootprint(step: number, footprint: Int32Array): boolean {
    const start = this.start[step] as number
    const count = (this.end[step] as number) - start
    if (footprint.length !== count * 2) return false
    for (let i = 0; i < count; i++) {
      if (footprint[i * 2] !== this.location[start + i] || footprint[i * 2 + 1] !== this.kind[start + i]) return false
    }
    return true
  }

  #footprintOf(start: number, end: number): Int32Array {
    const count = end - start
    if (count === 1) return this.single(this.location[start] as number, this.kind[start] as number)
    const footprint = new Int32Array(count * 2)
    for (let i = 0; i < count; i++) {
      footprint[i * 2] = this.location[start + i] as number
      footprint[i * 2 + 1] = this.kind[start + i] as number
    }
    return footprint
  }

  /** The footprint of a step with one access. Not to be changed. */
  single(location: number, kind: number): Int32Array {
    const ofKind = (this.#singles[kind] ??= [])
    return (ofKind[location] ??= Int32Array.of(location, kind))
  }

  accesses(step: number): Access[] {
    return listAccesses(this, this.start[step] as number, this.end[step] as number)
  }

  #growAccesses(length: number): void {
    this.location = grown(this.location, length)
    this.kind = grown(this.kind, length)
    this.site = grown(this.site, length)
    this.step = grown(this.step, length)
    this.link = grown(this.link, length)
    this.change = grown(this.change, length)
  }
}

/** Columns of accesses, as objects for an error message; without those of locations that the engine added. */
export function listAccesses(
  columns: { location: Int32Array; kind: Int32Array; site: Int32Array },
  start: number,
  end: number,
): Access[] {
  const accesses: Access[] = []
  for (let i = start; i < end; i++) {
    const kind = columns.kind[i] as number
    const location = columns.location[i] as LocationId
    const named = kind === JOIN ? location : inDriver(location)
    if (named !== undefined) accesses.push({ location: named, kind: kindOf(kind), site: columns.site[i] as number })
  }
  return accesses
}
