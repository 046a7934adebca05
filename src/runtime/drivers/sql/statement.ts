import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { forItself, type Purpose } from '../own-question.ts'
import type { OpenConnection, Learning } from './connection.ts'

/** What puts rows back once an execution is over. */
export interface KeptRows<Changes> {
  /** Something is going to be changed. Returns whether there are copies of all of it. */
  touch(changes: Changes): boolean
  /** Makes those that are missing. */
  keep(changes: Changes): Promise<void>
}

/** A statement that somebody sends by a connection: before it is sent it is known what it does, and what it changes is kept. */
export abstract class ConnectionStatement<Connection extends OpenConnection<Learning>, Changes> {
  readonly name: string = 'query'
  protected readonly execution: Execution
  protected connection: Connection | undefined
  /** Null where there are none. */
  #changes: Changes | null | undefined

  constructor(execution: Execution, connection?: Connection) {
    this.execution = execution
    this.connection = connection
  }

  /** What is to be put back after it, as far as that is known. */
  protected abstract findChanges(): Changes | undefined

  /** Undefined where rows stay as they are. */
  protected abstract keptRows(site: SiteId): KeptRows<Changes> | undefined

  protected abstract readonly copying: Purpose

  prepare(site: SiteId): (() => Promise<void>) | undefined {
    const learn = this.connection!.prepare(this.execution)
    if (!learn && this.#isKept(site)) return undefined
    return async () => {
      await learn?.()
      if (!this.#isKept(site)) await forItself(this.copying, () => this.keptRows(site)!.keep(this.#changes!))
    }
  }

  /** Whether what it is going to change can be put back, if it is to be. */
  #isKept(site: SiteId): boolean {
    this.#changes ??= this.findChanges() ?? null
    return this.#changes === null || (this.keptRows(site)?.touch(this.#changes) ?? true)
  }
}
