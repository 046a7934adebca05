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
export interface Earlier {
  readonly turns: readonly Turn[]
  readonly count: number
  /** They come before, whichever steps put them in. */
  readonly isFixed: boolean
}

/** What stands in a queue before something that a step puts there. */
interface Queued {
  /** The steps but for which it would not be there; the last one is the one that puts it there. */
  readonly causes: readonly number[]
  readonly earlier: Earlier
  /** It waits for something, and tells for what. */
  readonly tellsCause: boolean
  /** Those that are certain to stand before it. */
  before?: readonly Turn[]
}

/**
 * The place of a continuation among its like, of which the language fixes the order however long things take: reactions of one
 * promise, microtasks, ticks, timers of one length. It comes after those that were put in by steps that happen before its own. Two
 * that unordered steps put in can come either way: the steps could have come the other way round as well.
 */
export class Turn {
  #isTaken = false
  /** The step in which that was. */
  #takenIn = ALONE
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
  /** With which step it got into the queue, if it was not put there for good: that may be a later one than its own. */
  #queued: Queued | undefined
  /** It was put into the queue for good, whoever settles what it waits for. */
  #isPlaced = false
  #letGoOnIn: number | undefined
  /** To be called when it is taken or skipped. */
  #waiting: (() => void)[] | undefined

  constructor(execution: Execution, earlier: readonly Earlier[], { step = stepOf(execution), isFollowed = true }: { readonly step?: number; readonly isFollowed?: boolean } = {}) {
    this.#search = execution.search
    this.#step = step
    this.#object = areLone(execution, earlier) || !isFollowed ? undefined : execution.identities.freshTurn()
    this.#earlier = earlier
  }

  /** Of what is in no order: it may come behind others, and nothing comes behind it. */
  static ofItsOwn(execution: Execution): Turn {
    return new Turn(execution, none, { isFollowed: false })
  }

