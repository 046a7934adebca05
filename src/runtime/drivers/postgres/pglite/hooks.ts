import { Array, Reflect } from '../../../../engine/intrinsics.ts'
import { isSeenOtherwise } from '../../../accesses/nobodys-data.ts'
import { readWhole } from '../../../accesses/whole.ts'
import type { Execution } from '../../../execution/execution.ts'
import { whenDriverIsLoaded } from '../../../execution/loaded-drivers.ts'
import { PerExecution } from '../../../execution/per-execution.ts'
import { running } from '../../../execution/running.ts'
import { askForPromise } from '../../asked.ts'
import { nameOf } from '../../names.ts'
import { plainQuestion } from '../../plain-question.ts'
import { openConnection, type Connection } from '../connections.ts'
import { PgliteSession, type Pglite, type PgliteFunctions } from './session.ts'
import { PgliteStatement } from './statement.ts'
import { transact } from './transactions.ts'

/**
 * The package `@electric-sql/pglite`: a database in this thread, with one session for all that use it. Statements and transactions are answered in the order of the
 * calls, one at a time. A transaction that somebody begins by a statement of their own would have those of others among its own: it is refused.
 */

type Method = (this: unknown, ...args: unknown[]) => unknown

type Prototype = Record<string, Method>

/** By ends of files: the package comes in both forms. */
const files = ['@electric-sql/pglite/dist/index.js', '@electric-sql/pglite/dist/index.cjs']

export function driveByPglite(): void {
  for (const file of files) whenDriverIsLoaded(file, (exported) => hookPglite((exported as { readonly PGlite: { readonly prototype: object } }).PGlite.prototype))
}

/** What else it can be asked by. */
const unseen = ['runExclusive', 'execProtocol', 'execProtocolRaw', 'execProtocolRawSync', 'execProtocolStream', 'describeQuery', 'listen', 'unlisten', 'dumpDataDir', 'clone', 'syncToFs']

const hooked = new WeakSet<object>()

/** Both forms may share a class, and more is asked by what a class extends. */
function hookPglite(of: object): void {
  const methodOf = (name: string): Method => Reflect.get(of, name) as Method
  const functions: PgliteFunctions = { query: methodOf('query'), exec: methodOf('exec'), sql: methodOf('sql'), transaction: methodOf('transaction') }
  for (const [name, isQuery] of [['query', true], ['exec', false]] as const) replace(of, name, (method) => (db, args) => asks(db, { method, args, isQuery, functions }))
  replace(of, 'transaction', (method) => (db, args) => transacts(db, { work: args[0], functions: { ...functions, transaction: method } }))
  replace(of, 'close', (method) => (db, args) => asksPlainly(db, 'close', () => Reflect.apply(method, db, args) as Promise<unknown>, functions))
  for (const name of unseen) replace(of, name, () => () => refuse(running!, `calls '${name}' of PGlite`))
}

/** What stands in the place of a method while a step runs. */
function replace(of: object, name: string, make: (method: Method) => (db: Pglite, args: unknown[]) => unknown): void {
  let prototype: object | null = of
  while (prototype !== null && !globalThis.Object.hasOwn(prototype, name)) prototype = Reflect.getPrototypeOf(prototype)
  if (prototype === null) return
  const method = Reflect.get(prototype, name) as Method
  if (hooked.has(method)) return
  const inStep = make(method)
  const version: Method = function (this: unknown, ...args) {
    '__dpor'
    isSeenOtherwise(this as object)
    return running === null ? Reflect.apply(method, this, args) : inStep(this as Pglite, args)
  }
  hooked.add(version)
  ;(prototype as Prototype)[name] = version
}

interface Asking {
  readonly method: Method
  readonly args: readonly unknown[]
  /** `query(text, values, options)`, and not `exec(text, options)` */
  readonly isQuery: boolean
  readonly functions: PgliteFunctions
}

function asks(db: Pglite, { method, args, isQuery, functions }: Asking): unknown {
  const execution = running!
  const site = execution.siteOfCall(Reflect.get(db, isQuery ? 'query' : 'exec'))
  for (const arg of args) if (typeof arg === 'object' && arg !== null) readWhole(execution, arg, site)
  const text = String(args[0])
  if (/^\s*(?:begin|start\s+transaction)\b/i.test(text)) refuse(execution, 'begins a transaction of PGlite by a statement of its own')
  const values = isQuery && Array.isArray(args[1]) ? [...(args[1] as unknown[])] : undefined
  const { connection } = openedFor(execution, db, functions)
  return askForPromise(execution, connection.line, new PgliteStatement(execution, { text, values }, { connection, send: () => Reflect.apply(method, db, isQuery ? [text, values, args[2]] : [text, args[1]]) as Promise<unknown> }), site)
}

function transacts(db: Pglite, { work, functions }: { readonly work: unknown; readonly functions: PgliteFunctions }): unknown {
  const execution = running!
  const site = execution.siteOfCall(Reflect.get(db, 'transaction'))
  const { connection, session } = openedFor(execution, db, functions)
  return transact(execution, { db, work, functions, connection, session }, site)
}

function asksPlainly(db: Pglite, name: string, ask: () => Promise<unknown>, functions: PgliteFunctions): unknown {
  const execution = running!
  return askForPromise(execution, openedFor(execution, db, functions).connection.line, plainQuestion(name, ask), execution.siteOfCall(Reflect.get(db, name)))
}

const refuse = (execution: Execution, does: string): void =>
  execution.refuse(`it ${does}, which has one session for all: what others ask meanwhile would be part of that`, 'Ask by query, exec, sql and transaction, or use a PostgreSQL server')

interface Opened {
  readonly connection: Connection
  readonly session: PgliteSession
}

const openedIn = new PerExecution(() => new Map<Pglite, Opened>())

function openedFor(execution: Execution, db: Pglite, functions: PgliteFunctions): Opened {
  const all = openedIn.of(execution)
  let opened = all.get(db)
  if (!opened) {
    const session = new PgliteSession(db, functions)
    all.set(db, (opened = { session, connection: openConnection(execution, session, { object: nameOf(execution, db) }) }))
  }
  return opened
}
