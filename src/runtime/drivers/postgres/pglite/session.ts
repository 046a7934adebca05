import { Reflect } from '../../../../engine/intrinsics.ts'
import { noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Address, OwnConnection, Session } from '../session.ts'

/** What of the package is used here. */
export interface Pglite {
  /** Where its files are; undefined where it is in memory. */
  readonly dataDir?: string
}

/** Its own functions, without what stands in their places. */
export interface PgliteFunctions {
  readonly query: (this: unknown, ...args: unknown[]) => unknown
  readonly exec: (this: unknown, ...args: unknown[]) => unknown
}

interface Result {
  readonly rows: readonly unknown[]
  readonly fields: readonly unknown[]
}

const numbers = new WeakMap<Pglite, number>()
let count = 0

/** The only session of a database, which is in no transaction between two statements. */
export class PgliteSession implements Session {
  readonly #db: Pglite
  readonly #functions: PgliteFunctions
  readonly process = undefined
  readonly status = 'idle'
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

  async rollBack(): Promise<void> {}

  /** It is the same one: nobody asks anything meanwhile. */
  async openAnother(): Promise<OwnConnection> {
    const { query, exec } = this.#functions
    const ask = (method: PgliteFunctions['query'], args: unknown[]): Promise<unknown> => besideSteps(() => Reflect.apply(method, this.#db, args) as Promise<unknown>)
    return {
      run: async (text) => ((await ask(exec, [text])) as readonly Result[]).filter(({ fields }) => fields.length > 0).map(({ rows }) => rows),
      rows: async (text, values) => ((await ask(query, [text, values])) as Result).rows,
      whenLost: noop,
    }
  }
}
