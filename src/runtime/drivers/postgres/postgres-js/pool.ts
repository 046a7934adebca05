import { besideSteps } from '../../../execution/running.ts'
import type { Status } from '../../sql/transaction.ts'
import type { Address } from '../session.ts'
import type { Handler, Options, Postgres, PostgresConnection, Query, Queues, Sql } from './package.ts'

/** What `postgres()` has made, and what is known of it. */
export class Pool {
  readonly sql: Sql
  /** Makes another one. */
  readonly make: Postgres
  readonly size: number
  /** In which transaction its only connection is: one of several is in none between statements. */
  left: Status = 'idle'

  constructor(sql: Sql, make: Postgres) {
    this.sql = sql
    this.make = make
    this.size = sql.options.max
  }

  get options(): Options {
    return this.sql.options
  }

  get address(): Address {
    const { path, host, port, database, user } = this.options
    return { host: path ? path.slice(0, path.lastIndexOf('/')) : (host[0] ?? ''), port: port[0] ?? 5432, database, user }
  }
}

/** By what gives statements to the connections of a pool. */
const byHandler = new WeakMap<Handler, Pool>()

/** The pool that a statement is asked of; undefined where a connection is. */
export const poolOf = (handler: Handler): Pool | undefined => byHandler.get(handler)

export function rememberPool(pool: Pool): void {
  byHandler.set(pool.sql.unsafe('').handler, pool)
}

/** The package's own functions, without what stands in their places, and where a connection may stand. */
interface Known {
  readonly execute: PostgresConnection['execute']
  readonly options: Options
  readonly queues: Queues
  /** Makes one for the same pool. */
  readonly another: () => PostgresConnection
}

const connections = new WeakMap<PostgresConnection, Known>()
/** Those that may be open. */
const open = new Set<PostgresConnection>()
/** Those that have been told to open, by the options of their pool. */
const used = new WeakMap<Options, Set<PostgresConnection>>()

export function rememberConnection(connection: PostgresConnection, { options, queues, another }: Pick<Known, 'options' | 'queues' | 'another'>): void {
  const { execute, connect } = connection
  connections.set(connection, { execute, options, queues, another })
  // It is the same for its first transaction as for later ones.
  globalThis.Object.assign(connection, { onclose: null, ...connection })
  connection.connect = (query) => {
    open.add(connection)
    if (!used.has(options)) used.set(options, new Set())
    used.get(options)!.add(connection)
    connect(query)
  }
}

let search: { found?: PostgresConnection } | undefined

/** Whether it is only to be found out that a statement would be given to this connection. */
export function isSearchedFor(connection: PostgresConnection): boolean {
  if (search) search.found = connection
  return search !== undefined
}

/** Which connection it is to which statements are given: nothing is sent. */
export function connectionBehind(query: Query): PostgresConnection {
  search = {}
  try {
    besideSteps(() => query.handler(query))
    return search.found!
  } finally {
    search = undefined
  }
}

export const executeOf = (connection: PostgresConnection): PostgresConnection['execute'] => connections.get(connection)!.execute

/** Whether there is a server at its other end. */
export function isAlive(connection: PostgresConnection): boolean {
  const { closed, ended } = connections.get(connection)!.queues
  return connection.queue !== closed && connection.queue !== ended
}

/** Those of a pool that have been open, or were to be, and are not, have others in their places from now on, which are as new. */
export const replaceClosed = (pool: Pool): void => besideSteps(() => replaceIn(pool))

function replaceIn({ options }: Pool): void {
  for (const connection of used.get(options) ?? []) {
    const { queues, another } = connections.get(connection)!
    if (connection.queue !== queues.closed) continue
    const other = another()
    queues.closed.remove(connection)
    // The package keeps a list of those that it ends.
    globalThis.Object.assign(connection, { queue: queues.ended, end: () => other.end(), terminate: () => other.terminate() })
    used.get(options)!.delete(connection)
  }
}

/** How many are open, and the timers by which they close themselves. */
export function openNow(): { readonly open: number; readonly timers: number } {
  let timers = 0
  for (const connection of open) {
    if (!isAlive(connection)) open.delete(connection)
    else {
      const { options, queues } = connections.get(connection)!
      timers += (options.max_lifetime ? 1 : 0) + (options.idle_timeout && connection.queue === queues.open ? 1 : 0)
    }
  }
  return { open: open.size, timers }
}
