import { ACQUIRE, ADD, JOIN, READ, RELEASE, UNTIL, WAIT, WRITE, type HoldsBefore, type PendingStep } from '../access.ts'
import { Clocks } from './clocks.ts'
import { grown } from './columns.ts'
import { EngineError } from '../errors.ts'
import { Footprint } from './footprint.ts'
import { Locations } from './locations.ts'
import { Predecessors } from './predecessors.ts'
import { NONE, Processes } from './processes.ts'
import { Races } from './races.ts'
import { Steps } from './steps.ts'
import { assertValid } from '../validity.ts'

/** What is known of a step besides its accesses. */
export interface StepNature {
  /** It would have had this footprint in whatever state, as a plain read or write has. */
  readonly fixed?: boolean
  /** Of a step with one access, a read or a write by the value that it finds: whether it would be a write just before the n-th write. */
  readonly writesBefore?: HoldsBefore | undefined
}

/**
 * The current execution: its steps, their happens-before relation and their races. The first `recorded`
 * steps are those of the execution before; running them again brings `processes` and `locations` up to date,
 * their clocks and footprints are still there.
 */
export class Trace {
  readonly processes = new Processes()
  readonly locations = new Locations()
  readonly steps = new Steps()
  readonly clocks = new Clocks()
  readonly races = new Races()
  /** Of the step now running. */
  readonly footprint = new Footprint()
  /** How many steps are a replay of the execution before. */
  recorded = 0
  /** Access number from which the next step is stored. */
  accessEnd = 0
  readonly #predecessors = new Predecessors()
  /** The steps that the last new step was ordered after, those excepted that others of them come after. */
  readonly ordered = new Predecessors()
  #barriers = 0
  #barrier = new Int32Array(8)
  #barrierWidth = 0
  /** By ordinal: its last step then. */
  #stepsBeforeBarrier = new Int32Array(8)
  #holdsBefore: HoldsBefore | undefined
  /** By step: that of a compare-and-swap. */
  readonly #writesBefore: (HoldsBefore | undefined)[] = []

  /** Starts an execution that begins with the first `recorded` steps of the last one. */
  begin(recorded: number): void {
    this.recorded = recorded
    this.steps.count = 0
    this.processes.begin()
    this.locations.begin()
    this.races.begin(recorded)
    this.footprint.clear()
    this.#barrierWidth = 0
    this.#barriers = 0
  }

  get replaying(): boolean {
    return this.steps.count < this.recorded
  }

  happensBefore(first: number, second: number): boolean {
    return this.clocks.get(second, this.steps.process[first] as number) >= (this.steps.index[first] as number)
  }

  /** Whether `first` is `second` or happens before it; nothing happens before NONE. */
  isBefore(first: number, second: number): boolean {
    return second !== NONE && this.happensBefore(first, second)
  }

  /** What e' of the race, if that is a step with one access, does to its location when it comes before e. */
  kindBefore(race: number): number {
    const { races, steps } = this
    if (races.blocking[race] !== NONE) return races.blocking[race] as number
    const step = races.step[race] as number
    const first = races.first[race] as number
    const access = steps.start[step] as number
    const writesBefore = this.writesBefore(step)
    if (writesBefore === undefined) return steps.kind[access] as number
    for (let i = steps.start[first] as number; i < (steps.end[first] as number); i++) {
      if (steps.location[i] !== steps.location[access] || steps.kind[i] !== WRITE) continue
      return writesBefore(steps.version[i] as number) ? WRITE : READ
    }
    return steps.kind[access] as number
  }

  until(location: number, holdsBefore: HoldsBefore): void {
    this.footprint.special(location as never, UNTIL)
    this.#holdsBefore = holdsBefore
  }

  /** Everything so far happens before everything later. */
  barrier(): void {
    const { count, steps, lastStep } = this.processes
    this.#barriers++
    this.#barrier = grown(this.#barrier, count)
    this.#barrier.set(steps.subarray(0, count))
    this.#stepsBeforeBarrier = grown(this.#stepsBeforeBarrier, count)
    this.#stepsBeforeBarrier.set(lastStep.subarray(0, count))
    this.#barrierWidth = count
  }

