import { Reflect } from '../../../../engine/intrinsics.ts'
import { noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Status } from '../../sql/transaction.ts'
import { type Address, type OwnConnection, type Session, unlocking } from '../session.ts'
import { openTransactionOf } from './open-transaction.ts'

/** What of the package is used here. */
export interface Pglite {
  /** Where its files are; undefined where it is in memory. */
  readonly dataDir?: string
}

type PgliteFunction = (this: unknown, ...args: unknown[]) => unknown

/** Its own functions, without what stands in their places. */
export interface PgliteFunctions {
  readonly query: PgliteFunction
  readonly exec: PgliteFunction
  /** Makes a text and values of a template, and gives them to the `query` of its receiver. */
  readonly sql: PgliteFunction
  readonly transaction: PgliteFunction
}

interface Result {
  readonly rows: readonly unknown[]
  readonly fields: readonly unknown[]
}

const numbers = new WeakMap<Pglite, number>()
let count = 0

/** The only session of a database. */
export class PgliteSession implements Session {
  readonly #db: Pglite
  readonly #functions: PgliteFunctions
  readonly process = undefined
  status: Status = 'idle'
  readonly isShared = true

  constructor(db: Pglite, functions: PgliteFunctions) {
    if (!numbers.has(db)) numbers.set(db, ++count)
    this.#db = db
    this.#functions = functions
  }

  /** What is in memory nobody keeps. */
  get address(): Address {
    const { dataDir } = this.#db
    return { host: 'pglite', port: numbers.get(this.#db)!, database: dataDir === undefined || dataDir.startsWith('memory://') ? 'test in memory' : dataDir, user: 'postgres' }
  }

  async rollBack(): Promise<void> {
    await openTransactionOf(this.#db)?.giveUp()
    this.status = 'idle'
  }

  async letGoOfLocks(): Promise<void> {
    await besideSteps(() => Reflect.apply(this.#functions.query, this.#db, [unlocking]) as Promise<unknown>).catch(noop)
  }

  /** It is the same one: nobody asks anything meanwhile. As long as a transaction is open nothing is answered but within that. */
  async openAnother(): Promise<OwnConnection> {
    const ask = (name: 'query' | 'exec', args: unknown[]): Promise<unknown> =>
      besideSteps(() => {
        const open = openTransactionOf(this.#db)
        return Reflect.apply(open ? open.functions[name] : this.#functions[name], open ? open.tx : this.#db, args) as Promise<unknown>
      })
    return {
      run: async (text) => ((await ask('exec', [text])) as readonly Result[]).filter(({ fields }) => fields.length > 0).map(({ rows }) => rows),
      rows: async (text, values) => ((await ask('query', [text, values])) as Result).rows,
      whenLost: noop,
    }
  }
}
