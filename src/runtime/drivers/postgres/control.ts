import { JSON, Number } from '../../../engine/intrinsics.ts'
import { NativePromise } from '../../execution/native.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import { ofTransaction, type Footprint, type IsolationLevel } from '../sql/footprint.ts'
import { footprintOf } from '../sql/statements.ts'
import type { Status } from '../sql/transaction.ts'
import type { Parse } from '../sql/tree.ts'
import { missesParser } from '../missing-parsers.ts'
import { catalogueOf, stateOfCatalogue, tablesOfDatabase } from './catalogue.ts'
import { loadParser, parserName } from './parser.ts'
import type { Limits } from './time-limits.ts'
import { databaseOf, type OwnConnection, type Session } from './session.ts'

/** A connection of our own to a database: it knows what is there and who waits for whom, and gives up what somebody has asked. */
export class Control {
  readonly #connection: OwnConnection
  /** Of which exploration it has learned what there is. */
  #learnedFor: object | undefined
  /** Of transactions that name none. */
  level: IsolationLevel = 'read committed'
  /** Of sessions that set none. */
  limits: Limits = { lock: 0, statement: 0 }
  /** Milliseconds after which the server looks whether transactions wait for each other. */
  deadlockTimeout = 1000
  /** Nor checks of foreign keys. */
  runsNoTriggers = false
  /** Bytes of a page. */
  blockSize = 8192
  readonly #isShared: boolean
  #catalogue: Catalogue = new Map()
  /** Which tables it knows: another text once any of them has become another one. */
  tablesAt: string | undefined
  #parse: Parse | undefined
  /** Of statements, by text and values: most come again in each execution. */
  #footprints = new Map<string, Map<string, Footprint>>()
  /** What was asked last. */
  #asked: Promise<unknown> = NativePromise.resolve()
  /** Names of texts that the server has planned. */
  readonly #plans = new Map<string, string>()
  #planCount = 0
  /** Why it is no more. What it had made for itself is gone, even where the package would open it anew. */
  #isLost: string | undefined

  private constructor(connection: OwnConnection, isShared: boolean) {
    this.#connection = connection
    this.#isShared = isShared
  }

  static async open(session: Session, whenLost: () => void): Promise<Control> {
    const connection = await session.openAnother()
    const control = new Control(connection, session.isShared === true)
    connection.whenLost((why) => {
      control.#isLost = why
      whenLost()
    })
    const [found] = (await control.rows(timeouts)) as [{ lock: number; statement: number; deadlock: number }]
    control.limits = { lock: found.lock, statement: found.statement }
    control.deadlockTimeout = found.deadlock
    await control.run([
      // Large tables are read from their beginning, whoever reads them as well; what is put back need not outlast a crash.
      'set synchronize_seqscans = off',
      'set synchronous_commit = off',
      // Whoever holds a lock that nobody gives back is not waited for.
      "set lock_timeout = '2s'",
      // What is put back runs no triggers, and comes in any order of tables. To set that anew each time would have the server forget its plans.
      session.isShared ? 'select 1' : "select set_config('session_replication_role', 'replica', false) where current_setting('is_superuser') = 'on'",
      `prepare ${blockers} (int) as select pg_blocking_pids($1) as pids`,
    ].join('; '))
    return control
  }

  /** Learns what decides what statements access. */
  async learn(exploration: object): Promise<void> {
    this.#parse ??= await loadParser()
    const [[found], [{ state }]] = (await this.planned([settings, stateOfCatalogue])) as [[{ level: IsolationLevel; superuser: boolean; block: number }], [{ state: string }]]
    this.level = found.level
    this.blockSize = found.block
    this.runsNoTriggers = found.superuser && !this.#isShared
    if (state !== this.tablesAt) {
      this.#catalogue = catalogueOf(this.#parse ? (await this.planned([tablesOfDatabase]))[0]! : [])
      this.#footprints = new Map()
      this.tablesAt = state
    }
    this.#learnedFor = exploration
  }

  knows(exploration: object): boolean {
    return this.#learnedFor === exploration
  }

  /** A statement may have changed what there is. */
  forgets(): void {
    this.#learnedFor = undefined
  }

  #ofUnknown(): Footprint {
    missesParser(parserName)
    return { kind: 'everything' }
  }

  /** What a statement accesses, as far as that is known. */
  footprintOf(text: string, values: readonly unknown[]): Footprint {
    if (!this.#parse) return ofTransaction(text) ?? this.#ofUnknown()
    const find = (): Footprint => footprintOf(text, values, { parse: this.#parse!, catalogue: this.#catalogue })
    if (!values.every(isPlain)) return find()
    let ofText = this.#footprints.get(text)
    if (!ofText) this.#footprints.set(text, (ofText = new Map()))
    const key = values.length === 0 ? '' : JSON.stringify(values)
    let footprint = ofText.get(key)
    if (!footprint) ofText.set(key, (footprint = find()))
    return footprint
  }

  /** The processes of the server that hold what this one waits for. */
  async blockersOf(process: number): Promise<readonly number[]> {
    const [[row]] = (await this.run(`execute ${blockers} (${process})`)) as [readonly unknown[]]
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

  /** Statements without values. Returns the rows of each that has any columns. */
  run(text: string): Promise<readonly (readonly unknown[])[]> {
    return this.#inTurn(() => this.#connection.run(text))
  }

  rows(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    return this.#inTurn(() => this.#connection.rows(text, values))
  }

  /** The rows of texts that come again and again, of each that has any columns, after statements that have none: the server plans them once. */
  async planned(texts: readonly string[], statements: readonly string[] = []): Promise<readonly (readonly unknown[])[]> {
    const added = new Map(texts.filter((text) => !this.#plans.has(text)).map((text) => [text, `vitest_dpor_${++this.#planCount}`]))
    const names = texts.map((text) => added.get(text) ?? this.#plans.get(text)!)
    const results = await this.run([...statements, ...Array.from(added, ([text, name]) => `prepare ${name} as ${text}`), ...names.map((name) => `execute ${name}`)].join('; '))
    for (const [text, name] of added) this.#plans.set(text, name)
    return results
  }

  /** What nobody waits for any more may still be under way. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asks = async (): Promise<T> => {
      if (this.#isLost !== undefined) throw new Error(this.#isLost)
      try {
        return await ask()
      } catch (error) {
        throw this.#isLost === undefined ? error : new Error(this.#isLost)
      }
    }
    const answer = this.#asked.then(asks, asks)
    this.#asked = answer
    return answer
  }
}

const settings = `select current_setting('default_transaction_isolation') as level, current_setting('is_superuser') = 'on' as superuser, current_setting('block_size')::int as block`
/** As a session has them that sets none, in milliseconds. To look takes a millisecond of the server's. */
const timeouts = `select ${['lock', 'statement', 'deadlock'].map((name) => `max(reset_val::int) filter (where name = '${name}_timeout') as ${name}`).join(', ')} from pg_settings where name like '%timeout'`
/** A statement that the server has planned. */
const blockers = 'vitest_dpor_blockers'

const isPlain = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const controls = new Map<string, Promise<Control>>()

/** The connection of our own to the database of a session. */
export function controlOf(session: Session): Promise<Control> {
  const key = `${databaseOf(session.address)} ${session.address.user}`
  let control = controls.get(key)
  if (!control) {
    const opened = Control.open(session, () => controls.get(key) === opened && controls.delete(key))
    controls.set(key, (control = opened))
    control.catch(() => controls.delete(key))
  }
  return control
}
