/** A timer, by the number of the event that set it and its length in milliseconds. */
export interface Set {
  readonly event: number
  readonly length: number
}

/** The time of one event is at least that of another plus so much. */
interface AtLeast {
  readonly event: number
  readonly other: number
  readonly plus: number
}

interface Candidate {
  /** The event is that this timer fires. */
  readonly timer?: Set
  /** Timers that were set before it and are still to come. */
  readonly earlier?: readonly Set[]
}

/** Of two that are due at one time, which comes first is told apart by this. Milliseconds. */
const little = 1e-6

/** The most that a turn of the event loop takes, after which immediates run: no more than what is between two timers, and enough for a timer to become due. Milliseconds. */
const turn = 1e-3

/** Whether there are times for the events of a run, in their order, at which each timer fires exactly when it is due. */
export class Times {
  #count = 1
  #constraints: AtLeast[] = []

  /** Number of the last event; the body's begin is number 0. */
  get last(): number {
    return this.#count - 1
  }

  /** Whether one more event can come next, while these timers are still to come. */
  allows({ pending, ...candidate }: Candidate & { readonly pending: readonly Set[] }): boolean {
    const constraints = [...this.#constraints, ...this.#of(candidate), ...pending.map((timer) => notBefore(timer, this.#count))]
    return isFeasible(this.#count + 1, constraints)
  }

  /** Whether there are such times for what has been added. */
  get exist(): boolean {
    return isFeasible(this.#count, this.#constraints)
  }

  add(candidate: Candidate): void {
    this.#constraints.push(...this.#of(candidate))
    this.#count++
  }

  /** The timer is still to come at the last event, in which it is cleared. */
  isPending(timer: Set): void {
    this.#constraints.push(notBefore(timer, this.last))
  }

  #of({ timer, earlier = [] }: Candidate): AtLeast[] {
    const event = this.#count
    const constraints: AtLeast[] = [{ event, other: event - 1, plus: 0 }]
    if (!timer) return constraints
    constraints.push({ event, other: timer.event, plus: timer.length }, notBefore(timer, event))
    // Of those due at one time the one that was set first comes first.
    for (const other of earlier) constraints.push({ event: other.event, other: event, plus: little - other.length })
    return constraints
  }
}

/** The timer is due at the time of the event, or later; an immediate, a turn of the event loop after it was set at the latest. */
function notBefore({ event: setAt, length }: Set, event: number): AtLeast {
  return { event: setAt, other: event, plus: -(length === 0 ? turn : length) }
}

/** Bellman-Ford: a circle along which times only grow is impossible. */
function isFeasible(count: number, constraints: readonly AtLeast[]): boolean {
  const times = Array.from({ length: count }, () => 0)
  for (let round = 0; round <= count; round++) {
    let isStable = true
    for (const { event, other, plus } of constraints) {
      if (times[event]! >= times[other]! + plus - little / 1000) continue
      times[event] = times[other]! + plus
      isStable = false
    }
    if (isStable) return true
  }
  return false
}