  /** The step of `process` with the accesses in `footprint` has ended. */
  endStep(process: number, { fixed, writesBefore }: StepNature): void {
    const { steps, processes } = this
    const step = steps.count
    if (step >= this.recorded) this.#record(step, process, fixed === true)
    if (writesBefore !== undefined || step < this.#writesBefore.length) this.#writesBefore[step] = writesBefore
    this.#apply(step)
    processes.lastStep[process] = step
    processes.steps[process] = (processes.steps[process] as number) + 1
    steps.count = step + 1
    assertValid(() => steps.index[step] === processes.steps[process], 'a step has its number within its process')
  }

  /**
   * Of `step`, a compare-and-swap: whether it would be a write just before the n-th write of its location. `undefined`
   * for every other step.
   */
  writesBefore(step: number): HoldsBefore | undefined {
    return this.#writesBefore[step]
  }

  /** The execution has ended. Adds the races with steps that could not be taken. */
  end(pending: readonly PendingStep[]): void {
    this.races.endSteps()
    for (const waiting of pending) {
      const process = this.processes.ordinal(waiting.process)
      this.locations.touch(waiting.location)
      if (waiting.kind === 'acquire') this.#raceForLock(waiting.location, process, NONE)
      else this.#raceUntil(waiting.location, process, NONE, waiting.holdsBefore)
    }
  }

  /** A new step: its columns, its clock and its races. */
  #record(step: number, process: number, fixed: boolean): void {
    const { steps, processes, clocks } = this
    steps.reserve(step + 1)
    clocks.reserve(step + 1, processes.count)
    steps.process[step] = process
    steps.index[step] = (processes.steps[process] as number) + 1
    steps.fixed[step] = fixed ? 1 : 0
    steps.barrier[step] = this.#barriers
    steps.store(step, this.accessEnd, this.footprint)
    this.accessEnd = steps.end[step] as number

    const origin = processes.origin(process)
    steps.origin[step] = origin
    clocks.start(step, origin)
    this.ordered.clear()
    if (origin !== NONE) this.ordered.add(origin)
    clocks.set(step, process, steps.index[step] as number)
    this.#predecessors.clear()
    for (let i = steps.start[step] as number; i < this.accessEnd; i++) this.#precede(step, process, i)
    if (this.#barrierWidth > 0) this.#followBarrier(step)
    this.#orderAfterPredecessors(step, process, origin)
  }

  /** Finds what access `i` of `step` makes the step depend on. */
  #precede(step: number, process: number, i: number): void {
    const { steps, locations } = this
    const location = steps.location[i] as number
    const kind = steps.kind[i] as number
    switch (kind) {
      case READ:
        this.#precedeWrite(location)
        return this.#precedeChain(locations.lastAdd[location] as number)
      case WRITE:
        this.#precedeWrite(location)
        this.#precedeChain(locations.lastRead[location] as number)
        return this.#precedeChain(locations.lastAdd[location] as number)
      case ADD:
        this.#precedeWrite(location)
        return this.#precedeChain(locations.lastRead[location] as number)
      case WAIT: {
        locations.touch(location as never)
        const write = locations.lastWrite[location] as number
        if (write !== NONE) this.#follow(step, steps.step[write] as number)
        return
      }
      case JOIN: {
        const last = this.processes.origin(location)
        if (last !== NONE) this.#follow(step, last)
        return
      }
      case ACQUIRE:
        locations.touch(location as never)
        this.#raceForLock(location, process, step)
        return this.#followLock(step, location)
      case RELEASE:
        locations.touch(location as never)
        return this.#followLock(step, location)
      case UNTIL: {
        locations.touch(location as never)
        if (locations.lastAdd[location] !== NONE) throw new EngineError('a blocking read of a location that is added to')
        if (this.#holdsBefore === undefined) throw new EngineError('an until step without its predicate')
        this.#raceUntil(location, process, step, this.#holdsBefore)
        const write = locations.lastWrite[location] as number
        if (write !== NONE) this.#follow(step, steps.step[write] as number)
        return
      }
      default:
        throw new EngineError(`access kind ${kind} has no happens-before rule`)
    }
  }

  #followBarrier(step: number): void {
    this.clocks.joinAll(step, this.#barrier, this.#barrierWidth)
    for (let p = 0; p < this.#barrierWidth; p++) {
      const last = this.#stepsBeforeBarrier[p] as number
      if (last !== NONE) this.ordered.add(last)
    }
  }

  #follow(step: number, earlier: number): void {
    this.clocks.join(step, earlier)
    this.ordered.add(earlier)
  }

