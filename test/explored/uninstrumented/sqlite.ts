/** What two connections share by the name of their file. */
const tables = new Map<string, { n: number }>()

/** As much of a connection as `better-sqlite3` has under these names. */
export class Database {
  readonly name: string
  readonly memory: boolean
  readonly #table: { n: number }

  constructor(name: string) {
    this.name = name
    this.memory = name === ':memory:'
    this.#table = (!this.memory && tables.get(name)) || { n: 0 }
    tables.set(name, this.#table)
  }

  exec(source: string): void {
    this.#table.n = Number(source)
  }

  prepare(source: string): Statement {
    return new Statement(this, source, this.#table)
  }
}

class Statement {
  readonly readonly: boolean
  readonly #table: { n: number }

  constructor(readonly database: Database, readonly source: string, table: { n: number }) {
    this.readonly = source === 'select'
    this.#table = table
  }

  run(n: number): void {
    this.#table.n = n
  }

  get(): { n: number } {
    return { n: this.#table.n }
  }

  *iterate(): Generator<{ n: number }> {
    yield this.get()
  }
}
