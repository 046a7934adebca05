import { ADD, JOIN, WRITE } from '../access.ts'
import { grown } from '../trace/columns.ts'
import { PairTable } from './pair-table.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** Adds since the last write of a location above which a step is not remembered. */
const mostAdds = 32

/** Entries after which all is forgotten, which costs blocked executions and nothing else: 16 MB of them. */
const mostEntries = 500_000

/** A hash, 64 bits wide, of a step and all that happens before it. */
export interface Identity {
  readonly high: number
  readonly low: number
}

/** A write or an `add` of a location. */
export interface Change {
  readonly identity: Identity
  readonly kind: number
}

/**
 * The footprints of all state-dependent steps seen so far in the exploration, by what the step found: the step before it
 * in program order, then the last change of each location that it accessed, one after another. Tells what a step would do
 * in a state that was never reached just so, if it was once taken where it found the same.
 *
 * A step is known by a hash, 64 bits wide, of its process and of all that happens before it.
 */
export class KnownFootprints {
  readonly #trace: Trace
  readonly #remembers: boolean
  /** By step: the two halves of its hash. */
  #high = new Int32Array(64)
  #low = new Int32Array(64)
  /** From a key to three times the location of the next access, plus 1 if it is an `add`; or three times the footprint's number, plus 2. */
  readonly #table = new PairTable()
  readonly #footprints: Int32Array[] = []
  readonly #numbers = new Map<string, number>()
  #keyHigh = 0
  #keyLow = 0

  /** Without `remembers` no footprint is ever known. */
  constructor(trace: Trace, remembers = true) {
    this.#trace = trace
    this.#remembers = remembers
  }

