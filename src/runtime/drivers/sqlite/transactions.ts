import type { Execution } from '../../execution/execution.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { besideSteps } from '../../execution/running.ts'
import { isInTransaction, type SqliteConnection } from './connection.ts'

/** Transactions that are open from one step to another: what they have changed nobody else sees before their end, and who wants to write meanwhile cannot. */
class OpenTransactions {
  readonly #execution: Execution
  readonly #open = new Set<SqliteConnection>()
  readonly #followed = new Set<SqliteConnection>()

  constructor(execution: Execution) {
    this.#execution = execution
  }

  has(connection: SqliteConnection): boolean {
    return this.#open.has(connection)
  }

  /** To be looked at when the step ends. `changed` is called by a step at whose end one is open, or no longer. */
  follow(connection: SqliteConnection, changed: () => void): void {
    if (this.#followed.has(connection)) return
    this.#followed.add(connection)
    this.#execution.atStepEnd(() => {
      this.#followed.delete(connection)
      const isOpen = besideSteps(() => isInTransaction(connection)) === true
      if (isOpen) this.#open.add(connection)
      else if (!this.#open.delete(connection)) return
      changed()
    })
  }
}

export const openTransactions = new PerExecution((execution) => new OpenTransactions(execution))
