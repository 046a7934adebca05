import type { Execution } from './execution.ts'
import { allOf, FixedOrder } from './fixed-order.ts'
import type { Turn } from './turns.ts'

const none: readonly never[] = []

/** Which come first of those that one step has put in, by what it runs as. Of what is none of the others' nothing is known. */
const firstOf = { microtasks: 'microtasks', ticks: 'ticks', turns: 'ticks' } as const

/**
 * What is ready at once: callbacks of `queueMicrotask`, of `process.nextTick`, immediates. A microtask, which code after an `await` is as well, puts
 * microtasks before ticks, as Node goes on with microtasks until there are none; a callback of Node's own, or a tick, puts ticks before microtasks. Both come
 * before immediates, and so does what they put in while one of those waits for them.
 */
export class JobQueues {
  readonly microtasks = new FixedOrder()
  readonly ticks = new FixedOrder()
  readonly turns: FixedOrder
  /** The last step that has put in what comes first of its own: the others of it have been told. */
  #toldIn: number | undefined

  /** @param isTakenTogether nothing else happens between immediates that are there at one time */
  constructor(options: { readonly isTakenTogether: boolean }) {
    this.turns = new FixedOrder(options)
  }

  /** The running step puts one more in, as that code of it which runs as `execution.runsAs`. */
  enter(execution: Execution, queue: 'microtasks' | 'ticks'): Turn {
    const { runsAs } = execution
    const other = queue === 'microtasks' ? this.ticks : this.microtasks
    const first = runsAs === undefined ? undefined : firstOf[runsAs]
    const isBehind = first !== undefined && first !== queue && other.turns.length > 0
    const turn = this[queue].enter(execution, { others: isBehind ? [other] : none })
    if (runsAs === undefined) return turn
    const running = execution.runningTurn
    const isBehindRunning = (one: Turn): boolean => running !== undefined && one.step !== turn.step && one.comesAfter(running)
    if (first === queue) {
      if (this.#toldIn !== turn.step) for (const one of other.toCome) if (one.step === turn.step) one.followAll(execution, allOf(this[queue]))
      this.#toldIn = turn.step
      putBehind(execution, other, turn, isBehindRunning)
    }
    // Immediates of the step itself will be behind all that it has put in by its end.
    if (running) putBehind(execution, this.turns, turn, isBehindRunning)
    return turn
  }
}

/** Those that are still to come, and of which this is so, come after that turn. */
function putBehind(execution: Execution, order: FixedOrder, turn: Turn, isBehind: (one: Turn) => boolean): void {
  for (const one of order.toCome) if (isBehind(one)) one.follow(execution, turn)
}
