import type { Outcome } from '../../engine/index.ts'
import { PointOrder } from '../../engine/points.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { resourceKey } from '../execution/keys.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { resolvedWith } from '../promises/making.ts'
import { PromiseRecord } from '../promises/promise-record.ts'

/** The points of one execution that have to be passed in a certain order. */
class OrderedPoints {
  readonly order: PointOrder
  /** By place: lets go on who waits for his turn. */
  readonly #waiting = new Map<number, () => void>()
  readonly #execution: Execution
  /** Stands for all of them: who comes to points looks at it and changes it. */
  readonly #object: ObjectId

  constructor(execution: Execution, names: readonly string[]) {
    this.#execution = execution
    this.#object = execution.identities.named('points')
    execution.recorder?.owners.tell(this.#object, () => 'points')
    this.order = new PointOrder(names)
  }

  /** Somebody comes to a point: what he waits for. */
  come(name: string): Promise<void> | undefined {
    if (!this.order.has(name)) return undefined
    this.#execution.accesses.write(this.#object, resourceKey(`come to ${name}`), this.#site, undefined)
    const place = this.order.take(name)
    if (place === undefined) return undefined
    this.#execution.accesses.read(this.#object, passedKey(place), this.#site, place === this.order.passed)
    const { promise, goOn } = this.#execution.events ? this.#ofEvents(place) : this.#ofSteps(place)
    this.#waiting.set(place, goOn)
    if (place === this.order.passed) this.#letGoOn(place)
    return promise
  }

  get areWaitedFor(): boolean {
    return this.#waiting.size > 0
  }

  /** Who waited there goes on, in a step of his own. */
  #pass(place: number): void {
    if (place !== this.order.passed) return
    this.order.passed++
    this.#execution.accesses.write(this.#object, passedKey(place + 1), this.#site, true)
    this.#letGoOn(place + 1)
  }

  #letGoOn(place: number): void {
    const goOn = this.#waiting.get(place)
    this.#waiting.delete(place)
    goOn?.()
  }

  /** A promise that is settled when it is the turn of the place, which is passed by who goes on after it. */
  #ofSteps(place: number) {
    const record = new PromiseRecord(this.#execution, this.#site)
    record.goesOn = () => this.#pass(place)
    const goOn = (): void => {
      if (record.decide(this.#site)) record.settle('fulfilled', undefined)
    }
    return { promise: record.promise as Promise<void>, goOn }
  }

  #ofEvents(place: number) {
    let goOn!: () => void
    const turn = new NativePromise<void>((fulfil) => (goOn = fulfil))
    return { promise: nativeThen.call(turn, () => this.#pass(place)) as Promise<void>, goOn }
  }

  get #site(): number {
    return this.#execution.here
  }
}

const passedKey = (place: number) => resourceKey(`first ${place} passed`)

const orders = new WeakMap<Execution, OrderedPoints>()

/** The execution is to pass points in this order. */
export function orderPoints(execution: Execution, names: readonly string[]): void {
  orders.set(execution, new OrderedPoints(execution, names))
}

/** An execution that has not passed all of them is none of those asked for, unless something failed in it for which nobody waited. */
export function inOrder(execution: Execution, outcome: Outcome): Outcome {
  const ordered = orders.get(execution)
  if (ordered === undefined || ordered.order.isOver || outcome.status !== 'complete') return outcome
  const kind = outcome.failure?.kind
  const isDueToOrder = kind === undefined || ((kind === 'deadlock' || kind === 'livelock') && ordered.areWaitedFor)
  return isDueToOrder ? { status: 'impossible', pending: outcome.pending } : outcome
}

/**
 * `await at('after-read')`: a point of the program that has a name. With the option `order` it is passed when it is its turn; without, and where the name is not among
 * those of `order`, at once. Outside an exploration it is an `await` of nothing.
 */
export function at(name: string): Promise<void> {
  // The text by which functions are known whose code tells what it does.
  '__dpor'
  const execution = running
  if (execution === null) return NativePromise.resolve()
  const turn = execution.accesses.isExploring ? orders.get(execution)?.come(name) : undefined
  return turn ?? (resolvedWith(execution, NativePromise, undefined, execution.call?.site ?? 0) as Promise<void>)
}
