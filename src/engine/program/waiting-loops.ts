import { Array } from '../intrinsics.ts'
import { goesRound, Rehearsal, type MoreRounds } from './rehearsal.ts'

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
 * goes round again and again while it finds the same, and if it makes no difference later how often it did. What others have done since plays no part in it:
 * whether a thread waits is decided by what happens before its last look.
 */
export class WaitingLoops {
  readonly #run: (rehearsal: Rehearsal) => void
  /** Of the execution before: its schedule, and after so many steps of it whether the thread waits. */
  #before: { readonly schedule: readonly number[]; readonly found: ReadonlyMap<number, boolean> } = { schedule: [], found: new Map() }
  #found = new Map<number, boolean>()

  /** `run` runs the program once, without loops that wait. */
  constructor(run: (rehearsal: Rehearsal) => void) {
    this.#run = run
  }

  /** The execution with this schedule is over. */
  ended(schedule: readonly number[]): void {
    this.#before = { schedule, found: this.#found }
    this.#found = new Map()
  }

  /** Whether the thread that has gone round would do so for ever while it finds the same. */
  waits(schedule: readonly number[], wait: LoopWait): boolean {
    const { found, schedule: before } = this.#before
    const known = schedule.every((process, i) => before[i] === process) ? found.get(wait.at) : undefined
    const waits = known ?? this.#goesRound(schedule, wait)
    this.#found.set(wait.at, waits)
    return waits
  }

  #goesRound(schedule: readonly number[], wait: LoopWait): boolean {
    const { process, period } = wait
    const { outcome, steps } = this.#rehearse(withMoreRounds(schedule, [wait], mostRounds))
    return outcome?.status === 'truncated' && goesRound(steps[process]!, { period, count: mostRounds * period })
  }

  /** Whether all would have come as it did if the threads that waited had gone round more often. */
  areAlike(schedule: readonly number[], waits: readonly LoopWait[]): boolean {
    const once = this.#rehearse(new Rehearsal(schedule))
    const often = this.#rehearse(withMoreRounds(schedule, waits, moreRounds))
    if (once.outcome?.status !== often.outcome?.status || kindOfFailure(once) !== kindOfFailure(often)) return false
    return once.steps.every((steps, process) => {
      const own = waits.filter((wait) => wait.process === process).map((wait) => ({ ...wait, at: countOf(process, schedule, wait.at) }))
      const expected = repeated(steps, own, (at, period) => againAndAgain(steps.slice(at - period, at), moreRounds))
      return expected.length === often.steps[process]!.length && expected.every((step, i) => step === often.steps[process]![i])
    })
  }

  #rehearse(rehearsal: Rehearsal): Rehearsal {
    this.#run(rehearsal)
    return rehearsal
  }
}

/** The schedule with so many rounds more where threads began to wait. */
function withMoreRounds(schedule: readonly number[], waits: readonly LoopWait[], count: number): Rehearsal {
  const rounds: MoreRounds[] = []
  let more = 0
  for (const { at, process, period } of waits) {
    const from = at + more
    more += count * period
    rounds.push({ process, period, from, to: at + more })
  }
  return new Rehearsal(repeated(schedule, waits, (at, period) => againAndAgain([schedule[at - 1]!], count * period)), rounds)
}

/** The list with something more where threads began to wait. */
function repeated(list: readonly number[], waits: readonly LoopWait[], more: (at: number, period: number) => readonly number[]): number[] {
  const longer: number[] = []
  let from = 0
  for (const { at, period } of waits) {
    longer.push(...list.slice(from, at), ...more(at, period))
    from = at
  }
  return [...longer, ...list.slice(from)]
}

function againAndAgain(list: readonly number[], times: number): number[] {
  return Array.from({ length: list.length * times }, (_, i) => list[i % list.length]!)
}

function countOf(process: number, schedule: readonly number[], end: number): number {
  return schedule.slice(0, end).filter((each) => each === process).length
}

function kindOfFailure({ outcome }: Rehearsal): string | undefined {
  return outcome?.status === 'complete' ? outcome.failure?.kind : undefined
}
