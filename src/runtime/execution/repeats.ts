import type { SiteId } from '../../engine/ids.ts'

/** Steps after which it is worth to see whether one place goes on again and again. */
const notBefore = 200

/** How often each place went on in a long execution: a loop that waits by asking again does so in most of the steps. */
export class Repeats {
  #counts: Map<SiteId, number> | undefined
  #total = 0

  step(count: number, site: SiteId): void {
    if (count < notBefore) return
    this.#counts ??= new Map()
    this.#counts.set(site, (this.#counts.get(site) ?? 0) + 1)
    this.#total++
  }

  /** The places that most of the steps went on at, as long as there are few. */
  get places(): readonly SiteId[] {
    const often = [...(this.#counts ?? [])].filter(([site, count]) => site > 0 && count >= notBefore && count * 4 >= this.#total)
    return often.toSorted(([, a], [, b]) => b - a).map(([site]) => site)
  }
}
