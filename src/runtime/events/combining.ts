import { Array, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { mayHaveThen } from '../execution/fulfilling.ts'
import { partKey, SETTLED, STATE } from '../execution/keys.ts'
import { hear, NativePromise } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { cellOf, type PromiseCell } from './promise-cell.ts'
import { unseen } from './promise-hooks.ts'
import { promiseOfWaitedFor } from './thenables.ts'

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
  // The platform has the error, and names what cannot be iterated.
  const isIterable = typeof (iterable as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === 'function'
  const whole = Reflect.apply(combine, receiver, [isIterable ? listed(iterable, { parts, promiseOf: (value) => promiseOfWaitedFor(execution, value, site) ?? (Reflect.apply(NativePromise.resolve, receiver, [value]) as Promise<unknown>) }) : iterable])
  const cell = isPromise(whole as object) ? cellOf(execution, whole as object) : undefined
  if (!cell) return whole
  cell.combinator = `Promise.${kind}`
  cell.parts = parts
  cell.site = site
  const known = new Parts(execution, cell, parts.length, site)
  unseen(() => {
    for (const [i, part] of parts.entries()) {
      hear(
        part,
        () => known.settled(i, { counts: kind === 'all' || kind === 'allSettled' }),
        () => known.settled(i, { counts: kind === 'any' || kind === 'allSettled' }),
      )
    }
  })
  return whole
}

/** Takes thenables for the promises that the platform makes of them: of the class that is called, or it would make one more of each. */
function* listed(iterable: Iterable<unknown>, { parts, promiseOf }: { readonly parts: Promise<unknown>[]; readonly promiseOf: (value: unknown) => Promise<unknown> }): Iterable<unknown> {
  for (const value of iterable) {
    const part = mayHaveThen(value) && !isPromise(value) ? promiseOf(value) : value
    if (isPromise(part as object)) parts.push(part as Promise<unknown>)
    yield part
  }
}

/** Parts of a whole, at most, of which each is looked at by itself. */
const most = 16

/** Which parts have counted towards the whole, and whether one has decided it alone. */
class Parts {
  readonly #execution: Execution
  readonly #cell: PromiseCell
  readonly #site: SiteId
  /** By part: whether it has counted; undefined once nobody has to know any more. */
  readonly #counted: (boolean | undefined)[]
  #isDecided = false

  constructor(execution: Execution, cell: PromiseCell, count: number, site: SiteId) {
    this.#execution = execution
    this.#cell = cell
    this.#counted = Array.from({ length: count }, () => false)
    this.#site = site
  }

  settled(part: number, { counts }: { readonly counts: boolean }): void {
    if (running !== this.#execution) return
    if (counts) this.#count(part)
    else this.#decide()
  }

  #count(part: number): void {
    const { isNew } = this.#cell
    this.#counted[part] = isNew ? undefined : true
    if (isNew) return
    if (this.#counted.length > most) this.#countAll()
    else this.#lookForMissing(part)
  }

  #countAll(): void {
    this.#execution.accesses.write(this.#cell.object, STATE, this.#site, undefined)
  }

  /** Looks for another part that is missing, always in the same order: so less depends on the order of the parts than if all were counted. */
  #lookForMissing(part: number): void {
    const { accesses } = this.#execution
    const { object } = this.#cell
    accesses.write(object, partKey(part), this.#site, true)
    for (let other = this.#counted.length - 1; other >= 0; other--) {
      const hasCounted = this.#counted[other]
      if (other === part || hasCounted === undefined) continue
      accesses.read(object, partKey(other), this.#site, hasCounted)
      if (!hasCounted) return
    }
  }

  #decide(): void {
    this.#execution.accesses.read(this.#cell.object, SETTLED, this.#site, this.#isDecided)
    this.#isDecided = true
  }
}
