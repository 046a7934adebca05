import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { noop } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'

/** What has come from one thing outside, such as a socket. */
interface Line {
  /** How often something has come, and how often that was taken as a step. */
  arrived: number
  taken: number
  /** The step that took the last one has this. */
  turn: ObjectId | undefined
  /** And this number. */
  step: number | undefined
}

/** The number that something has among all that comes from a thing. */
interface Place {
  readonly line: Line
  readonly number: number
}

interface Arrival {
  readonly places: readonly Place[]
  readonly wake: () => void
}

const isFirst = ({ places }: Arrival): boolean => places.every(({ line, number }) => line.taken === number)

/** What comes from things outside while no step runs. Of one thing it waits for its turn in the order in which it came, as the platform has it. */
class Arrivals {
  readonly #execution: Execution
  readonly #lines = new WeakMap<object, Line>()
  #held: Arrival[] = []

  constructor(execution: Execution) {
    this.#execution = execution
  }

  follows(things: readonly object[], run: () => void): void {
    const places = things.map((thing) => this.placeIn(this.lineOf(thing)))
    const wake = (): void => {
      run()
      this.#release(places)
    }
    this.hold({ places, wake })
  }

  placeIn(line: Line): Place {
    return { line, number: line.arrived++ }
  }

  hold(arrival: Arrival): void {
    if (isFirst(arrival)) arrival.wake()
    else this.#held.push(arrival)
  }

  take(places: readonly Place[]): void {
    const { accesses, identities, search } = this.#execution
    const turn = identities.fresh()
    accesses.takeTurn(turn)
    for (const { line } of places) {
      if (line.turn !== undefined) accesses.followTurn(line.turn)
      line.turn = turn
      if (accesses.isExploring) line.step = search.step
    }
    this.#release(places)
  }

  #release(places: readonly Place[]): void {
    for (const { line } of places) line.taken++
    const ready = this.#held.filter(isFirst)
    this.#held = this.#held.filter((arrival) => !ready.includes(arrival))
    for (const { wake } of ready) wake()
  }

  lineOf(thing: object): Line {
    let line = this.#lines.get(thing)
    if (!line) this.#lines.set(thing, (line = { arrived: 0, taken: 0, turn: undefined, step: undefined }))
    return line
  }
}

const arrivals = new PerExecution((execution) => new Arrivals(execution))

/** Something that comes, and which things it comes from. Those are told one by one: of each of them it comes before what is told of it later. */
export class Arriving {
  readonly #execution: Execution
  readonly #places: Place[] = []

  constructor(execution: Execution) {
    this.#execution = execution
  }

  from(things: readonly object[]): void {
    if (things.length === 0) return
    const all = arrivals.of(this.#execution)
    for (const line of things.map((thing) => all.lineOf(thing))) {
      if (!this.#places.some((place) => place.line === line)) this.#places.push(all.placeIn(line))
    }
  }

  /** The steps that have taken what came from them last. */
  get steps(): readonly number[] {
    return this.#places.flatMap(({ line }) => line.step ?? [])
  }

  /** All is told. `wake` is called when it can be taken. */
  comes(wake: () => void): void {
    if (this.#places.length > 0) arrivals.of(this.#execution).hold({ places: this.#places, wake })
    else wake()
  }

  /** The running step takes it. */
  taken(): void {
    if (this.#places.length > 0) arrivals.of(this.#execution).take(this.#places)
  }
}

/** Something comes from these things. `wake` is called when it can be taken; what is returned is to be called by the step that takes it. */
export function arrivesFrom(execution: Execution, things: readonly object[], wake: () => void): () => void {
  const arriving = new Arriving(execution)
  arriving.from(things)
  arriving.comes(wake)
  return () => arriving.taken()
}

const ofCalls = new WeakSet<object>()

/** What settles the promise is due to the call that gave it, and to nothing else that is done outside. */
export function isDueToItsCall(promise: object): void {
  ofCalls.add(promise)
}

const underWay = new WeakSet<object>()

/** What settles the promise comes anyway: whoever waits for it asks nobody outside for anything. */
export function isUnderWay(promise: object): void {
  underWay.add(promise)
}

/** The running step waits for a promise that something outside settles: notes that it has been there. */
export function asksOutside(execution: Execution, promise: object): void {
  if (!ofCalls.has(promise) && !underWay.has(promise)) execution.outside.reach()
}

/** What tells, in the step that takes it, what the outcome of such a promise may be due to. */
export const causeOf = (execution: Execution, promise: object): (() => void) => (ofCalls.has(promise) ? noop : execution.outside.comes())

const behind = new WeakMap<object, () => readonly object[]>()

/** These things decide the promise, which is no event by itself. */
export function isDecidedBy(promise: object, things: () => readonly object[]): void {
  behind.set(promise, things)
}

/** The promise is settled from outside: `run` is called once all has been taken that came before from what decides it. */
export function settledFromOutside(execution: Execution, promise: object, run: () => void): void {
  const things = behind.get(promise)?.() ?? []
  if (things.length > 0) arrivals.of(execution).follows(things, run)
  else run()
}
