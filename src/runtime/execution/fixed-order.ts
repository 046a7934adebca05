import type { Execution } from './execution.ts'
import { areTakenTogether, canBePutIn } from './queued-steps.ts'
import { Turn, type Earlier } from './turns.ts'

const none: readonly never[] = []

/** Where a turn gets into an order. */
interface Among {
  /** It comes behind what is in these, as far as steps before have put it there, */
  readonly others: readonly FixedOrder[]
  /** and behind these whatever has put them in. */
  readonly earlier: readonly Turn[]
  /** A step that has ended has led to it: it comes before what others have put in since. */
  readonly late?: { readonly step: number; readonly before: readonly Turn[] } | undefined
}

/** Continuations whose order the language fixes. */
export class FixedOrder {
  readonly #turns: Turn[] = []
  /** What was let go on behind them. */
  readonly #beside = new Set<Turn>()
  readonly #isTakenTogether: boolean
  #isWatched = false

  /** @param isTakenTogether nothing else happens between those that are in the queue at one time */
  constructor({ isTakenTogether = false }: { readonly isTakenTogether?: boolean } = {}) {
    this.#isTakenTogether = isTakenTogether
  }

  /** The running step puts one more behind all others, and behind those that are in other orders when the step ends. */
  enter(execution: Execution, ...others: readonly FixedOrder[]): Turn {
    return this.#add(execution, new Turn(execution, this.#turns.length === 0 && others.length === 0 ? none : this.#soFar(others)))
  }

  /** The same behind some turns in any case; `late`: for a step that has ended, and before turns that wait already. */
  enterAmong(execution: Execution, { others, earlier, late }: Among): Turn {
    const fixed = { turns: earlier, count: earlier.length, isFixed: true }
    if (!late) return this.#add(execution, new Turn(execution, [...this.#soFar(others), fixed]))
    const { step, before } = late
    const turn = new Turn(execution, [...this.#soFar(others, before), fixed], { step })
    for (const one of before) one.follow(execution, turn)
    return this.#add(execution, turn, before)
  }

  #add(execution: Execution, turn: Turn, before: readonly Turn[] = none): Turn {
    const last = this.#turns.at(-1)
    if (last && (this.#isTakenTogether || last.step === turn.step)) this.#isWatchedBy(execution)
    const place = before.length === 0 ? -1 : this.#turns.findIndex((one) => before.includes(one))
    if (place < 0) this.#turns.push(turn)
    else this.#turns.splice(place, 0, turn)
    return turn
  }

  /** Those that are in it so far. */
  get turns(): readonly Turn[] {
    return this.#turns
  }

  /** The running step lets the turn go on, behind all that are in it by now. */
  letGoOn(execution: Execution, turn: Turn): void {
    if (!turn.letGoOn(execution)) return
    this.#beside.add(turn)
    this.#isWatchedBy(execution)
  }

  #isWatchedBy({ clock }: Execution): void {
    if (this.#isWatched) return
    this.#isWatched = true
    clock.watch(this)
  }

  /** Whether what one step has put in, or what was in it at one time, comes as it does on every platform. To be asked after all steps. */
  isPossible(isBefore: (first: number, second: number) => boolean): boolean {
    return canBePutIn(this.#turns, this.#beside, isBefore) && (!this.#isTakenTogether || areTakenTogether(this.#turns, isBefore))
  }

  #soFar(others: readonly FixedOrder[], without: readonly Turn[] = none): Earlier[] {
    const turns = without.length === 0 ? this.#turns : this.#turns.filter((turn) => !without.includes(turn))
    const earlier: Earlier[] = [{ turns, count: turns.length, isFixed: false }]
    for (const order of others) earlier.push({ turns: order.#turns, count: Infinity, isFixed: false })
    return earlier
  }
}
