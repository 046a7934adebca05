import { PointOrder } from '../points.ts'
import type { BuiltRun } from './builder.ts'
import type { Operation } from './operations.ts'
import { Shared } from './shared.ts'
import { Signal } from './signal.ts'

/** The points of a model program that have to be passed in a certain order: who comes to one that it is not the turn of waits for those before it. */
export class OrderedPoints {
  readonly order: PointOrder
  /** By name: how many have come. */
  readonly #come = new Map<string, Shared<number>>()
  /** By place: raised once it is passed. */
  readonly #passed: readonly Signal[]
  /** How many wait for their turn. */
  waiting = 0

  constructor(run: BuiltRun, names: readonly string[]) {
    this.order = new PointOrder(names)
    this.#passed = names.map((name) => new Signal(run, `after ${name}`, run.nextLocation()))
    for (const name of new Set(names)) this.#come.set(name, new Shared(run, name, run.nextLocation(), 0))
  }

  *come(name: string): Generator<Operation<unknown>, void, unknown> {
    const come = this.#come.get(name)
    if (come === undefined) return
    yield* come.update((count) => count + 1)
    const place = this.order.take(name)
    if (place === undefined) return
    this.waiting++
    if (place > 0) yield* this.#passed[place - 1]!.wait()
    this.waiting--
    yield* this.#passed[place]!.raise()
    this.order.passed = place + 1
  }
}
