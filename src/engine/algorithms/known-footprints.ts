import { Math } from '../intrinsics.ts'
import { commutesWithItself, isChange } from '../access.ts'
import { grown } from '../trace/columns.ts'
import { NO_KIND } from '../trace/footprint.ts'
import type { Ordinal } from '../ids.ts'
import { PairTable } from './pair-table.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'
import { assertValid, validity } from '../validity.ts'
import { scramble } from '../values.ts'

/** Entries after which all is forgotten, which costs blocked executions and nothing else: 16 MB of them. */
const mostEntries = 500_000

const noChanges: readonly Change[] = []

/** A hash, 64 bits wide, of a step and all that happens before it. */
export interface Identity {
  readonly high: number
  readonly low: number
}

/** A change of a location. */
export interface Change {
  readonly identity: Identity
  readonly kind: number
}

/** Kinds, and NO_KIND, which is -1; and one more for the footprint at the end. */
const marks = 32
const isFootprint = marks - 1

/**
 * The footprints of all state-dependent steps seen so far in the exploration, by what the step found: the step before it
 * in program order, then the last changes of each location that it saw, one after another: those of one kind that
 * commute, back to one of another kind, which comes before all of them. Tells what a step would do
 * in a state that was never reached just so, if it was once taken where it found the same.
 *
 * A step is known by a hash, 64 bits wide, of its process and of all that happens before it.
 */
export class KnownFootprints {
  hasForgotten = false
  readonly #trace: Trace
  readonly #remembers: boolean
  readonly #byLastChange: boolean
  /** What a step finds at the location in hand. */
  readonly #run: Run
  /** By step: the two halves of its hash. */
  #high = new Int32Array(16)
  #low = new Int32Array(16)
  /** By access, of a change: sums of the hashes of the changes of its kind up to it, back to one of another kind, */
  #runHigh = new Int32Array(16)
  #runLow = new Int32Array(16)
  /** and that other one. */
  #beforeRun = new Int32Array(16)
  /** Of so many steps. */
  #summed = 0
  /** From a key to the location that the step saw next and the kind of changes that it did not see; or to the footprint's number. Times `marks`. */
  readonly #table = new PairTable()
  readonly #footprints: Int32Array[] = []
  readonly #numbers = new Map<number, number[]>()
  #keyHigh = 0
  #keyLow = 0

  /** Without `remembers` no footprint is ever known; `byLastChange` takes the very last change for all of them, which tests see to be wrong. */
  constructor(trace: Trace, { remembers = true, byLastChange = false }: { remembers?: boolean; byLastChange?: boolean } = {}) {
    this.#trace = trace
    this.#remembers = remembers
    this.#byLastChange = byLastChange
    this.#run = new Run(byLastChange)
  }

  /** The step just ended is a new one. */
  stepEnded(): void {
    const step = this.#trace.steps.count - 1
    this.#identify(step)
    this.#summed = Math.min(this.#summed, step)
    const { steps } = this.#trace
    if (this.#remembers && steps.fixed[step] === 0) this.#remember(step)
  }

  /** The footprint of e' of the race after notdep(e, E); `undefined` if no such step was seen. */
  find(race: number): Int32Array | undefined {
    const { races, steps } = this.#trace
    const start = this.startOf(races.step[race] as number, races.origin[race] as number)
    if (start === undefined) return undefined
    return this.#walk(start, (location, unseen) =>
      this.#extend(location, unseen, { without: races.first[race] as number, end: steps.count, later: noChanges }),
    )
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

  /** The footprint of a step after the first `node` steps of this execution and others, of which `changesOf` lists the changes of a location, latest first. */
  lookUp(start: Identity, changesOf: (location: number) => Change[], node: number): Int32Array | undefined {
    return this.#walk(start, (location, unseen) => this.#extend(location, unseen, { without: NONE, end: node, later: changesOf(location) }))
  }

  #walk(start: Identity, extend: (location: number, unseen: number) => void): Int32Array | undefined {
    this.#keyHigh = start.high
    this.#keyLow = start.low
    for (;;) {
      const found = this.#table.get(this.#keyHigh, this.#keyLow)
      if (found === undefined) return undefined
      const number = Math.floor(found / marks)
      if (found % marks === isFootprint) return this.#footprints[number]
      extend(number, (found % marks) + NO_KIND)
    }
  }