  #precedeWrite(location: number): void {
    this.locations.touch(location as never)
    const write = this.locations.lastWrite[location] as number
    if (write !== NONE) this.#predecessors.add(this.steps.step[write] as number)
  }

  /** An access and those of its kind before it, back to the last write. */
  #precedeChain(last: number): void {
    const { step, link } = this.steps
    for (let access = last; access !== NONE; access = link[access] as number) this.#predecessors.add(step[access] as number)
  }

  #followLock(step: number, location: number): void {
    const last = this.locations.lastLock[location] as number
    if (last !== NONE) this.#follow(step, last)
  }

  /** Latest first: a step that a later predecessor already comes after is ordered, not in a race. */
  #orderAfterPredecessors(step: number, process: number, origin: number): void {
    const predecessors = this.#predecessors
    if (predecessors.count === 0) return
    if (predecessors.count > 1) predecessors.sort()
    for (let i = predecessors.count - 1; i >= 0; i--) {
      const earlier = predecessors.step(i)
      if (this.happensBefore(earlier, step)) continue
      this.races.add(earlier, process, step, origin)
      this.#follow(step, earlier)
    }
  }

  /**
   * An acquire, run or still waiting, could have come before the last acquire of its lock, although a release
   * lies between, if its process was there in time.
   */
  #raceForLock(location: number, process: number, step: number): void {
    const first = this.locations.lastAcquire[location] as number
    if (first === NONE) return
    const origin = this.processes.origin(process)
    if (this.isBefore(first, origin)) return
    this.races.addBlocking(first, process, origin, step, ACQUIRE, location)
  }

  /** A blocking read, run or still waiting, could have come before each write that the predicate held before. */
  #raceUntil(location: number, process: number, step: number, holdsBefore: HoldsBefore): void {
    const { steps, locations } = this
    const origin = this.processes.origin(process)
    let write = locations.lastWrite[location] as number
    for (let i = (locations.writes[location] as number) - 1; i >= 0; i--) {
      const first = steps.step[write] as number
      if (this.isBefore(first, origin)) return
      if (holdsBefore(i)) this.races.addBlocking(first, process, origin, step, UNTIL, location)
      write = steps.link[write] as number
    }
  }

  /** Brings the locations up to date with a step, recorded or new. */
  #apply(step: number): void {
    const { steps, locations } = this
    const end = steps.end[step] as number
    for (let i = steps.start[step] as number; i < end; i++) {
      const location = steps.location[i] as number
      const kind = steps.kind[i] as number
      if (kind === JOIN || kind === WAIT) continue
      locations.touch(location as never)
      steps.version[i] = locations.writes[location] as number
      if (kind === READ || kind === UNTIL) {
        steps.link[i] = locations.lastRead[location] as number
        locations.lastRead[location] = i
      } else if (kind === ADD) {
        steps.link[i] = locations.lastAdd[location] as number
        locations.lastAdd[location] = i
        steps.change[i] = locations.lastChange[location] as number
        locations.lastChange[location] = i
      } else if (kind === WRITE) {
        steps.link[i] = locations.lastWrite[location] as number
        locations.lastWrite[location] = i
        steps.change[i] = locations.lastChange[location] as number
        locations.lastChange[location] = i
        locations.lastRead[location] = NONE
        locations.lastAdd[location] = NONE
        locations.writes[location] = (locations.writes[location] as number) + 1
      } else {
        locations.lastLock[location] = step
        if (kind === ACQUIRE) locations.lastAcquire[location] = step
      }
    }
  }
}
