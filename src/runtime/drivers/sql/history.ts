import { PerExecution } from '../../execution/per-execution.ts'
import { changesAnything, type Footprint } from './footprint.ts'

/** Counts the statements of one execution that were answered. */
export type Moment = number

/** What statements have changed in one execution, as far as it matters to others that wait meanwhile. */
class History {
  now: Moment = 0
  /** How often somebody has changed what others see from then on. */
  commits = 0
  /** When rows went, or got other keys, by table; and when some came last. */
  readonly #went = new Map<string, Moment[]>()
  readonly #came = new Map<string, Moment>()
  /** When something was done last of which nothing is known. */
  #unknown: Moment = 0

  answered(footprint: Footprint, { text, isOver }: { readonly text: string; readonly isOver: boolean }): void {
    this.now++
    if (isOver && changesAnything(footprint) && !/^\s*(?:rollback|abort)\b/i.test(text)) this.commits++
    if (footprint.kind === 'everything') this.#unknown = this.now
    if (footprint.kind !== 'tables') return
    for (const { table, kind, row, change } of footprint.accesses) {
      if (kind !== 'write') continue
      const mayHaveOtherKey = change === 'update' && row === undefined
      if (change === 'delete' || mayHaveOtherKey) this.#went.set(table, [...(this.#went.get(table) ?? []), this.now])
      if (change === 'insert' || mayHaveOtherKey) this.#came.set(table, this.now)
    }
  }

  /** Whether a row of what it accesses may have gone since then, and another one with its key have come: who waits for the first does not see the second. */
  mayBeReplaced(footprint: Footprint, since: Moment): boolean {
    if (footprint.kind !== 'tables' || this.#unknown > since) return true
    return footprint.accesses.some(({ table }) => {
      const went = this.#went.get(table)?.find((moment) => moment > since)
      return went !== undefined && (this.#came.get(table) ?? 0) > went
    })
  }
}

export const historyOf = new PerExecution(() => new History())