  #identify(step: number): void {
    const { steps, processes, ordered } = this.#trace
    this.#high = grown(this.#high, step + 1)
    this.#low = grown(this.#low, step + 1)
    this.#keyHigh = 1
    this.#keyLow = 2
    this.#mix(processes.id(steps.process[step] as Ordinal), steps.index[step] as number)
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

  /** Adds the changes of all steps to those of their kinds. */
  #sumRuns(): void {
    for (; this.#summed < this.#trace.steps.count; this.#summed++) this.#sumRunsOf(this.#summed)
  }

  #sumRunsOf(step: number): void {
    const { steps } = this.#trace
    const end = steps.end[step] as number
    this.#runHigh = grown(this.#runHigh, end)
    this.#runLow = grown(this.#runLow, end)
    this.#beforeRun = grown(this.#beforeRun, end)
    for (let access = steps.start[step] as number; access < end; access++) {
      const kind = steps.kind[access] as number
      if (!isChange(kind)) continue
      const before = steps.change[access] as number
      const goesOn = before !== NONE && steps.kind[before] === kind && commutesWithItself(kind)
      this.#beforeRun[access] = goesOn ? (this.#beforeRun[before] as number) : before
      this.#runHigh[access] = ((goesOn ? (this.#runHigh[before] as number) : 0) + scramble(this.#high[step] as number, 3)) | 0
      this.#runLow[access] = ((goesOn ? (this.#runLow[before] as number) : 0) + scramble(this.#low[step] as number, 4)) | 0
    }
  }

  #remember(step: number): void {
    if (this.#isFirstAfterBarrier(step)) return
    const { steps, footprint } = this.#trace
    this.#start(step, steps.origin[step] as number)
    for (let i = 0; i < footprint.findings; i++) {
      const location = footprint.findingLocation[i] as number
      const unseen = footprint.findingWithout[i] as number
      const finding = location * marks + unseen - NO_KIND
      if (validity.decided) this.#assertDecided(finding)
      this.#table.set(this.#keyHigh, this.#keyLow, finding)
      this.#extend(location, unseen, { without: NONE, end: step, later: noChanges })
    }
    const known = this.#table.get(this.#keyHigh, this.#keyLow)
    if (known !== undefined) {
      if (validity.checked) this.#assertSame(known, step)
      this.#hasFootprint(step, Math.floor(known / marks))
      return
    }
    this.#table.set(this.#keyHigh, this.#keyLow, this.#number(step) * marks + isFootprint)
    if (this.#table.count > mostEntries) this.#forget()
  }

  /** The entry of the table is the footprint of the step. */
  #assertSame(found: number, step: number): void {
    const known = found % marks === isFootprint ? this.#footprints[Math.floor(found / marks)] : undefined
    assertValid(() => known !== undefined && this.#trace.steps.hasFootprint(step, known), 'a step that finds the same has the same footprint')
  }

  /** What the step looks at next is decided by what it has found so far. */
  #assertDecided(finding: number): void {
    const known = this.#table.get(this.#keyHigh, this.#keyLow)
    assertValid(() => known === undefined || known === finding, 'what a step looks at next is decided by what it has found')
  }

  #number(step: number): number {
    const { steps } = this.#trace
    const end = steps.end[step] as number
    let hash = end - (steps.start[step] as number)
    for (let i = steps.start[step] as number; i < end; i++) hash = scramble(hash ^ ((steps.location[i] as number) * marks + (steps.kind[i] as number)), 8)
    let alike = this.#numbers.get(hash)
    if (alike === undefined) this.#numbers.set(hash, (alike = []))
    for (const number of alike) if (this.#hasFootprint(step, number)) return number
    alike.push(this.#footprints.length)
    return this.#footprints.push(steps.footprint(step)) - 1
  }

  /** Whether the step has the footprint with this number, which it shares then. */
  #hasFootprint(step: number, number: number): boolean {
    const { steps } = this.#trace
    const footprint = this.#footprints[number]
    const isSame = footprint !== undefined && steps.hasFootprint(step, footprint)
    if (isSame) steps.share(step, footprint)
    return isSame
  }

  #forget(): void {
    this.hasForgotten = true
    this.#table.clear()
    this.#footprints.length = 0
    this.#numbers.clear()
  }

  /** Such a step may depend on everything before the barrier, or before itself. */
  #isFirstAfterBarrier(step: number): boolean {
    const { steps } = this.#trace
    const origin = steps.origin[step] as number
    return (steps.follows[step] as number) > 0 || steps.barrier[step] !== (origin === NONE ? 0 : steps.barrier[origin])
  }

  #start(step: number, origin: number): void {
    const { steps, processes } = this.#trace
    this.#keyHigh = 3
    this.#keyLow = 4
    this.#mix(processes.id(steps.process[step] as Ordinal), steps.index[step] as number)
    if (origin !== NONE) this.#mix(this.#high[origin] as number, this.#low[origin] as number)
    this.#mix(steps.barrier[step] as number, 1)
  }

  /**
   * Adds to the key what the step finds at the location: the last changes of one kind other than `unseen`, of those that are
   * in `later`, latest first, and of those before `end` that do not happen after `without`.
   */
  #extend(location: number, unseen: number, { without, end, later }: { without: number; end: number; later: readonly Change[] }): void {
    const run = this.#run
    run.begin(unseen)
    for (const { identity, kind } of later) run.add(kind, scramble(identity.high, 3), scramble(identity.low, 4))
    if (!run.isOver) this.#addChanges(location, run, { without, end })
    this.#mix(run.high ^ Math.imul(location, 0x9e3779b1), run.low)
  }

  #addChanges(location: number, run: Run, { without, end }: { without: number; end: number }): void {
    const { steps, locations } = this.#trace
    this.#sumRuns()
    locations.touch(location as never)
    let access = locations.lastChange[location] as number
    // What comes before `without` does not happen after it: it is summed up already.
    for (; access !== NONE; access = steps.change[access] as number) {
      const step = steps.step[access] as number
      if (step < end && step < (without === NONE ? end : without)) break
      if (step >= end || step === without || this.#trace.happensBefore(without, step)) continue
      this.#addChange(access, run)
      if (run.isOver) return
    }
    if (access !== NONE && steps.kind[access] === run.unseen && commutesWithItself(run.unseen)) access = this.#beforeRun[access] as number
    if (access === NONE) return
    if (this.#byLastChange) this.#addChange(access, run)
    else run.add(steps.kind[access] as number, this.#runHigh[access] as number, this.#runLow[access] as number)
  }

  #addChange(access: number, run: Run): void {
    const { steps } = this.#trace
    const step = steps.step[access] as number
    run.add(steps.kind[access] as number, scramble(this.#high[step] as number, 3), scramble(this.#low[step] as number, 4))
  }

  #mix(high: number, low: number): void {
    this.#keyHigh = scramble((Math.imul(this.#keyHigh, 0x01000193) + this.#keyLow) ^ high, 6)
    this.#keyLow = scramble((Math.imul(this.#keyLow, 0x01000193) + this.#keyHigh) ^ low, 7)
  }
}

/** The sum of the hashes of the last changes of a location that are of one kind. */
class Run {
  high = 0
  low = 0
  /** Whether a change of another kind was met: all before it is known with it. */
  isOver = false
  /** Changes of this kind are left out. */
  unseen = NO_KIND
  readonly #byLastChange: boolean
  #kind = NO_KIND

  constructor(byLastChange: boolean) {
    this.#byLastChange = byLastChange
  }

  /** Of another location. */
  begin(unseen: number): void {
    this.high = 0
    this.low = 0
    this.isOver = false
    this.unseen = unseen
    this.#kind = NO_KIND
  }

  /** The next change, from the last one back. */
  add(kind: number, high: number, low: number): void {
    if (kind === this.unseen || this.isOver) return
    if (this.#kind !== NO_KIND && kind !== this.#kind) {
      this.isOver = true
      return
    }
    this.#kind = kind
    this.high = (this.high + high) | 0
    this.low = (this.low + low) | 0
    this.isOver = this.#byLastChange || !commutesWithItself(kind)
  }
}
