import { Math } from '../../engine/intrinsics.ts'
import type { Search } from '../../engine/index.ts'
import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'

/** What turns need of the engine. */
export type TurnSearch = Pick<Search, 'step' | 'isBefore' | 'isReplay'>

/** Stands for code that runs alone, before all steps. */
const ALONE = -1

const none: readonly never[] = []

/** The first so many of a list of turns. */
interface Earlier {
  readonly turns: readonly Turn[]
  readonly count: number
  /** They come before, whichever steps put them in. */
  readonly isFixed: boolean
}

/**
 * The place of a continuation among its like, of which the language fixes the order however long things take: reactions of one
 * promise, microtasks, ticks, timers of one length. It comes after those that were put in by steps that happen before its own. Two
 * that unordered steps put in can come either way: the steps could have come the other way round as well.
 */
export class Turn {
  #isTaken = false
  #isSkipped = false
  /** The step that skipped it enabled those after it. */
  #enables = false
  /** By number: the step that put it in. */
  readonly #step: number
  readonly #search: TurnSearch
  /** Its location; undefined as long as turns are taken to be lone ones. */
  readonly #object: ObjectId | undefined
  /** What was put in before, until it is known what of it comes before this. */
  #earlier: readonly Earlier[]
  #after: readonly Turn[] | undefined
  /** How many of those at its start have been taken. */
  #taken = 0
  /** It comes after all that was put in before it. */
  #isLast = false
  /** To be called when it is taken or skipped. */
  #waiting: (() => void)[] | undefined

  constructor(execution: Execution, earlier: readonly Earlier[], step = execution.accesses.isExploring ? execution.search.step : ALONE) {
    this.#search = execution.search
    this.#step = step
    this.#object = areLone(execution, earlier) ? undefined : execution.identities.freshTurn()
    this.#earlier = earlier
  }

  /** A turn that the same step has put in, behind those of others that come before it. */
  again(execution: Execution, others: readonly Turn[]): Turn {
    return new Turn(execution, others.length === 0 ? none : [{ turns: others, count: others.length, isFixed: false }], this.#step)
  }

  /** It comes after this one as well. */
  follow(execution: Execution, turn: Turn): void {
    notLone(execution)
    if (this.#after) this.#after = [...this.#after, turn]
    else this.#earlier = [...this.#earlier, { turns: [turn], count: 1, isFixed: true }]
  }

  /** Whether one that comes before it is still to come. Not to be asked before the step that put it in has ended. */
  get isHeld(): boolean {
    return this.#holder !== undefined
  }

  /** The same; if so, calls back when the one that holds it is over, behind which another may do so. */
  awaitsOthers(over: () => void): boolean {
    const holder = this.#holder
    if (holder) (holder.#waiting ??= []).push(over)
    return holder !== undefined
  }

  /** One that is still to come, and before this one. */
  get #holder(): Turn | undefined {
    // A replay orders more steps than the exploration did.
    if (this.#search.isReplay) return undefined
    const after = this.#comesAfter()
    while (this.#taken < after.length && after[this.#taken]!.#isTaken) this.#taken++
    for (let i = this.#taken; i < after.length; i++) {
      const turn = after[i]!
      const holder = turn.#isTaken ? undefined : turn.#isSkipped ? turn.#holder : turn
      if (holder) return holder
    }
    return undefined
  }

  #isOver(): void {
    const waiting = this.#waiting
    if (!waiting) return
    this.#waiting = undefined
    for (const over of waiting) over()
  }

  /** Those that it comes after, without those that others of their order come after. */
  #comesAfter(): readonly Turn[] {
    if (this.#after) return this.#after
    const earlier = this.#earlier
    this.#earlier = none
    this.#isLast = true
    this.#after = earlier.length === 0 ? none : earlier.flatMap((list) => this.#comesAfterOf(list))
    return this.#after
  }

  #comesAfterOf({ turns, count, isFixed }: Earlier): Turn[] {
    const after: Turn[] = []
    let isLast = true
    for (let i = Math.min(count, turns.length) - 1; i >= 0; i--) {
      const turn = turns[i]!
      // What one of an order comes after says nothing of another order.
      if (after.some((later) => turn.#isBefore(later))) continue
      if (isFixed || turn.#isBefore(this)) after.push(turn)
      else isLast = false
      if (isLast && turn.#isLast) break
    }
    if (!isLast) this.#isLast = false
    return after
  }

  /** The step that it is about begins: it comes after the others. */
  begin({ accesses }: Execution): void {
    this.#isTaken = true
    this.#isOver()
    this.#tellOrder(accesses)
    if (this.#object !== undefined) accesses.takeTurn(this.#object)
  }

  /** No step will come of it: those after it come after those before it, and where they could have gone on by now but for this one, after the running step. */
  skip(execution?: Execution): void {
    this.#isSkipped = true
    this.#isOver()
    if (!execution) return
    this.#enables = true
    if (this.#object !== undefined) execution.accesses.takeTurn(this.#object)
  }

  #tellOrder(accesses: Execution['accesses']): void {
    for (const turn of this.#comesAfter()) {
      if (turn.#isSkipped) turn.#tellOrder(accesses)
      if (turn.#object !== undefined && (!turn.#isSkipped || turn.#enables)) accesses.followTurn(turn.#object)
    }
  }

  #isBefore(other: Turn): boolean {
    return this.#step === ALONE || this.#step === other.#step || (other.#step !== ALONE && this.#search.isBefore(this.#step, other.#step))
  }
}

/** The one name in `Assumptions.loneTurns`. */
const LONE = 'lone'

/** Whether it is taken for granted that no turn comes after another; where one does, not any more. */
function areLone(execution: Execution, earlier: readonly Earlier[]): boolean {
  if (earlier.length > 0) notLone(execution)
  return execution.identities.assumptions.loneTurns.has(LONE)
}

function notLone({ accesses, identities }: Execution): void {
  if (identities.assumptions.loneTurns.lose(LONE)) accesses.startAnew()
}

/** Continuations whose order the language fixes. */
export class FixedOrder {
  readonly #turns: Turn[] = []

  /** The running step puts one more behind all others, and behind those that are in other orders when the step ends. */
  enter(execution: Execution, ...others: readonly FixedOrder[]): Turn {
    const turn = new Turn(execution, this.#turns.length === 0 && others.length === 0 ? none : this.#soFar(others))
    this.#turns.push(turn)
    return turn
  }

  #soFar(others: readonly FixedOrder[]): Earlier[] {
    const earlier: Earlier[] = [{ turns: this.#turns, count: this.#turns.length, isFixed: false }]
    for (const order of others) earlier.push({ turns: order.#turns, count: Infinity, isFixed: false })
    return earlier
  }
}
