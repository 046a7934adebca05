import type { InputRecording, InputStep } from './input.ts'

interface Predecessor {
  readonly step: number
  /** Only because the two steps conflict; they could have come the other way round. */
  readonly isConflict: boolean
}

/** Happens-before of the recorded steps: program order, spawns, wakings, time, and conflicts in the order they came. */
export class Order {
  readonly #steps: readonly InputStep[]
  readonly #predecessors: readonly (readonly Predecessor[])[]
  /** For every step the last step before which time advanced, or -1. */
  readonly #barriers: readonly number[]
  /** Position of a step within its process, from 1. */
  readonly #positions: readonly number[]
  readonly #happensBefore: readonly Clock[]
  readonly #enforced: readonly Clock[]

  constructor({ steps }: InputRecording) {
    this.#steps = steps
    this.#barriers = barriersOf(steps)
    this.#positions = positionsOf(steps)
    this.#predecessors = predecessorsOf(steps)
    this.#happensBefore = this.#clocks(() => true)
    this.#enforced = this.#clocks(({ isConflict }) => !isConflict)
  }

  /** Does something make the second step come after the first, other than conflicts that came out this way? */
  isEnforced(first: number, second: number): boolean {
    return this.#isBefore(first, second, this.#enforced)
  }

  /** Conflicting steps, next to one another in happens-before, that could have come the other way round. */
  isRace(first: number, second: number): boolean {
    if (first >= second || this.#steps[first]!.process === this.#steps[second]!.process) return false
    if (this.#barriers[second]! > first) return false
    const predecessors = this.#predecessors[second]!
    if (!predecessors.some(({ step, isConflict }) => step === first && isConflict)) return false
    return predecessors.every(({ step, isConflict }) =>
      step === first ? isConflict : !this.#isBefore(first, step, this.#happensBefore),
    )
  }

  /** Pairs of steps that race. */
  races(): { first: number; second: number }[] {
    return this.#predecessors.flatMap((predecessors, second) =>
      [...new Set(predecessors.map(({ step }) => step))].filter((first) => this.isRace(first, second)).map((first) => ({ first, second })),
    )
  }

  /** Could the step have been taken at the given moment, before the steps that came between? */
  couldRunAt(step: number, moment: number): boolean {
    if (this.#barriers[step]! >= moment) return false
    return this.#predecessors[step]!.every((before) => before.isConflict || before.step < moment)
  }

  #isBefore(first: number, second: number, clocks: readonly Clock[]): boolean {
    if (first === second) return true
    if (first > second) return false
    if (this.#barriers[second]! > first) return true
    return clocks[second]![this.#steps[first]!.process]! >= this.#positions[first]!
  }

  #clocks(counts: (predecessor: Predecessor) => boolean): Clock[] {
    const clocks: Clock[] = []
    const width = this.#steps.reduce((most, { process }) => Math.max(most, process + 1), 0)
    for (const [index, { process }] of this.#steps.entries()) {
      const clock: Clock = new Int32Array(width)
      for (const predecessor of this.#predecessors[index]!) {
        if (counts(predecessor)) join(clock, clocks[predecessor.step]!)
      }
      clock[process] = this.#positions[index]!
      clocks.push(clock)
    }
    return clocks
  }
}

/** How many steps of each process came before, itself included. */
type Clock = Int32Array

function join(clock: Clock, other: Clock): void {
  for (let process = 0; process < clock.length; process++) {
    if (other[process]! > clock[process]!) clock[process] = other[process]!
  }
}

function barriersOf(steps: readonly InputStep[]): number[] {
  let last = -1
  return steps.map(({ time }, index) => (last = time === undefined ? last : index))
}

function positionsOf(steps: readonly InputStep[]): number[] {
  const counts = new Map<number, number>()
  return steps.map(({ process }) => {
    const position = (counts.get(process) ?? 0) + 1
    counts.set(process, position)
    return position
  })
}

/** The last steps that touched a location, each with its process: those that the next one may conflict with. */
interface Touched {
  written: number
  readonly added: Map<number, number>
  readonly read: Map<number, number>
}

function predecessorsOf(steps: readonly InputStep[]): Predecessor[][] {
  const lastOfProcess = new Map<number, number>()
  const settled = new Map<number, number>()
  const touched = new Map<number, Touched>()
  return steps.map((step, index) => {
    const enforced = new Set<number>()
    const own = lastOfProcess.get(step.process)
    if (own !== undefined) enforced.add(own)
    for (const { kind, location } of step.accesses) {
      if (kind === 'settle') settled.set(location, index)
      if (kind !== 'wait') continue
      const settling = settled.get(location)
      // What woke it was not recorded: it may have been anything before.
      const wakers = settling === undefined ? lastOfProcess.values() : [settling]
      for (const waker of wakers) if (waker !== index) enforced.add(waker)
    }
    const conflicts = conflictsOf(step, index, touched)
    lastOfProcess.set(step.process, index)
    for (const process of step.spawned) if (process !== step.process) lastOfProcess.set(process, index)
    return [
      ...[...enforced].map((before) => ({ step: before, isConflict: false })),
      ...[...conflicts].filter((before) => before !== index).map((before) => ({ step: before, isConflict: true })),
    ]
  })
}

function conflictsOf({ process, accesses }: InputStep, index: number, touched: Map<number, Touched>): Set<number> {
  const conflicts = new Set<number>()
  for (const { kind, location } of accesses) {
    if (kind === 'wait' || kind === 'settle') continue
    let seen = touched.get(location)
    if (!seen) touched.set(location, (seen = { written: -1, added: new Map(), read: new Map() }))
    if (seen.written >= 0) conflicts.add(seen.written)
    if (kind !== 'add') for (const step of seen.added.values()) conflicts.add(step)
    if (kind !== 'read') for (const step of seen.read.values()) conflicts.add(step)
    touch(seen, kind, { process, index })
  }
  return conflicts
}

function touch(seen: Touched, kind: 'read' | 'write' | 'add', { process, index }: { process: number; index: number }): void {
  switch (kind) {
    case 'read':
      seen.read.set(process, index)
      break
    case 'add':
      seen.added.set(process, index)
      break
    case 'write':
      seen.written = index
      seen.added.clear()
      seen.read.clear()
      break
    default:
      kind satisfies never
  }
}
