import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { Status } from '../sql/transaction.ts'
import { call } from './calls.ts'
import type { MysqlConnection, ConnectionFunctions } from './client.ts'

/** What the server says of a connection with most of its answers. */
const inTransaction = 1
const autocommits = 2

/** Whether a transaction is open on a connection, as the server has said. */
export class Session {
  readonly #connection: MysqlConnection
  readonly #functions: ConnectionFunctions
  #flags: number | undefined

  constructor(connection: MysqlConnection, functions: ConnectionFunctions) {
    this.#connection = connection
    this.#functions = functions
  }

  get status(): Status {
    return this.#flags !== undefined && (this.#flags & inTransaction) !== 0 ? 'open' : 'idle'
  }

  /** Whether that is known. */
  get isKnown(): boolean {
    return this.#flags !== undefined
  }

  /** Asks the server. */
  async ask(): Promise<void> {
    this.answered('', await call(this.#functions.query, this.#connection, ['do 0']))
  }

  /** Takes from what a callback is told what that says; returns whether the server has to be asked. */
  answered(text: string, results: unknown): boolean {
    const result: unknown = Array.isArray(results) ? results[0] : undefined
    const flags = flagsOf(result) ?? (Array.isArray(result) ? flagsOf(result.at(-1)) : undefined)
    if (flags !== undefined) this.#flags = flags
    // Rows come without a word of it: those of one statement change nothing where each statement is a transaction.
    return flags === undefined && !(Array.isArray(result) && this.#flags !== undefined && (this.#flags & autocommits) !== 0 && !text.includes(';'))
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

const flagsOf = (result: unknown): number | undefined => (typeof result === 'object' && result !== null && Object.hasOwn(result, 'serverStatus') ? (Reflect.get(result, 'serverStatus') as number) : undefined)
