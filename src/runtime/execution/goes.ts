import { Array, Math } from '../../engine/intrinsics.ts'
import type { IsBefore, Taken } from './taken-turns.ts'

/** A step that has taken one of the queue, or has put some there, or comes between such ones. */
interface Step {
  /** Which of them happen before it, by their places. */
  readonly after: readonly number[]
  /** What it puts into the queue, as places of the steps that take it. */
  readonly puts: readonly number[]
}

/** What has happened so far. */
interface Past {
  readonly isOver: readonly boolean[]
  readonly queue: readonly number[]
}

/** Where more of them are looked at it is taken for granted that there is an order, */
const mostPasts = 2000

/** and so it is with more steps. */
const mostSteps = 400

/** Whether the steps have an order in which all that is in the queue is always taken in one go. */
export function areGoes(taken: readonly Taken[], isBefore: IsBefore): boolean {
  const takers = new Set(taken.map(({ takenIn }) => takenIn))
  // What comes before none of them can come after all.
  const numbers = Array.from({ length: Math.max(...takers) + 1 }, (_, step) => step).filter((step) => takers.has(step) || taken.some((turn) => turn.step === step || isBefore(step, turn.takenIn)))
  return numbers.length > mostSteps || new Goes(taken, numbers, isBefore).exist
}

/** Looks for such an order. */
class Goes {
  readonly #steps: readonly Step[]
  /** The places of those that take nothing from the queue. */
  readonly #others: readonly number[]
  readonly #start: readonly number[]
  /** From which nothing leads on. */
  readonly #inVain = new Set<string>()

  constructor(taken: readonly Taken[], numbers: readonly number[], isBefore: IsBefore) {
    const takers = new Set(taken.map(({ takenIn }) => takenIn))
    const places = new Map(numbers.map((number, place) => [number, place]))
    const put = (by: (step: number) => boolean): number[] => taken.filter(({ step }) => by(step)).map(({ takenIn }) => places.get(takenIn)!)
    this.#start = put((step) => step < 0)
    this.#steps = numbers.map((number) => ({
      after: numbers.flatMap((other, place) => (other !== number && isBefore(other, number) ? [place] : [])),
      puts: put((step) => step === number),
    }))
    this.#others = numbers.flatMap((number, place) => (takers.has(number) ? [] : [place]))
  }

  get exist(): boolean {
    return this.#leadsOn({ isOver: this.#steps.map(() => false), queue: this.#start })
  }

  #leadsOn(past: Past): boolean {
    if (this.#inVain.size >= mostPasts) return true
    const now = this.#afterQuiet(past)
    if (now.isOver.every(Boolean)) return true
    const name = `${now.isOver.map(Number).join('')} ${now.queue.join()}`
    if (this.#inVain.has(name)) return false
    if (this.#nexts(now).some((next) => this.#leadsOn(next))) return true
    this.#inVain.add(name)
    return false
  }

  /** What puts nothing into the queue keeps nothing from happening, so it need not wait. */
  #afterQuiet({ isOver, queue }: Past): Past {
    const now = [...isOver]
    for (const place of this.#others) if (this.#steps[place]!.puts.length === 0 && this.#canCome(now, place)) now[place] = true
    return { isOver: now, queue }
  }

  #nexts(past: Past): readonly Past[] {
    const others = this.#others.filter((place) => this.#canCome(past.isOver, place))
    const go = this.#go(past)
    const nexts = others.map((other) => ({ isOver: past.isOver.map((isOver, place) => isOver || place === other), queue: [...past.queue, ...this.#steps[other]!.puts] }))
    if (!go) return nexts
    // The order in which they came is the first to be tried.
    const isGoFirst = others.length === 0 || past.queue[0]! < others[0]!
    return isGoFirst ? [go, ...nexts] : [...nexts, go]
  }

  /** All in the queue, one after the other; undefined where something else has to come before one of them. */
  #go({ isOver, queue }: Past): Past | undefined {
    if (queue.length === 0) return undefined
    const now = [...isOver]
    for (const place of queue) {
      if (!this.#canCome(now, place)) return undefined
      now[place] = true
    }
    return { isOver: now, queue: queue.flatMap((place) => this.#steps[place]!.puts) }
  }

  #canCome(isOver: readonly boolean[], place: number): boolean {
    return !isOver[place] && this.#steps[place]!.after.every((before) => isOver[before])
  }
}
