import { besideSteps } from '../../execution/running.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import type { IsolationLevel } from '../sql/footprint.ts'
import type { Parse } from '../sql/tree.ts'
import { call } from './calls.ts'
import { catalogueOf, tablesOfDatabase } from './catalogue.ts'
import { noteClient, type PgClient, type PgFunctions } from './client.ts'
import { loadParser } from './parser.ts'

/** A connection of our own to a database: it knows what is there and who waits for whom, and gives up what somebody has asked. */
export class Control {
  readonly #client: PgClient
  readonly #functions: PgFunctions
  /** Of which exploration it has learned what there is. */
  #learnedFor: object | undefined
  /** Of transactions that name none. */
  level: IsolationLevel = 'read committed'
  isSuperuser = false
  catalogue: Catalogue = new Map()
  parse: Parse | undefined

  private constructor(client: PgClient, functions: PgFunctions) {
    this.#client = client
    this.#functions = functions
  }

  static async open({ host, port, user, database, password, ssl }: PgClient, functions: PgFunctions): Promise<Control> {
    const client = besideSteps(() => new functions.Client({ host, port, user, database, password, ssl }))
    client.on('error', () => controls.clear())
    noteClient(client)
    const control = new Control(client, functions)
    await call(functions.connect, client, [])
    // Large tables are read from their beginning, whoever reads them as well; what is put back need not outlast a crash.
    await control.run('set synchronize_seqscans = off; set synchronous_commit = off')
    // It keeps nothing alive.
    client.connection.stream?.unref?.()
    return control
  }

  /** Learns what decides what statements access. */
  async learn(exploration: object): Promise<void> {
    const [settings] = await this.rows(`select current_setting('default_transaction_isolation') as level, current_setting('is_superuser') = 'on' as superuser`)
    const { level, superuser } = settings as { level: IsolationLevel; superuser: boolean }
    this.level = level
    this.isSuperuser = superuser
    this.parse ??= await loadParser()
    if (this.parse) this.catalogue = catalogueOf(await this.rows(tablesOfDatabase))
    this.#learnedFor = exploration
  }

  knows(exploration: object): boolean {
    return this.#learnedFor === exploration
  }

  /** A statement may have changed what there is. */
  forgets(): void {
    this.#learnedFor = undefined
  }

  /** The processes of the server that hold what this one waits for. */
  async blockersOf(process: number): Promise<readonly number[]> {
    const [row] = await this.rows('select pg_blocking_pids($1) as pids', [process])
    return (row as { pids: readonly number[] }).pids
  }

  async cancel(process: number): Promise<void> {
    await this.rows('select pg_cancel_backend($1)', [process])
  }

  /** Statements without an answer. */
  async run(text: string): Promise<void> {
    await call(this.#functions.query, this.#client, [text])
  }

  async rows(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const { rows } = (await call(this.#functions.query, this.#client, [text, values])) as { readonly rows: readonly unknown[] }
    return rows
  }
}

const controls = new Map<string, Promise<Control>>()

/** What tells one database from another. */
export const databaseOf = ({ host = '', port = 5432, database = '' }: PgClient): string => `${host}:${port}/${database}`

/** The connection of our own to the database that a client is connected to. */
export function controlOf(client: PgClient, functions: PgFunctions): Promise<Control> {
  const key = `${databaseOf(client)} ${client.user ?? ''}`
  let control = controls.get(key)
  if (!control) {
    controls.set(key, (control = Control.open(client, functions)))
    control.catch(() => controls.delete(key))
  }
  return control
}
