import { Math } from '../intrinsics.ts'
import {
  ACQUIRE, ADD, APPEND, ARRANGE, ASSIGN, COMBINE, JOIN, KEEP, PLACE, READ, RELEASE, UNTIL, WAIT, WRITE, commutesWithItself, isChange, type HoldsBefore, type PendingStep,
} from '../access.ts'
import { Clocks } from './clocks.ts'
import { grown } from './columns.ts'
import { EngineError } from '../errors.ts'
import type { Ordinal } from '../ids.ts'
import { Footprint } from './footprint.ts'
import { Locations } from './locations.ts'
import { Predecessors } from './predecessors.ts'
import { Observation } from '../observation/observation.ts'
import type { Added } from '../observation/added.ts'
import type { Merged } from '../observation/ordered-locations.ts'
import type { ObservationRules } from '../observation/rules.ts'
import { NONE, Processes } from './processes.ts'
import { Races } from './races.ts'
import { Steps } from './steps.ts'
import { assertValid, validity } from '../validity.ts'

/** What is known of a step besides its accesses. */
export interface StepNature {
  /** It would have had this footprint in whatever state, as a plain read or write has. */
  readonly fixed?: boolean
  /** Of a step with one access, a read or a write by the value that it finds: whether it would be a write just before another step. */
  readonly writesBefore?: HoldsBefore | undefined
}

/** Accesses of a layer that are all kept. */
const leastRoom = 16

/**
 * The current execution: its steps, their happens-before relation and their races. The first `recorded`
 * steps are those of the execution before; running them again brings `processes` and `locations` up to date,
 * their clocks and footprints are still there.
 */
export class Trace {
  readonly processes = new Processes()
  readonly locations = new Locations()
  steps = new Steps()
  clocks = new Clocks()
  races = new Races()
  /** Of the step now running. */
  readonly footprint = new Footprint()
  readonly observation: Observation
  /** Wrong, and for tests: a step comes after the last of those that it conflicts with, and not after the others. */
  readonly #followsOne: boolean
  /** Who goes on where any may: the first of those that are enabled, in the order in which they are offered; if not, the process that ran last. */
  inTurn = false
  /** How many steps are a replay of the execution before. */
  recorded = 0
  /** Access number from which the next step is stored. */
  #accessEnd = 0
  /** The step last taken at this node of the search stack is left, and its accesses are to stay; NONE if none. */
  #keptAt: number = NONE
  /** Those of the execution that is set aside, or ready for another one. */
  #aside: Pick<Trace, 'steps' | 'clocks' | 'races'> | undefined
  #keptAside: number = NONE
  #isAside = false
  readonly #predecessors = new Predecessors()
  /** The steps that the last new step was ordered after, those excepted that others of them come after. */
  readonly ordered = new Predecessors()
  #barriers = 0
  /** The running step comes after all steps before this number. */
  #followsUntil = 0
  /** Some step of this execution came after all before it. */
  #hasFollowedAll = false
  #barrier = new Int32Array(8)
  #barrierWidth = 0
  /** By ordinal: its last step then. */
  #stepsBeforeBarrier = new Int32Array(8)
  #holdsBefore: HoldsBefore | undefined
  /** By step: that of a compare-and-swap. */
  readonly #writesBefore: (HoldsBefore | undefined)[] = []

  constructor(merged: Merged = 'nothing', rules?: ObservationRules) {
    this.observation = new Observation(this, merged, rules)
    this.#followsOne = !this.observation.rules.allConflicts
  }

  /** Starts an execution that begins with the first `recorded` steps of the last one. */
  begin(recorded: number): void {
    this.recorded = recorded
    this.#accessEnd = this.#accessesOf(recorded)
    this.#keptAt = NONE
    this.steps.count = 0
    this.processes.begin()
    this.locations.begin()
    this.observation.begin()
    this.races.begin(recorded)
    this.footprint.clear()
    this.#barrierWidth = 0
    this.#barriers = 0
    this.#followsUntil = 0
    this.#hasFollowedAll = false
  }

