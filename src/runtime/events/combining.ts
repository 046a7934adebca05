import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { COUNT, SETTLED } from '../execution/keys.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { cellOf, type PromiseCell } from './promise-cell.ts'
import { unseen } from './promise-hooks.ts'

type Combine = (this: unknown, iterable: Iterable<unknown>) => unknown

interface Combination {
  readonly kind: 'all' | 'allSettled' | 'race' | 'any'
  /** The class that it is called on. */
  readonly receiver: unknown
  readonly iterable: Iterable<unknown>
}

/**
 * `Promise.all` and its like, which the platform runs. The step in which the last part is settled goes on with what waits for the
 * whole, so it matters which part is the last; in what order the others come does not.
 */
export function combineInEvent(execution: Execution, combine: Combine, { kind, receiver, iterable }: Combination, site: SiteId): unknown {
  const parts: Promise<unknown>[] = []
  const whole = Reflect.apply(combine, receiver, [listed(iterable, parts)])
  const cell = isPromise(whole as object) ? cellOf(execution, whole as object) : undefined
  if (!cell) return whole
  cell.combinator = `Promise.${kind}`
  cell.site = site
  const count = new Count(execution, cell, parts.length, site)
  unseen(() => {
    for (const part of parts) {
      nativeThen.call(
        part,
        () => count.part({ counts: kind === 'all' || kind === 'allSettled' }),
        () => count.part({ counts: kind === 'any' || kind === 'allSettled' }),
      )
    }
  })
  return whole
}

/** Takes thenables for the promises that the platform makes of them. */
function* listed(iterable: Iterable<unknown>, parts: Promise<unknown>[]): Iterable<unknown> {
  for (const value of iterable) {
    const isThenable = ((typeof value === 'object' && value !== null) || typeof value === 'function') && !isPromise(value) && 'then' in value
    const part = isThenable ? NativePromise.resolve(value) : value
    if (isPromise(part as object)) parts.push(part as Promise<unknown>)
    yield part
  }
}

/** How many parts have counted towards the whole, and whether one has decided it alone. */
class Count {
  readonly #execution: Execution
  readonly #cell: PromiseCell
  readonly #site: SiteId
  #missing: number
  #isDecided = false

  constructor(execution: Execution, cell: PromiseCell, missing: number, site: SiteId) {
    this.#execution = execution
    this.#cell = cell
    this.#missing = missing
    this.#site = site
  }

  part({ counts }: { counts: boolean }): void {
    if (running !== this.#execution) return
    const { accesses } = running
    const { object } = this.#cell
    if (counts) {
      accesses.increase(object, COUNT, this.#site, { found: this.#missing--, amount: -1 })
      if (this.#missing === 0) accesses.read(object, COUNT, this.#site, 0)
    } else {
      accesses.read(object, SETTLED, this.#site, this.#isDecided)
      this.#isDecided = true
    }
  }
}