  /** A turn that the same step has put in, behind those of others that come before it. */
  again(execution: Execution, others: readonly Turn[]): Turn {
    return new Turn(execution, others.length === 0 ? none : [{ turns: others, count: others.length, isFixed: false }], { step: this.#step })
  }

  /** It comes after this one as well. */
  follow(execution: Execution, turn: Turn): void {
    notLone(execution)
    if (this.#after) this.#after = [...this.#after, turn]
    else this.#earlier = [...this.#earlier, { turns: [turn], count: 1, isFixed: true }]
  }

  /** The running step has put it in: it comes after these as well, whichever of them are there when the step ends. */
  followAll(execution: Execution, all: Earlier): void {
    notLone(execution)
    this.#earlier = [...this.#earlier, all]
  }

  /**
   * The running step lets it go on: it comes behind those of them as well that were put in by steps before, or by that one so far. Nothing where that
   * step has done so already. `settlers`: the steps that have settled what it waits for. `count`: so many of them, the first ones.
   */
  putBehind(execution: Execution, turns: readonly Turn[], { settlers, count = turns.length }: { readonly settlers?: readonly number[] | undefined; readonly count?: number | undefined } = {}): void {
    const by = stepOf(execution)
    if (this.#isPlaced || this.#queued?.causes.at(-1) === by) return
    this.#queued = { causes: [this.#step, ...(settlers ?? none), by], earlier: { turns, count, isFixed: false }, tellsCause: settlers !== undefined }
    if (count > 0) notLone(execution)
  }

  /** It stands in the queue as what `queueMicrotask` is given does: behind nothing that comes after it there. */
  placed(): this {
    this.#isPlaced = true
    return this
  }

  /** By number: the step that has put it in. */
  get step(): number {
    return this.#step
  }

  /** The step that has let it go on, behind what was in a queue; undefined where none has. */
  get letGoOnIn(): number | undefined {
    return this.#letGoOnIn
  }

  /** The running step lets it go on, behind what is in a queue. False: it stands in the queue itself. */
  letGoOn(execution: Execution): boolean {
    if (this.#isPlaced) return false
    this.#letGoOnIn = stepOf(execution)
    return true
  }

  /** The step in which it was taken; undefined where it was not, or before all steps. */
  get takenIn(): number | undefined {
    return this.#takenIn === ALONE ? undefined : this.#takenIn
  }

  /** It was taken, or will not be. */
  get isOver(): boolean {
    return this.#isTaken || this.#isSkipped
  }

  /** Whether it comes after that one, perhaps as others do that it comes after and that are still to come. Not to be asked before the step that put it in has ended. */
  comesAfter(turn: Turn): boolean {
    const seen = new Set<Turn>([this])
    for (const one of seen) {
      for (const before of one.#comesAfter()) {
        if (before === turn) return true
        if (!before.isOver) seen.add(before)
      }
    }
    return false
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

  /** One that is still to come, and before this one. A replay, which orders more steps than the exploration did, is not held. */
  get #holder(): Turn | undefined {
    return this.#search.isReplay ? undefined : this.#stillBefore
  }

  get #stillBefore(): Turn | undefined {
    const after = this.#comesAfter()
    while (this.#taken < after.length && after[this.#taken]!.#isTaken) this.#taken++
    return Turn.#holderAmong(after, this.#taken) ?? Turn.#holderAmong(this.#comesBehind(), 0)
  }

  static #holderAmong(turns: readonly Turn[], from: number): Turn | undefined {
    for (let i = from; i < turns.length; i++) {
      const turn = turns[i]!
      const holder = turn.#isTaken ? undefined : turn.#isSkipped ? turn.#stillBefore : turn
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
    const found = earlier.map((list) => this.#comesAfterOf(list, [this.#step]))
    this.#isLast = found.every(({ isLast }) => isLast)
    this.#after = found.length === 0 ? none : found.flatMap(({ after }) => after)
    return this.#after
  }

  /** Those that stand before it in the queue, without those that others of them come after. */
  #comesBehind(): readonly Turn[] {
    const queued = this.#queued
    if (queued === undefined) return none
    return (queued.before ??= this.#comesAfterOf(queued.earlier, queued.causes).after)
  }

  #comesAfterOf({ turns, count, isFixed }: Earlier, causes: readonly number[]): { readonly after: readonly Turn[]; readonly isLast: boolean } {
    // They may be of several orders, of which none says anything of another one. The step that put it in comes after some anyway.
    if (isFixed) return { after: turns.filter((turn) => !this.#wasTakenBefore(turn)), isLast: true }
    const after: Turn[] = []
    let isLast = true
    for (let i = Math.min(count, turns.length) - 1; i >= 0; i--) {
      const turn = turns[i]!
      if (after.some((later) => turn.wasPutInBy(later.#step))) continue
      if (causes.some((step) => turn.wasPutInBy(step))) after.push(turn)
      else isLast = false
      if (isLast && turn.#isLast) break
    }
    return { after, isLast }
  }

  #wasTakenBefore(turn: Turn): boolean {
    return turn.#isTaken && (turn.#takenIn === ALONE || (this.#step !== ALONE && this.#search.isBefore(turn.#takenIn, this.#step)))
  }

  /** The step that it is about begins: it comes after the others. */
  begin(execution: Execution): void {
    const { accesses } = execution
    if (this.#search.isReplay && (Turn.#holderAmong(this.#comesAfter(), 0) ?? Turn.#holderAmong(this.#comesBehind(), 0))) execution.isOutOfTurn = true
    this.#isTaken = true
    if (accesses.isExploring) this.#takenIn = this.#search.step
    this.#isOver()
    Turn.#tellOrder(accesses, this.#comesAfter())
    if (this.#queued?.tellsCause === false) Turn.#tellOrder(accesses, this.#comesBehind())
    if (this.#object !== undefined) accesses.takeTurn(this.#object)
  }

  /** The step has told for what it has waited. */
  hasToldCause({ accesses }: Execution): void {
    if (this.#queued?.tellsCause) Turn.#tellOrder(accesses, this.#comesBehind())
  }

  /** No step will come of it: those after it come after those before it, and where they could have gone on by now but for this one, after the running step. */
  skip(execution?: Execution): void {
    this.#isSkipped = true
    this.#isOver()
    if (!execution) return
    this.#enables = true
    if (this.#object !== undefined) execution.accesses.takeTurn(this.#object)
  }

  /** In an order of their names: which was put in first may be told by nothing but the order of steps that commute. */
  static #tellOrder(accesses: Execution['accesses'], turns: readonly Turn[]): void {
    if (turns.length === 0) return
    const objects: ObjectId[] = []
    Turn.#collect(turns, objects)
    if (objects.length > 1) objects.sort((one, other) => one - other)
    for (const object of objects) accesses.followTurn(object)
  }

  static #collect(turns: readonly Turn[], objects: ObjectId[]): void {
    for (const turn of turns) {
      if (turn.#isSkipped) Turn.#collect(turn.#comesAfter(), objects)
      if (turn.#object !== undefined && (!turn.#isSkipped || turn.#enables)) objects.push(turn.#object)
    }
  }

  /** Whether the step that has put it in happens after that one. */
  isOfStepAfter(step: number): boolean {
    return step === ALONE || (this.#step !== ALONE && this.#search.isBefore(step, this.#step))
  }

  /** Whether the step that has put it in happens before that one, or is that one. */
  wasPutInBy(step: number): boolean {
    return this.#step === ALONE || this.#step === step || (step !== ALONE && this.#search.isBefore(this.#step, step))
  }
}

function stepOf({ accesses, search }: Execution): number {
  return accesses.isExploring ? search.step : ALONE
}

/** The one name in `Assumptions.loneTurns`. */
const LONE = 'lone'

/**
 * Whether it is taken for granted that no turn comes after another; where one does, not any more. Not of what is put in before the explored part: where one of that comes
 * after another, nothing starts anew.
 */
function areLone(execution: Execution, earlier: readonly Earlier[]): boolean {
  if (earlier.length > 0) notLone(execution)
  return execution.accesses.isExploring && execution.identities.assumptions.loneTurns.has(LONE)
}

function notLone({ accesses, identities }: Execution): void {
  if (identities.assumptions.loneTurns.lose(LONE)) accesses.startAnew()
}