  /** The next executions have nothing in common with the last one, which an execution after those goes on from: until `takeUp`. */
  setAside(): void {
    if (this.#isAside) return
    this.#exchange()
    this.#keptAside = this.#keptAt
    this.#keptAt = NONE
  }

  /** The next execution goes on from the one that was set aside, if any was. */
  takeUp(): void {
    if (!this.#isAside) return
    this.#exchange()
    this.#keptAt = this.#keptAside
  }

  #exchange(): void {
    const { steps, clocks, races } = this.#aside ?? { steps: new Steps(), clocks: new Clocks(), races: new Races() }
    this.#aside = { steps: this.steps, clocks: this.clocks, races: this.races }
    this.steps = steps
    this.clocks = clocks
    this.races = races
    this.#isAside = !this.#isAside
  }

  /** The next execution begins a pass in which what was observed is ordered. */
  beginPass(): void {
    this.observation.ordered.beginPass()
  }

  /** Whether virtual time has passed in this execution. */
  get hasBarriers(): boolean {
    return this.#barriers > 0 || this.#hasFollowedAll
  }

  /**
   * The next execution begins with the first `node` steps of this one; the accesses of the step that this one took there stay,
   * as whoever sleeps there refers to them.
   */
  keepAccessesAt(node: number): void {
    this.#keptAt = node
  }

  /** How many accesses are to stay when the first `recorded` steps do. */
  #accessesOf(recorded: number): number {
    const { steps } = this
    if (this.#keptAt === recorded) return steps.end[recorded] as number
    return recorded === 0 ? 0 : (steps.end[recorded - 1] as number)
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

  /**
   * What e' of the race, a step with one access, does to its location when it comes before e. NONE if that is not known:
   * it depends on the value, and e is a change that commutes with others, so that the value was never there.
   */
  kindBefore(race: number): number {
    const { races, steps } = this
    if (races.blocking[race] !== NONE) return races.blocking[race] as number
    const step = races.step[race] as number
    const first = races.first[race] as number
    const access = steps.start[step] as number
    const writesBefore = this.writesBefore(step)
    if (writesBefore === undefined) return steps.fixed[step] === 1 ? (steps.kind[access] as number) : NONE
    switch (steps.kindAt(first, steps.location[access] as number)) {
      case READ:
      case UNTIL:
        return steps.kind[access] as number
      case WRITE:
        return writesBefore(first) ? WRITE : READ
      default:
        return NONE
    }
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

  /** The running step comes after all steps before number `step`. */
  followAll(step: number): void {
    this.#followsUntil = Math.max(this.#followsUntil, step)
    this.#hasFollowedAll = true
  }

  /** The step of `process` with the accesses in `footprint` has ended. */
  endStep(process: Ordinal, { fixed, writesBefore }: StepNature): void {
    const { steps, processes } = this
    const step = steps.count
    if (step >= this.recorded) {
      if (this.observation.isNeeded) this.#look(process)
      this.#record(step, process, fixed === true)
    }
    // Where it also looks at what it has waited for, that is not all that it does.
    const swaps = this.footprint.length === 1 ? writesBefore : undefined
    if (swaps !== undefined || step < this.#writesBefore.length) this.#writesBefore[step] = swaps
    this.#followsUntil = 0
    this.#apply(step)
    processes.lastStep[process] = step
    processes.steps[process] = (processes.steps[process] as number) + 1
    steps.count = step + 1
    if (validity.checked) this.#assertNumbered(step, process)
  }

  #assertNumbered(step: number, process: Ordinal): void {
    assertValid(() => this.steps.index[step] === this.processes.steps[process], 'a step has its number within its process')
  }

  /**
   * Of `step`, a compare-and-swap: whether it would be a write just before another step, a write of its location.
   * `undefined` for every other step.
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
  #record(step: number, process: Ordinal, fixed: boolean): void {
    const { steps, processes, clocks } = this
    steps.reserve(step + 1)
    clocks.reserve(step + 1, processes.count)
    steps.process[step] = process
    steps.index[step] = (processes.steps[process] as number) + 1
    steps.fixed[step] = fixed ? 1 : 0
    steps.barrier[step] = this.#barriers
    steps.follows[step] = this.#followsUntil
    steps.waited[step] = 0
    steps.store(step, this.#accessEnd, this.footprint)
    this.#accessEnd = steps.end[step] as number

    const origin = processes.origin(process)
    steps.origin[step] = origin
    clocks.start(step, origin)
    this.ordered.clear()
    if (origin !== NONE) this.ordered.add(origin)
    clocks.set(step, process, steps.index[step] as number)
    this.#predecessors.clear()
    for (let i = steps.start[step] as number; i < this.#accessEnd; i++) this.#precede(step, process, i)
    if (this.#barrierWidth > 0) this.#followBarrier(step)
    for (let earlier = this.#followsUntil - 1; earlier >= 0; earlier--) {
      if (!this.happensBefore(earlier, step)) this.#follow(step, earlier)
    }
    steps.enabler[step] = this.footprint.awaited.length > 0 ? this.#onlyChange() : NONE
    if (steps.enabler[step] !== NONE) this.#follow(step, steps.enabler[step] as number)
    this.#orderAfterPredecessors(step, process, origin)
  }

  /** Whether the step now ending sees what the order of unordered changes decides. */
  #look(process: Ordinal): void {
    const { footprint, observation } = this
    for (let i = 0; i < footprint.length; i++) {
      const location = footprint.location[i] as number
      if (footprint.looks[i] !== 0 && this.#looksAtOthers(location, process)) observation.look(location, footprint.looks[i] as number)
      if (footprint.kind[i] === ADD) observation.lookAtSum(location, footprint.payload[i] as Added)
    }
  }

  #looksAtOthers(location: number, process: Ordinal): boolean {
    if (this.observation.rules.ownChanges) return true
    this.locations.touch(location as never)
    const change = this.locations.lastChange[location] as number
    return change === NONE || this.steps.process[this.steps.step[change] as number] !== process
  }

  /** Finds what access `i` of `step` makes the step depend on. */
  #precede(step: number, process: Ordinal, i: number): void {
    const { steps, locations } = this
    const location = steps.location[i] as number
    const kind = steps.kind[i] as number
    switch (kind) {
      case READ:
      case COMBINE:
      case ASSIGN:
      case ADD:
      case APPEND:
      case ARRANGE:
      case PLACE:
        return this.#precedeLayer(location, kind)
      case WRITE:
        this.#precedeLayer(location, kind)
        return this.#precedeChain(locations.lastKeep[location] as number)
      case KEEP: {
        locations.touch(location as never)
        const write = locations.lastWrite[location] as number
        if (write !== NONE) this.#predecessors.add(steps.step[write] as number)
        return
      }
      case WAIT:
        if (this.#followChanges(step, location)) steps.waited[step] = 1
        return
      case JOIN: {
        const last = this.processes.origin(location as Ordinal)
        if (last === NONE || this.happensBefore(last, step)) return
        steps.waited[step] = 1
        return this.#follow(step, last)
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
        const change = locations.lastChange[location] as number
        if (change !== NONE && steps.kind[change] === COMBINE) throw new EngineError('a blocking read of a location that is added to')
        if (this.#holdsBefore === undefined) throw new EngineError('an until step without its predicate')
        this.#raceUntil(location, process, step, this.#holdsBefore)
        this.#followChanges(step, location)
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

  /** The changes of the location that no other happens after. Whether one of them does not happen before what the step is known to come after. */
  #followChanges(step: number, location: number): boolean {
    const { steps, locations } = this
    locations.touch(location as never)
    const isLast = isChange(locations.layerKind[location] as number)
    const changes = isLast ? locations.layer : locations.layerBefore
    let isLater = false
    for (let access = changes[location] as number; access !== NONE; access = steps.link[access] as number) {
      const earlier = steps.step[access] as number
      if (this.happensBefore(earlier, step)) continue
      this.#follow(step, earlier)
      isLater = true
    }
    return isLater
  }

  /** What an access of this kind comes after: the last layer of another kind. */
  #precedeLayer(location: number, kind: number): void {
    const { locations } = this
    locations.touch(location as never)
    const isOfLayer = locations.layerKind[location] === kind && commutesWithItself(kind)
    this.#precedeChain((isOfLayer ? locations.layerBefore[location] : locations.layer[location]) as number)
  }

  #precedeChain(last: number): void {
    const { step, link } = this.steps
    for (let access = last; access !== NONE; access = link[access] as number) {
      this.#predecessors.add(step[access] as number)
      if (this.#followsOne) return
    }
  }

  /** Whether the location was changed after that step. */
  hasChanged(location: number, since: number): boolean {
    const { steps, locations } = this
    locations.touch(location as never)
    const change = locations.lastChange[location] as number
    return change !== NONE && (steps.step[change] as number) > since
  }

  /**
   * What enables a step that would have repeated another is any change of what that one looked at. Where there was only one, the step
   * cannot come before it: no race. NONE if there were several.
   */
  #onlyChange(): number {
    const { steps, locations, footprint } = this
    let only: number = NONE
    for (let i = 0; i < footprint.awaited.length; i++) {
      const location = footprint.awaited[i] as number
      locations.touch(location as never)
      for (let change = locations.lastChange[location] as number; change !== NONE; change = steps.change[change] as number) {
        const earlier = steps.step[change] as number
        if (earlier <= (footprint.awaitedSince[i] as number)) break
        if (only !== NONE && earlier !== only) return NONE
        only = earlier
      }
    }
    if (only === NONE) throw new EngineError('a step was taken before anything had changed that it waits for')
    return only
  }

  #followLock(step: number, location: number): void {
    const last = this.locations.lastLock[location] as number
    if (last !== NONE) this.#follow(step, last)
  }

  /** Latest first: a step that a later predecessor already comes after is ordered, not in a race. */
  #orderAfterPredecessors(step: number, process: Ordinal, origin: number): void {
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
  #raceForLock(location: number, process: Ordinal, step: number): void {
    const first = this.locations.lastAcquire[location] as number
    if (first === NONE) return
    const origin = this.processes.origin(process)
    if (this.isBefore(first, origin)) return
    this.races.addBlocking(first, process, origin, step, ACQUIRE, location)
  }

  /** A blocking read, run or still waiting, could have come before each write that the predicate held before. */
  #raceUntil(location: number, process: Ordinal, step: number, holdsBefore: HoldsBefore): void {
    const { steps, locations } = this
    const origin = this.processes.origin(process)
    for (let change = locations.lastChange[location] as number; change !== NONE; change = steps.change[change] as number) {
      const first = steps.step[change] as number
      if (this.isBefore(first, origin)) return
      if (holdsBefore(first)) this.races.addBlocking(first, process, origin, step, UNTIL, location)
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
      if (kind === ACQUIRE || kind === RELEASE) {
        locations.lastLock[location] = step
        if (kind === ACQUIRE) locations.lastAcquire[location] = step
        continue
      }
      if (kind === KEEP) {
        steps.link[i] = locations.lastKeep[location] as number
        locations.lastKeep[location] = i
      } else this.#grow(i, location, kind === UNTIL ? READ : kind)
      if (isChange(kind)) this.#change(i, location, kind)
    }
    if (this.observation.isNeeded) this.#applyToObservation(step)
  }

