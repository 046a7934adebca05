import type { Execution } from '../../../execution/execution.ts'
import { PerExecution } from '../../../execution/per-execution.ts'
import type { Connection } from '../connections.ts'
import type { Taken } from '../../pool-use.ts'
import type { PostgresConnection } from './package.ts'

interface Held {
  readonly connection: Connection
  readonly taken: Taken
}

/** That somebody has a connection of a pool for more than one statement, in one execution. */
export class Holding {
  readonly connection: Connection
  readonly #taken: Taken
  readonly #isFree: () => boolean
  #isOver = false

  constructor({ connection, taken }: Held, isFree: () => boolean) {
    this.connection = connection
    this.#taken = taken
    this.#isFree = isFree
  }

  /** A statement has been answered: with its transaction a connection is given back. */
  answered(): void {
    if (this.#isFree()) this.end()
  }

  /** The running step gives it back. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#taken.giveBack()
  }
}

const holdings = new PerExecution(() => new Map<PostgresConnection, Holding>())

/** Somebody holds a connection from now on. */
export function hold(execution: Execution, connection: PostgresConnection, held: Held): Holding {
  const holding = new Holding(held, () => connection.reserved === null)
  holdings.of(execution).set(connection, holding)
  return holding
}

export const holdingOf = (execution: Execution, connection: PostgresConnection): Holding | undefined => holdings.known(execution)?.get(connection)