  /** The step just ended is a new one. */
  stepEnded(): void {
    const step = this.#trace.steps.count - 1
    this.#identify(step)
    const { steps } = this.#trace
    if (this.#remembers && steps.fixed[step] === 0 && this.#trace.writesBefore(step) === undefined) this.#remember(step)
  }

  /** The footprint of e' of the race after notdep(e, E); `undefined` if no such step was seen. */
  find(race: number): Int32Array | undefined {
    const { races, steps } = this.#trace
    const start = this.startOf(races.step[race] as number, races.origin[race] as number)
    if (start === undefined) return undefined
    return this.#walk(start, (location, isAdd) => this.#extend(location, isAdd, races.first[race] as number, steps.count))
  }

  identity(step: number): Identity {
    return { high: this.#high[step] as number, low: this.#low[step] as number }
  }

  /** What the look-up of a step begins with. `undefined`: its footprint may depend on all that a barrier comes after. */
  startOf(step: number, origin: number): Identity | undefined {
    if (this.#isFirstAfterBarrier(step)) return undefined
    this.#start(step, origin)
    return { high: this.#keyHigh, low: this.#keyLow }
  }

  /**
   * The footprint of a step after the first `node` steps of this execution and others, of which `changesOf` lists the
   * changes of a location, latest first, and tells whether a write ended the list.
   */
  lookUp(start: Identity, changesOf: (location: number, changes: Change[]) => boolean, node: number): Int32Array | undefined {
    return this.#walk(start, (location, isAdd) => {
      const changes: Change[] = []
      const ends = changesOf(location, changes)
      return this.#extend(location, isAdd, NONE, ends ? 0 : node, changes)
    })
  }

  #walk(start: Identity, extend: (location: number, isAdd: boolean) => boolean): Int32Array | undefined {
    this.#keyHigh = start.high
    this.#keyLow = start.low
    for (;;) {
      const found = this.#table.get(this.#keyHigh, this.#keyLow)
      if (found === undefined) return undefined
      const number = Math.floor(found / 3)
      if (found % 3 === 2) return this.#footprints[number]
      if (!extend(number, found % 3 === 1)) return undefined
    }
  }

  #identify(step: number): void {
    const { steps, processes, ordered } = this.#trace
    this.#high = grown(this.#high, step + 1)
    this.#low = grown(this.#low, step + 1)
    this.#keyHigh = 1
    this.#keyLow = 2
    this.#mix(processes.id(steps.process[step] as number), steps.index[step] as number)
    let high = 0
    let low = 0
    for (let i = 0; i < ordered.count; i++) {
      const predecessor = ordered.step(i)
      high = (high + scramble(this.#high[predecessor] as number, 1)) | 0
      low = (low + scramble(this.#low[predecessor] as number, 2)) | 0
    }
    this.#mix(high, low)
    this.#mix(steps.barrier[step] as number, 0)
    this.#high[step] = this.#keyHigh
    this.#low[step] = this.#keyLow
  }

  #remember(step: number): void {
    if (this.#isFirstAfterBarrier(step)) return
    const { steps, footprint } = this.#trace
    this.#start(step, steps.origin[step] as number)
    const start = steps.start[step] as number
    for (let i = 0; i < footprint.length; i++) {
      for (const { entry, before } of footprint.addsRead) {
        if (before === i && !this.#pass(step, steps.location[start + entry] as number, false)) return
      }
      const kind = steps.kind[start + i] as number
      if (kind === JOIN) continue
      const isAdd = kind === ADD || footprint.addsRead.some(({ entry }) => entry === i)
      if (!this.#pass(step, steps.location[start + i] as number, isAdd)) return
    }
    for (const { entry, before } of footprint.addsRead) {
      if (before === footprint.length && !this.#pass(step, steps.location[start + entry] as number, false)) return
    }
    if (this.#table.get(this.#keyHigh, this.#keyLow) !== undefined) return
    this.#table.set(this.#keyHigh, this.#keyLow, this.#number(steps.footprint(step)) * 3 + 2)
    if (this.#table.count > mostEntries) this.#forget()
  }

  #number(footprint: Int32Array): number {
    const name = footprint.join()
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#footprints.length)
    return this.#footprints.push(footprint) - 1
  }

  #forget(): void {
    this.#table.clear()
    this.#footprints.length = 0
    this.#numbers.clear()
  }

  /** The step accesses the location next. */
  #pass(step: number, location: number, isAdd: boolean): boolean {
    this.#table.set(this.#keyHigh, this.#keyLow, location * 3 + (isAdd ? 1 : 0))
    return this.#extend(location, isAdd, NONE, step)
  }

  /** Such a step may depend on everything before the barrier. */
  #isFirstAfterBarrier(step: number): boolean {
    const { steps } = this.#trace
    const origin = steps.origin[step] as number
    return steps.barrier[step] !== (origin === NONE ? 0 : steps.barrier[origin])
  }

  #start(step: number, origin: number): void {
    const { steps, processes } = this.#trace
    this.#keyHigh = 3
    this.#keyLow = 4
    this.#mix(processes.id(steps.process[step] as number), steps.index[step] as number)
    if (origin !== NONE) this.#mix(this.#high[origin] as number, this.#low[origin] as number)
    this.#mix(steps.barrier[step] as number, 1)
  }

  /** Adds to the key what the step finds at the location: changes before `end` that do not happen after `without`. An `add` does not see others. */
  #extend(location: number, isAdd: boolean, without: number, end: number, later: readonly Change[] = []): boolean {
    const { steps, locations } = this.#trace
    this.#mix(location, 5)
    locations.touch(location as never)
    let high = 0
    let low = 0
    let adds = later.length
    for (const { identity, kind } of later) {
      if (isAdd && kind === ADD) continue
      high = (high + scramble(identity.high, 3)) | 0
      low = (low + scramble(identity.low, 4)) | 0
    }
    for (let access = locations.lastChange[location] as number; access !== NONE; access = steps.change[access] as number) {
      const step = steps.step[access] as number
      if (step >= end || step === without) continue
      if (without !== NONE && step > without && this.#trace.happensBefore(without, step)) continue
      const kind = steps.kind[access] as number
      if (isAdd && kind === ADD) continue
      if (kind === ADD && ++adds > mostAdds) return false
      high = (high + scramble(this.#high[step] as number, 3)) | 0
      low = (low + scramble(this.#low[step] as number, 4)) | 0
      if (kind === WRITE) break
    }
    this.#mix(high, low)
    return true
  }

  #mix(high: number, low: number): void {
    this.#keyHigh = scramble(this.#keyHigh ^ scramble(high, this.#keyLow), 6)
    this.#keyLow = scramble(this.#keyLow + scramble(low, this.#keyHigh), 7)
  }
}

function scramble(value: number, salt: number): number {
  let x = (value ^ Math.imul(salt, 0x9e3779b1)) | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}