  #applyToObservation(step: number): void {
    const { footprint, observation } = this
    for (let i = 0; i < footprint.length; i++) {
      const kind = footprint.kind[i] as number
      if (isChange(kind)) observation.change(footprint.location[i] as number, step, kind, footprint.looks[i] as number, footprint.payload[i])
    }
  }

  #change(i: number, location: number, kind: number): void {
    const { steps, locations } = this
    steps.change[i] = locations.lastChange[location] as number
    locations.lastChange[location] = i
    if (kind !== WRITE) return
    locations.lastWrite[location] = i
    locations.lastKeep[location] = NONE
  }

  /** Access `i` joins the growing layer of its location, or begins a new one. */
  #grow(i: number, location: number, kind: number): void {
    const { steps, locations } = this
    if (locations.layerKind[location] !== kind || !commutesWithItself(kind)) {
      locations.layerBefore[location] = locations.layer[location] as number
      locations.layerKind[location] = kind
      locations.layer[location] = i
      locations.layerRoom[location] = leastRoom
      steps.link[i] = NONE
      return
    }
    steps.link[i] = locations.layer[location] as number
    locations.layer[location] = i
    locations.layerRoom[location] = (locations.layerRoom[location] as number) - 1
    if ((locations.layerRoom[location] as number) < 0) this.#prune(location)
  }

  /** Takes out of the layer what others of it happen after, so that it is never much larger than there are processes. */
  #prune(location: number): void {
    const { steps, locations } = this
    let kept = 0
    for (let later = locations.layer[location] as number; later !== NONE; later = steps.link[later] as number) {
      kept++
      let last = later
      for (let access = steps.link[later] as number; access !== NONE; access = steps.link[access] as number) {
        if (this.happensBefore(steps.step[access] as number, steps.step[later] as number)) continue
        steps.link[last] = access
        last = access
      }
      steps.link[last] = NONE
    }
    locations.layerRoom[location] = Math.max(kept, leastRoom)
  }
}
