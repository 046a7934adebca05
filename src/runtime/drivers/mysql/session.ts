import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { IsolationLevel } from '../sql/footprint.ts'
import type { Status } from '../sql/transaction.ts'
import { call } from './calls.ts'
import { ofConnections, type MysqlConnection } from './client.ts'

/** What the server says of a connection with most of its answers. */
const inTransaction = 1
const autocommits = 2

/** What the server keeps for a connection: it is asked for it where somebody has used the connection unseen. */
export class Session {
  readonly #connection: MysqlConnection
  #flags: number | undefined
  /** The database that names of tables are of. */
  database = ''
  /** Of transactions that name none. */
  level: IsolationLevel = 'serializable'
  /** Milliseconds after which it gives up to wait for a row. */
  lockWaitTimeout = 50_000

  constructor(connection: MysqlConnection) {
    this.#connection = connection
  }

  get status(): Status {
    return this.#flags !== undefined && (this.#flags & inTransaction) !== 0 ? 'open' : 'idle'
  }

  /** Each statement is a transaction of its own, unless one has begun. */
  get autocommits(): boolean {
    return this.#flags !== undefined && (this.#flags & autocommits) !== 0
  }

  get isKnown(): boolean {
    return this.#flags !== undefined
  }

  forgets(): void {
    this.#flags = undefined
  }

  /** Asks the server for everything. */
  async learn(): Promise<void> {
    const [rows] = await this.#run("show variables where variable_name in ('tx_isolation', 'transaction_isolation', 'innodb_lock_wait_timeout')")
    const variables = new Map((rows as readonly Readonly<Record<string, unknown>>[]).map((row) => [row['Variable_name'], String(row['Value'])]))
    this.level = levels[variables.get('tx_isolation') ?? variables.get('transaction_isolation') ?? ''] ?? 'serializable'
    this.lockWaitTimeout = 1000 * +(variables.get('innodb_lock_wait_timeout') ?? 50)
    const [[named]] = (await this.#run('select database() as name')) as readonly [readonly [Readonly<Record<string, unknown>>]]
    this.database = String(named['name'] ?? '')
    await this.askStatus()
  }

  async askStatus(): Promise<void> {
    this.answered('', await this.#run('do 0'))
  }

  #run(sql: string): Promise<readonly unknown[]> {
    return call(ofConnections.of(this.#connection).query, this.#connection, [{ sql, rowsAsArray: false, nestTables: false }])
  }

  /** Takes from what a callback is told what that says; returns whether the server has to be asked. */
  answered(text: string, results: unknown): boolean {
    const result: unknown = Array.isArray(results) ? results[0] : undefined
    const flags = flagsOf(result) ?? (Array.isArray(result) ? flagsOf(result.at(-1)) : undefined)
    if (flags !== undefined) this.#flags = flags
    // Rows come without a word of it: those of one statement change nothing where each statement is a transaction.
    return flags === undefined && !(Array.isArray(result) && this.autocommits && !text.includes(';'))
  }

  /** A statement has gone wrong, and perhaps its transaction; returns whether the server has to be asked. */
  failed(): boolean {
    return this.status === 'open' || !this.isKnown
  }

  /** The connection is gone. */
  isLost(): void {
    this.#flags = autocommits
  }
}

const levels: Readonly<Record<string, IsolationLevel>> = { 'READ-UNCOMMITTED': 'read committed', 'READ-COMMITTED': 'read committed', 'REPEATABLE-READ': 'repeatable read', SERIALIZABLE: 'serializable' }

const flagsOf = (result: unknown): number | undefined => (typeof result === 'object' && result !== null && Object.hasOwn(result, 'serverStatus') ? (Reflect.get(result, 'serverStatus') as number) : undefined)

const sessions = new WeakMap<MysqlConnection, Session>()

export function sessionOf(connection: MysqlConnection): Session {
  let session = sessions.get(connection)
  if (!session) sessions.set(connection, (session = new Session(connection)))
  return session
}

/** Somebody uses a connection, and no step does. */
export const isUsedUnseen = (connection: MysqlConnection): void => sessions.get(connection)?.forgets()
