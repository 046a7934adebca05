import { Object } from '../../../engine/intrinsics.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps } from '../../execution/running.ts'
import { OwnQuestionError, waiting } from '../own-question.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import { call } from './calls.ts'
import { catalogueOf, questions } from './catalogue.ts'
import type { MysqlConnection, ConnectionFunctions } from './client.ts'
import { mysql } from '../sqlparser/dialects.ts'
import { loadParser, type Parse } from '../sqlparser/parser.ts'
import { waitsOfMariaDb, waitsOfMySql, type Waits } from './waits.ts'

/** A connection of our own to a server: it knows who waits there, and gives up what somebody has asked. */
export class Control {
  readonly #connection: MysqlConnection
  readonly #functions: ConnectionFunctions
  /** Of which exploration it has learned what there is. */
  #learnedFor: object | undefined
  readonly #database: string
  waits!: Waits
  parse: Parse | undefined
  catalogue: Catalogue = new Map()

  private constructor(connection: MysqlConnection, functions: ConnectionFunctions) {
    this.#database = connection.config.database ?? ''
    this.#connection = connection
    this.#functions = functions
  }

  static async open({ config }: MysqlConnection, functions: ConnectionFunctions): Promise<Control> {
    const own = Object.assign(Object.create(Object.getPrototypeOf(config)), config, plainAnswers) as object
    const connection = besideSteps(() => new functions.Connection({ config: own }))
    connection.on('error', () => controls.clear())
    await call(functions.connect, connection, [])
    // It keeps nothing alive.
    connection.stream.unref?.()
    const control = new Control(connection, functions)
    await control.#begin()
    return control
  }

  async #begin(): Promise<void> {
    await this.rows(`set session sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0, unique_checks = 0`)
    // What is copied is copied as it was committed, whoever has locked it.
    await this.rows('set session transaction isolation level read committed')
    // Whoever holds a lock that nobody gives back is not waited for.
    await this.rows('set session lock_wait_timeout = 2, innodb_lock_wait_timeout = 2')
    const [row] = await this.rows('select version() as version, current_user() as user')
    const isMariaDb = /mariadb/i.test(String(row!['version']))
    if (!isMariaDb) await this.rows('set session information_schema_stats_expiry = 0')
    this.waits = isMariaDb ? waitsOfMariaDb(this.rows) : waitsOfMySql(this.rows)
    await this.waits.isWaiting(0).catch((error: unknown) => {
      const needs = isMariaDb ? 'grant process on *.*' : 'grant select on performance_schema.*'
      throw new OwnQuestionError({ to: waiting.to, advice: `Give the user ${String(row!['user'])} the right for that at the server for tests: ${needs} to ...` }, error)
    })
  }

  /** Learns what decides what statements access. */
  async learn(exploration: object): Promise<void> {
    this.parse ??= await loadParser(mysql)
    if (this.parse) {
      const [tables, columns, unique, references, triggers] = [await this.rows(questions.tables), await this.rows(questions.columns), await this.rows(questions.unique), await this.rows(questions.references), await this.rows(questions.triggers)]
      this.catalogue = catalogueOf({ tables, columns, unique, references, triggers }, this.#database)
    }
    this.#learnedFor = exploration
  }

  /** A statement may have changed what there is. */
  forgets(): void {
    this.#learnedFor = undefined
  }

  knows(exploration: object): boolean {
    return this.#learnedFor === exploration
  }

  async cancel(thread: number): Promise<void> {
    // One that is over by now needs no end.
    await this.rows(`kill query ${thread}`).catch(noop)
  }

  async knowsThread(thread: number): Promise<boolean> {
    return (await this.rows('show processlist')).some(({ Id: id }) => Number(id) === thread)
  }

  readonly rows = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const [rows] = await call(this.#functions.query, this.#connection, [text])
    return rows as readonly Readonly<Record<string, unknown>>[]
  }
}

/** Whatever the options of somebody's connection ask for. */
const plainAnswers = { rowsAsArray: false, typeCast: true, dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, namedPlaceholders: false, nestTables: undefined, queryFormat: undefined, pool: undefined, trace: false }

const controls = new Map<string, Promise<Control>>()

/** What tells one server from another: a statement may look at all of its databases. */
export const serverOf = ({ config: { socketPath, host = 'localhost', port = 3306 } }: MysqlConnection): string => `mysql ${socketPath ?? `${host}:${port}`}`

/** The connection of our own to the database that a connection is for. */
export function controlOf(connection: MysqlConnection, functions: ConnectionFunctions): Promise<Control> {
  const { user = '', database = '' } = connection.config
  const key = `${serverOf(connection)}/${database} ${user}`
  let control = controls.get(key)
  if (!control) {
    controls.set(key, (control = Control.open(connection, functions)))
    control.catch(() => controls.delete(key))
  }
  return control
}
