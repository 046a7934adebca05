import { Array, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import { tellDone } from '../../accesses/counted.ts'
import { Files } from '../../accesses/files/named-files.ts'
import { HandedOver } from '../../accesses/handed-over.ts'
import { nameNew } from '../../accesses/new-graphs.ts'
import { opaqueGroups, tellLook } from '../../accesses/opaque-telling.ts'
import { belongsTo, mayChange, onlyReads, type DatabaseCall } from '../../accesses/sqlite-files.ts'
import { seen, changed } from '../../accesses/telling.ts'
import type { Execution } from '../../execution/execution.ts'
import { OPAQUE, STATE } from '../../execution/keys.ts'
import { namedObject } from '../../execution/named-objects.ts'
import { besideSteps } from '../../execution/running.ts'
import { nameOf } from '../names.ts'
import { Database } from '../sql/database.ts'
import { definitions, type Footprint } from '../sql/footprint.ts'
import { shownStatement } from '../sql/shown.ts'
import { isInTransaction, isOfSqlite, type SqliteConnection } from './connection.ts'
import { footprintOf } from './footprint.ts'
import { valuesIn } from './parameters.ts'
import { forgetSchema, knownSchemaOf, schemaOf, type Schema } from './schema.ts'
import { openTransactions } from './transactions.ts'

/** By name: what runs a statement, and returns when it is over. */
const runsStatement: ReadonlySet<string> = new Set(['run', 'get', 'all'])
/** What says how a statement is to be run. */
const setting: ReadonlySet<string> = new Set(['pluck', 'expand', 'raw', 'safeIntegers', 'setAllowBareNamedParameters', 'setAllowUnknownNamedParameters', 'setReadBigInts', 'setReturnArrays'])

/** A call that runs statements, of one or more. */
interface Statements {
  readonly text: string
  readonly args: readonly unknown[]
}

/** Runs a call of a connection or a statement, and says what it accesses: of those that run statements and return when these are over. */
export function runCall<T>(execution: Execution, call: DatabaseCall, run: () => T): { readonly result: T } | undefined {
  const connection = call.connection as SqliteConnection
  const { fn, args, statement, site } = call
  if (!besideSteps(() => isOfSqlite(connection))) return undefined
  if (statement) {
    if (setting.has(fn.name)) return { result: set(execution, { statement, run, site }) }
    const text = textOf(statement)
    return text !== undefined && runsStatement.has(fn.name) ? { result: runStatements(execution, call, { text, args }, run) } : undefined
  }
  if (fn.name === 'exec' && args.length === 1 && typeof args[0] === 'string') return { result: runStatements(execution, call, { text: args[0], args: [] }, run) }
  if (fn.name === 'prepare' && args.length === 1 && typeof args[0] === 'string') return { result: prepare(execution, call, run) }
  if (call.isTransaction) return { result: runTransaction(execution, call, run) }
  return undefined
}

const textOf = (statement: object): string | undefined => {
  const text: unknown = Reflect.get(statement, 'source') ?? Reflect.get(statement, 'sourceSQL')
  return typeof text === 'string' ? text : undefined
}

function set<T>(execution: Execution, { statement, run, site }: { readonly statement: object; readonly run: () => T; readonly site: SiteId }): T {
  changed(execution, statement, STATE, site, undefined)
  return run()
}

function prepare<T>(execution: Execution, call: DatabaseCall, run: () => T): T {
  tellUse(execution, call)
  // What there is decides whether it can be prepared.
  databaseOf(execution, call).access({ table: definitions, kind: 'read' }, undefined)
  const statement = run()
  belongsTo(call.connection, statement as object)
  execution.identities.made(statement as object)
  return statement
}

/** A function that runs another one between the beginning of a transaction and its end, in one step: it does what that does, unless somebody else's transaction is in its way. */
function runTransaction<T>(execution: Execution, call: DatabaseCall, run: () => T): T {
  const { connection, file } = call
  tellUse(execution, call)
  if (file !== null) databaseOf(execution, call).access({ table: definitions, kind: 'read' }, undefined)
  const isOutermost = !inTransaction.has(connection) && besideSteps(() => isInTransaction(connection as SqliteConnection)) === false
  if (!isOutermost) return run()
  // Within it that can be copied no more.
  mayChange(execution, { connection, file })
  besideSteps(() => schemaOf(connection as SqliteConnection))
  inTransaction.add(connection)
  try {
    return run()
  } finally {
    inTransaction.delete(connection)
  }
}

/** Connections of which such a function runs. */
const inTransaction = new Set<object>()

/** What is known of the tables. In a transaction of a file a question might be the first look, from which on it sees what others change no more: it was asked before, or nobody asks. */
function schemaFor(execution: Execution, { connection, file }: DatabaseCall): Schema | undefined {
  if (file === null) return schemaOf(connection as SqliteConnection)
  if (openTransactions.of(execution).has(connection as SqliteConnection)) return undefined
  if (inTransaction.has(connection)) return knownSchemaOf(connection as SqliteConnection)
  return isInTransaction(connection as SqliteConnection) === false ? schemaOf(connection as SqliteConnection) : undefined
}

function runStatements<T>(execution: Execution, call: DatabaseCall, { text, args }: Statements, run: () => T): T {
  const { file, site, statement } = call
  const connection = call.connection as SqliteConnection
  const schema = besideSteps(() => schemaFor(execution, call))
  const footprint = footprintOf(schema, { text, values: (parameters) => valuesIn(args, parameters), isReadOnly: statement !== undefined && onlyReads(statement) })
  tellUse(execution, call)
  if (statement) seen(execution, statement, STATE, site, undefined)
  const handed = args.some((arg) => typeof arg === 'object' && arg !== null) ? new HandedOver(execution, { own: [], kept: [], args }, site) : undefined
  const changes = footprint.kind === 'everything' || (footprint.kind === 'tables' && footprint.accesses.some(({ kind }) => kind !== 'read'))
  if (changes) mayChange(execution, { connection, file })
  const last = execution.identities.of(connection)
  if (asksForLast.test(text)) execution.accesses.read(last, STATE, site, undefined)
  if (changes) execution.accesses.assign(last, STATE, site, execution.identities.fresh())
  // It may be about another database that is attached.
  if (schema?.isPlain === false) execution.accesses.write(namedObject(execution, allName), STATE, site, undefined)
  if (file !== null) new Files(execution, site).accessRows(file, { changes })
  let rows: unknown
  try {
    const result = run()
    if (statement) nameNew(execution, (rows = result))
    return result
  } catch (error) {
    execution.identities.cameIn(error, { mayBeOlder: true })
    throw error
  } finally {
    handed?.tellChanges(site)
    if (footprint.kind === 'everything') forgetSchema(connection)
    tell(execution, call, { footprint, text: shownStatement(text, args.flat()), rows: Array.isArray(rows) && rows.length === 1 ? rows[0] : rows })
    if (file !== null) openTransactions.of(execution).follow(connection, () => databaseOf(execution, call).changeEverything(''))
  }
}

/** What the statement before it has done, whosever that was: `changes()`. */
const asksForLast = /\b(?:total_)?changes\s*\(|\blast_insert_rowid\s*\(/i

function tell(execution: Execution, call: DatabaseCall, { footprint, text, rows }: { readonly footprint: Footprint; readonly text: string; readonly rows: unknown }): void {
  const database = databaseOf(execution, call)
  execution.recorder?.statement({ text, dialect: 'sqlite' })
  if (footprint.kind === 'everything') database.changeEverything(text)
  else if (footprint.kind === 'tables') for (const access of footprint.accesses) database.access(access, rows)
  execution.recorder?.statementIsOver()
}

/** Something is done with a connection of which nobody knows what: all of its database may have been looked at, and changed. */
export function tellOther(execution: Execution, database: { readonly connection: object; readonly file: string | null } | undefined, site: SiteId): void {
  if (database && !besideSteps(() => isOfSqlite(database.connection as SqliteConnection))) return
  if (database) databaseOf(execution, { ...database, site }).changeEverything('')
  else execution.accesses.write(namedObject(execution, allName), STATE, site, undefined)
}

/** Of all that there are, where it is not known which. */
const allName = 'databases of SQLite'

/** Such calls may come in any order, but for those of which nobody knows what they do: of the connection, of the statement, or of code that has them in its hands. */
function tellUse(execution: Execution, { fn, connection, statement, site }: DatabaseCall): void {
  execution.accesses.look(namedObject(execution, allName), STATE)
  const receiver = statement ?? connection
  tellLook(execution, opaqueGroups(execution).of(fn, receiver), site)
  for (const object of statement ? [connection, statement] : [connection]) tellDone(execution, execution.identities.of(object), OPAQUE, site)
}

const nameInPath = /[^/\\]+$/

function databaseOf(execution: Execution, { connection, file, site }: Pick<DatabaseCall, 'connection' | 'file' | 'site'>): Database {
  if (file !== null) return new Database(execution, { key: `sqlite ${file}`, name: nameInPath.exec(file)?.[0] ?? file }, site)
  return new Database(execution, { key: `sqlite in memory ${nameOf(execution, connection)}`, name: 'database in memory' }, site)
}
