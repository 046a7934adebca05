import type { Execution } from './execution.ts'
import { areTakenTogether, canBePutIn } from './queued-steps.ts'
import { Turn, type Earlier } from './turns.ts'

const none: readonly never[] = []

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
    const turn = new Turn(execution, this.#turns.length === 0 && others.length === 0 ? none : this.#soFar(others))
    const last = this.#turns.at(-1)
    if (last && (this.#isTakenTogether || last.step === turn.step)) this.#isWatchedBy(execution)
    this.#turns.push(turn)
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

  #soFar(others: readonly FixedOrder[]): Earlier[] {
    const earlier: Earlier[] = [{ turns: this.#turns, count: this.#turns.length, isFixed: false }]
    for (const order of others) earlier.push({ turns: order.#turns, count: Infinity, isFixed: false })
    return earlier
  }
}
