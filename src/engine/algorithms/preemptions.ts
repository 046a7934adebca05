import { Array, Math } from '../intrinsics.ts'

/** A step of a set that is closed under what happens before, as far as the count of preemptions needs it. */
export interface OrderedStep {
  readonly process: number
  /** Whether its process may have been unable to go on before it. */
  readonly mayWait: boolean
  /** Of a process: how many of its steps come before this one. */
  readonly after: (process: number) => number
}

/** States that are looked at before the count is given up: what has been found by then is a lower bound. */
const mostStates = 400

/**
 * The fewest preemptions with which the steps can be taken, over all orders that keep what happens before what; or a lower bound of it.
 * A preemption is a switch away from a process that could go on and does so later. Above `most` it says `most + 1`.
 *
 * A process that has the turn keeps it while it can: whatever is done later could as well be done with more done already. One that can be
 * brought to its end, or to where it waits, is brought there first, as leaving it costs nothing. So there is a choice only between processes of
 * which each would be preempted.
 */
export function fewestPreemptions(steps: readonly OrderedStep[], most: number): number {
  const order = new Order(steps)
  let states = [order.begin()]
  const seen = new Set<string>()
  for (let preemptions = 0; preemptions <= most; preemptions++) {
    const next: Positions[] = []
    for (const state of states) {
      order.goFreely(state)
      if (order.isEnd(state)) return preemptions
      const key = state.join(' ')
      if (seen.has(key)) continue
      if (seen.size >= mostStates) return preemptions
      seen.add(key)
      next.push(...order.preempting(state))
    }
    states = next
  }
  return most + 1
}

/** Those with at most so many, in words for a report. */
export function interleavingsWithin(most: number): string {
  return `every interleaving ${most === 0 ? 'without a preemption' : `with at most ${most} preemption${most === 1 ? '' : 's'}`}`
}

/** By process: how many of its steps are taken. */
type Positions = number[]

class Order {
  /** By process, numbered anew: its steps, each with the steps of every process that come before it. */
  readonly #steps: { readonly mayWait: boolean; readonly after: readonly number[] }[][] = []

  constructor(steps: readonly OrderedStep[]) {
    const numbers = new Map<number, number>()
    for (const { process } of steps) if (!numbers.has(process)) numbers.set(process, numbers.size)
    const counts = Array.from(numbers, () => 0)
    for (const { process } of steps) counts[numbers.get(process)!]!++
    for (const { process, mayWait, after } of steps) {
      const number = numbers.get(process)!
      const before = Array.from(numbers, ([other]) => (other === process ? 0 : Math.min(after(other), counts[numbers.get(other)!]!)))
      ;(this.#steps[number] ??= []).push({ mayWait, after: before })
    }
  }

  begin(): Positions {
    return this.#steps.map(() => 0)
  }

  isEnd(positions: Positions): boolean {
    return this.#steps.every((steps, process) => positions[process] === steps.length)
  }

  /** Brings every process that leaves its turn without a preemption as far as it can. */
  goFreely(positions: Positions): void {
    for (let process = 0; process < this.#steps.length; process++) {
      const reached = this.#run(positions, process)
      if (reached === positions[process] || this.#isPreempted(process, reached)) continue
      positions[process] = reached
      process = -1
    }
  }

  /** What is reached by one process that is preempted then. */
  preempting(positions: Positions): Positions[] {
    const reached: Positions[] = []
    for (let process = 0; process < this.#steps.length; process++) {
      const end = this.#run(positions, process)
      if (end === positions[process]) continue
      const after = [...positions]
      after[process] = end
      reached.push(after)
    }
    return reached
  }

  /** How far it comes, at most to where it may have to wait: who waits may be left for nothing, had what it waits for come later. */
  #run(positions: Positions, process: number): number {
    const steps = this.#steps[process]!
    const start = positions[process]!
    let position = start
    while (position < steps.length && (position === start || !steps[position]!.mayWait) && steps[position]!.after.every((count, other) => positions[other]! >= count)) position++
    return position
  }

  #isPreempted(process: number, position: number): boolean {
    const next = this.#steps[process]![position]
    return next !== undefined && !next.mayWait
  }
}
