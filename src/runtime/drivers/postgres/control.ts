import type { Catalogue } from '../sql/catalogue.ts'
import type { IsolationLevel } from '../sql/footprint.ts'
import type { Status } from '../sql/transaction.ts'
import type { Parse } from '../sql/tree.ts'
import { catalogueOf, tablesOfDatabase } from './catalogue.ts'
import { loadParser } from './parser.ts'
import { databaseOf, type OwnConnection, type Session } from './session.ts'

/** A connection of our own to a database: it knows what is there and who waits for whom, and gives up what somebody has asked. */
export class Control {
  readonly #connection: OwnConnection
  /** Of which exploration it has learned what there is. */
  #learnedFor: object | undefined
  /** Of transactions that name none. */
  level: IsolationLevel = 'read committed'
  isSuperuser = false
  catalogue: Catalogue = new Map()
  parse: Parse | undefined

  private constructor(connection: OwnConnection) {
    this.#connection = connection
  }

  static async open(session: Session): Promise<Control> {
    const connection = await session.openAnother()
    connection.whenLost(() => controls.clear())
    const control = new Control(connection)
    // Large tables are read from their beginning, whoever reads them as well; what is put back need not outlast a crash.
    await control.run('set synchronize_seqscans = off; set synchronous_commit = off')
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

  /** In which transaction a process is that waits for its next statement. */
  async statusOf(process: number): Promise<Status> {
    const [row] = await this.rows('select state from pg_stat_activity where pid = $1', [process])
    const { state } = (row ?? {}) as { state?: string }
    if (state === 'idle in transaction (aborted)') return 'failed'
    return state === 'idle in transaction' ? 'open' : 'idle'
  }

  async cancel(process: number): Promise<void> {
    await this.rows('select pg_cancel_backend($1)', [process])
  }

  /** Statements without an answer. */
  run(text: string): Promise<void> {
    return this.#connection.run(text)
  }

  rows(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    return this.#connection.rows(text, values)
  }
}

const controls = new Map<string, Promise<Control>>()

/** The connection of our own to the database of a session. */
export function controlOf(session: Session): Promise<Control> {
  const key = `${databaseOf(session.address)} ${session.address.user}`
  let control = controls.get(key)
  if (!control) {
    controls.set(key, (control = Control.open(session)))
    control.catch(() => controls.delete(key))
  }
  return control
}
