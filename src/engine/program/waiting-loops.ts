import { Array } from '../intrinsics.ts'
import type { ProgramSearch } from './operations.ts'
import { goesRound, Rehearsal } from './rehearsal.ts'

/** Rounds after which a loop that changes nothing and finds the same counts as one that never ends. */
const mostRounds = 1000

/** So many rounds more must make no difference to what comes later. */
const moreRounds = 25

/** A thread began to wait in a loop. */
export interface LoopWait {
  /** After so many steps of the schedule. */
  readonly at: number
  /** Its ordinal. */
  readonly process: number
  /** Steps of a round. */
  readonly period: number
}

/**
 * Which loops wait. What a thread has in its variables nobody can see, so it is tried out: a round leads back to the same state if the thread
 * goes round again and again while nobody else runs, and if it makes no difference later how often it did.
 */
export class WaitingLoops {
  readonly #run: (search: ProgramSearch) => void
  /** Of the execution before: its schedule, and after so many steps of it whether the thread waits. */
  #before: { readonly schedule: readonly number[]; readonly found: ReadonlyMap<number, boolean> } = { schedule: [], found: new Map() }
  #found = new Map<number, boolean>()
  /** By thread: after how many of its steps it has seemed to go round, and whether it did when that was met first. */
  readonly #first: Map<number, boolean>[] = []

  /** `run` runs the program once, without loops that wait. */
  constructor(run: (search: ProgramSearch) => void) {
    this.#run = run
  }

  /** The execution with this schedule is over. */
  ended(schedule: readonly number[]): void {
    this.#before = { schedule, found: this.#found }
    this.#found = new Map()
  }

  /** Whether the thread that has gone round, and has taken so many steps, would go round for ever while nothing changes. */
  waits(schedule: readonly number[], wait: LoopWait, taken: number): boolean {
    const first = (this.#first[wait.process] ??= new Map())
    // A place that is no loop: it is not tried again.
    if (first.get(taken) === false) return false
    const { found, schedule: before } = this.#before
    const known = schedule.every((process, i) => before[i] === process) ? found.get(wait.at) : undefined
    const waits = known ?? this.#goesRound(schedule, wait)
    this.#found.set(wait.at, waits)
    if (!first.has(taken)) first.set(taken, waits)
    return waits
  }

  #goesRound(schedule: readonly number[], { process, period }: LoopWait): boolean {
    const count = mostRounds * period
    const { outcome, steps } = this.#rehearse(new Rehearsal(schedule, { process, steps: count }))
    return outcome?.status === 'truncated' && goesRound(steps[process]!, { period, count })
  }

  /** Whether all would have come as it did if the threads that waited had gone round more often. */
  areAlike(schedule: readonly number[], waits: readonly LoopWait[]): boolean {
    const once = this.#rehearse(new Rehearsal(schedule))
    const often = this.#rehearse(new Rehearsal(withMoreRounds(schedule, waits)))
    if (once.outcome?.status !== often.outcome?.status || kindOfFailure(once) !== kindOfFailure(often)) return false
    return once.steps.every((steps, process) => {
      const own = waits.filter((wait) => wait.process === process).map((wait) => ({ ...wait, at: countOf(process, schedule, wait.at) }))
      const expected = withMoreRounds(steps, own, (at, period) => steps.slice(at - period, at))
      return expected.length === often.steps[process]!.length && expected.every((step, i) => step === often.steps[process]![i])
    })
  }

  #rehearse(rehearsal: Rehearsal): Rehearsal {
    this.#run(rehearsal)
    return rehearsal
  }
}

/** The list with more rounds where threads began to wait; `round` is one of them. */
function withMoreRounds(list: readonly number[], waits: readonly LoopWait[], round?: (at: number, period: number) => readonly number[]): number[] {
  const more: number[] = []
  let from = 0
  for (const { at, process, period } of waits) {
    more.push(...list.slice(from, at))
    const again = round === undefined ? Array.from({ length: period }, () => process) : round(at, period)
    for (let i = 0; i < moreRounds; i++) more.push(...again)
    from = at
  }
  return [...more, ...list.slice(from)]
}

function countOf(process: number, schedule: readonly number[], end: number): number {
  return schedule.slice(0, end).filter((each) => each === process).length
}

function kindOfFailure({ outcome }: Rehearsal): string | undefined {
  return outcome?.status === 'complete' ? outcome.failure?.kind : undefined
}
