import type { TimerRequest } from './timer.ts'
import type { Execution } from './execution.ts'
import type { Process } from './process.ts'
import { FixedOrder } from './fixed-order.ts'
import type { Turn } from './turns.ts'

/**
 * When something happens, as far as that is certain: so many milliseconds after the step by number `base`. What goes on after an
 * `await` does so at a moment of its own, since that may take any time; a timer fires just so much later than it was set.
 */
export interface Moment {
  readonly base: number
  readonly offset: number
}

/** A timer of one base, in their order of time. */
interface Due {
  readonly offset: number
  readonly turn: Turn
}

/**
 * Timers of one length that are set at one place, each by what another one leads to, and that may fire early; those that follow are taken for a loop, which
 * could go on for ever.
 */
const mostOfOnePlace = 3

/**
 * Where an `await` may outlast any timer (`time: 'race'`), a timer can fire from the moment on in which it is set. It comes after those
 * that are due before it for certain: those that are set before it, or with it, and are no longer; and those of the same base that are due before it. Of two
 * others either may come first, as nobody knows how much time lies between the steps that set them.
 */
export class RacingTimers {
  /** By length. */
  readonly #lengths = new Map<number, FixedOrder>()
  readonly #bases = new Map<number, Due[]>()
  readonly #isByEvent: boolean

  constructor({ isByEvent }: { readonly isByEvent: boolean }) {
    this.#isByEvent = isByEvent
  }

  /** Whether one more timer may fire before anything else is over. One that is set again and again does so when nothing else can run. */
  admits({ site, mayRace }: TimerRequest, length: number, process: Process): boolean {
    if (mayRace !== true) return false
    const place = `${site} ${length}`
    const count = (process.timers.get(place) ?? 0) + 1
    process.timers = new Map(process.timers).set(place, count)
    return count <= mostOfOnePlace
  }

  /** The running step sets a timer that is due at `due`, `length` milliseconds from now; behind what is in `others` as well. */
  enter(execution: Execution, { due, length, others }: { readonly due: Moment; readonly length: number; readonly others: readonly FixedOrder[] }): Turn {
    const own = within(this.#lengths, length, () => new FixedOrder({ isTakenTogether: this.#isByEvent && length === 0 }))
    // Those that come last first: the others come before them.
    const shorter = [...this.#lengths].filter(([other]) => other < length).toSorted(([one], [other]) => other - one).map(([, order]) => order)
    const turn = own.enter(execution, { others: [...shorter, ...others] })
    this.#enterBase(execution, due, turn)
    return turn
  }

  /** All of one base come in the order of time. */
  #enterBase(execution: Execution, { base, offset }: Moment, turn: Turn): void {
    const all = within(this.#bases, base, (): Due[] => [])
    let place = all.length
    while (place > 0 && all[place - 1]!.offset > offset) place--
    const before = all[place - 1]
    if (before) turn.follow(execution, before.turn)
    // It is not yet enabled: what sets this one is no later than this one, and so before that.
    all[place]?.turn.follow(execution, turn)
    all.splice(place, 0, { offset, turn })
  }
}

function within<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
