import wasm from 'node-sqlite3-wasm'

type Values = Parameters<wasm.Database['all']>[1]

/** SQLite itself, by the methods of `better-sqlite3`, which needs a compiler. */
export class Database {
  readonly name: string
  readonly memory: boolean
  readonly #database: wasm.Database

  constructor(name: string) {
    this.name = name
    this.memory = name === ':memory:'
    this.#database = new wasm.Database(name)
  }

  get open(): boolean {
    return this.#database.isOpen
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  exec(source: string): this {
    this.#database.exec(source)
    return this
  }

  prepare(source: string): Statement {
    const statement = this.#database.prepare(source)
    statement.finalize()
    return new Statement(this, source, this.#database)
  }

  transaction<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
    const database = this.#database
    const run = function sqliteTransaction(this: unknown, ...args: Args): Result {
      database.exec('begin')
      try {
        const result = work.apply(this, args)
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    }
    return Object.defineProperty(run, 'database', { value: this, enumerable: true })
  }

  close(): void {
    this.#database.close()
  }
}

class Statement {
  readonly readonly: boolean
  readonly #database: wasm.Database

  constructor(readonly database: Database, readonly source: string, own: wasm.Database) {
    this.readonly = /^\s*select\b/i.test(source)
    this.#database = own
  }

  run(...values: unknown[]): unknown {
    return this.#database.run(this.source, valuesOf(values))
  }

  get(...values: unknown[]): unknown {
    return this.#database.get(this.source, valuesOf(values)) ?? undefined
  }

  all(...values: unknown[]): unknown[] {
    return this.#database.all(this.source, valuesOf(values))
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    return this.all(...values)[Symbol.iterator]()
  }
}

function valuesOf(values: readonly unknown[]): Values {
  const named = values.find((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  if (named) return Object.fromEntries(Object.entries(named).map(([name, value]) => [`:${name}`, value])) as Values
  return values.flat() as Values
}
