import { Math } from '../../engine/intrinsics.ts'
import type { Execution } from './execution.ts'
import { canBePutIn } from './queued-steps.ts'
import { areTakenTogether } from './taken-together.ts'
import { Turn, type Earlier } from './turns.ts'

const none: readonly never[] = []

/** Where a turn gets into an order, besides behind what is there. */
interface Among {
  /** It comes behind what is in these when the step ends, as far as steps before have put it there, */
  readonly others?: readonly FixedOrder[]
  /** and behind these whatever has put them in. */
  readonly earlier?: readonly Turn[]
  /** A step that has ended has led to it: it comes before what others have put in since. */
  readonly late?: { readonly step: number; readonly before: readonly Turn[] } | undefined
}

/** Those that are in it whenever that is asked. */
export function allOf(order: FixedOrder): Earlier {
  return { get turns() { return order.turns }, count: Infinity, isFixed: false }
}

/** Continuations whose order the language fixes. */
export class FixedOrder {
  #turns: Turn[] = []
  /** So many of them, at the start, are over. */
  #over = 0
  /** What was let go on behind them. */
  readonly #beside = new Set<Turn>()
  readonly #isTakenTogether: boolean
  #isWatched = false

  /** @param isTakenTogether nothing else happens between those that are in the queue at one time */
  constructor({ isTakenTogether = false }: { readonly isTakenTogether?: boolean } = {}) {
    this.#isTakenTogether = isTakenTogether
  }

  /** The running step, or one that it stands for, puts one more behind all others. */
  enter(execution: Execution, { others = none, earlier = none, late }: Among = {}): Turn {
    const before = late?.before ?? none
    const turn = new Turn(execution, this.#soFar(others, { earlier, before }), late)
    for (const one of before) one.follow(execution, turn)
    const last = this.#turns.at(-1)
    if (last && (this.#isTakenTogether || last.step === turn.step)) this.#isWatchedBy(execution)
    const place = before.length === 0 ? -1 : this.#turns.findIndex((one) => before.includes(one))
    if (place < 0) this.#turns.push(turn)
    // What came after the first so many still does.
    else {
      this.#turns = this.#turns.toSpliced(place, 0, turn)
      this.#over = Math.min(this.#over, place)
    }
    return turn
  }

  /** Stands for something that runs no code, behind all others, and nothing comes behind it here. Undefined where it would be the first. */
  mark(execution: Execution): Turn | undefined {
    if (this.#turns.length === 0) return undefined
    const turn = new Turn(execution, this.#soFar(none, { earlier: none, before: none }), { isFollowed: false })
    turn.skip()
    return turn
  }

  /** Those that are in it so far. */
  get turns(): readonly Turn[] {
    return this.#turns
  }

  /** Those of them that are still to come. */
  get toCome(): readonly Turn[] {
    while (this.#turns[this.#over]?.isOver) this.#over++
    return this.#turns.slice(this.#over).filter((turn) => !turn.isOver)
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

  #soFar(others: readonly FixedOrder[], { earlier, before }: { readonly earlier: readonly Turn[]; readonly before: readonly Turn[] }): readonly Earlier[] {
    if (this.#turns.length === 0 && others.length === 0 && earlier.length === 0) return none
    const turns = before.length === 0 ? this.#turns : this.#turns.filter((turn) => !before.includes(turn))
    const soFar: Earlier[] = [{ turns, count: turns.length, isFixed: false }]
    for (const order of others) soFar.push(allOf(order))
    if (earlier.length > 0) soFar.push({ turns: earlier, count: earlier.length, isFixed: true })
    return soFar
  }
}
