import type { Execution } from '../../../execution/execution.ts'
import type { Connection } from '../connections.ts'
import type { PoolUse } from '../../pool-use.ts'
import type { PostgresConnection } from './package.ts'

interface Held {
  readonly connection: Connection
  readonly use: PoolUse
}

/** That somebody has a connection of a pool for more than one statement, in one execution. */
export class Holding {
  readonly connection: Connection
  readonly #use: PoolUse
  readonly #isFree: () => boolean
  #isOver = false

  constructor({ connection, use }: Held, isFree: () => boolean) {
    this.connection = connection
    this.#use = use
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
    this.#use.giveBack()
  }
}

const byExecution = new WeakMap<Execution, Map<PostgresConnection, Holding>>()

/** Somebody holds a connection from now on. */
export function hold(execution: Execution, connection: PostgresConnection, held: Held): Holding {
  let holdings = byExecution.get(execution)
  if (!holdings) byExecution.set(execution, (holdings = new Map()))
  const holding = new Holding(held, () => connection.reserved === null)
  holdings.set(connection, holding)
  return holding
}

export const holdingOf = (execution: Execution, connection: PostgresConnection): Holding | undefined => byExecution.get(execution)?.get(connection)
