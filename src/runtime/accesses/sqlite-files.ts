import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { realPathOf, tellFiles } from './files/named-files.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { isObject } from './telling.ts'

/**
 * Databases of SQLite, by the names of methods, as `better-sqlite3` and `node:sqlite` have them. What statements do a driver knows. All else that is done with a connection is told
 * like the state of any object of code that is not instrumented, and where it has a file, which two connections share, as done to that.
 */

/** One of the files that there are, where it is not known which. */
const someFile = Symbol('some file')

/** The file of a connection or of a prepared statement; `null` where it has none, as in memory. */
type DatabaseFile = string | typeof someFile | null

const files = new WeakMap<object, DatabaseFile>()

/** Those that have prepared statements, by these. */
const connections = new WeakMap<object, object>()

/** In which execution a connection was made. */
const madeIn = new WeakMap<object, Execution>()

/** A database is about to be changed, or may be: that of a connection, in this file, or in its memory alone. */
type Changes = (execution: Execution, database: { readonly connection: object; readonly file: string | null }) => void

let changes: Changes = () => {}

/** Calls back before a database changes that is older than the execution. */
export function whenDatabaseChanges(callback: Changes): void {
  changes = callback
}

/** What a call of a method of a connection, or of a statement of one, is about. */
export interface DatabaseCall {
  readonly fn: Fn
  readonly args: readonly unknown[]
  readonly site: SiteId
  readonly connection: object
  /** Undefined where a method of the connection itself is called. */
  readonly statement: object | undefined
  /** It is what `transaction` of a connection has returned. */
  readonly isTransaction: boolean
  /** `null`: it is in the memory of the connection. */
  readonly file: string | null
}

/** Runs a call, and says what it accesses; undefined of one of which that is not known. */
type RunCall = <T>(execution: Execution, call: DatabaseCall, run: () => T) => { readonly result: T } | undefined

let runCall: RunCall = () => undefined

/** Something else is done with a database than what `runCall` knows. Undefined: it is not known with which. */
type OtherCall = (execution: Execution, database: { readonly connection: object; readonly file: string | null } | undefined, site: SiteId) => void

let otherCall: OtherCall = () => {}

export function driveDatabases(driver: { readonly runCall: RunCall; readonly otherCall: OtherCall }): void {
  ;({ runCall, otherCall } = driver)
}

/** Runs a call of a method of a database, if it is one of which is known what it accesses. */
export function callOfDatabase<T>(execution: Execution, { fn, receiver, args, site }: Pick<DatabaseCall, 'fn' | 'args' | 'site'> & { readonly receiver: unknown }, run: () => T): { readonly result: T } | undefined {
  const transactionOf = !isProxy(fn) && fn.name === 'sqliteTransaction' ? (Reflect.getOwnPropertyDescriptor(fn, 'database')?.value as unknown) : undefined
  const isTransaction = isObject(transactionOf)
  const called = isTransaction ? transactionOf : receiver
  const file = isObject(called) ? fileOf(called) : undefined
  if (file === undefined || file === someFile) return undefined
  const connection = connections.get(called as object)
  return runCall(execution, { fn, args, site, file, isTransaction, connection: connection ?? (called as object), statement: connection && (called as object) }, run)
}

/** It is about to be changed, or may be: what is older than the execution is put back after it. */
export function mayChange(execution: Execution, { connection, file }: { readonly connection: object; readonly file: string | null }): void {
  if (file !== null || madeIn.get(connection) !== execution) changes(execution, { connection, file })
}

/** Methods of a connection that leave the file as it is. */
const looking: ReadonlySet<string> = new Set(['prepare', 'serialize', 'backup', 'location'])
/** Those that look at nothing in it. */
const harmless: ReadonlySet<string> = new Set(['location', 'columns'])
/** Those that do nothing with it. */
const idle: ReadonlySet<string> = new Set(['transaction', 'function', 'aggregate', 'table', 'defaultSafeIntegers', 'unsafeMode'])

/** A method of a connection, or of a statement of one, is called: it looks at the file of its database, or changes it. */
export function tellDatabaseFile(execution: Execution, fn: Fn, receiver: unknown, site: SiteId): void {
  const file = isObject(receiver) ? fileOf(receiver) : undefined
  if (file === undefined || idle.has(fn.name)) return
  const looks = has(receiver as object, 'prepare') ? looking.has(fn.name) : onlyReads(receiver as object)
  const database = file === someFile ? undefined : { connection: connections.get(receiver as object) ?? (receiver as object), file }
  if (!looks && database) mayChange(execution, database)
  if (!harmless.has(fn.name)) otherCall(execution, database, site)
  if (file === null) return
  if (file === someFile) tellFiles(execution, looks ? 'readdir' : 'rm', ['.', { recursive: true }], site)
  else tellFiles(execution, looks ? 'readFile' : 'writeFile', [file], site)
}

/** A statement, and what goes through its rows, belongs to the connection that has prepared it, and a connection to the execution that has made it. */
export function noteOfDatabase(execution: Execution, { fn, receiver, result: statement }: { readonly fn: Fn; readonly receiver: unknown; readonly result: unknown }): void {
  if (receiver === undefined) {
    if (isObject(statement) && !isProxy(statement) && !isProxy(fn) && /^Database(?:Sync)?$/.test(fn.name)) madeIn.set(statement, execution)
    return
  }
  // A proxy would hear that it is asked.
  if (isObject(receiver) && isObject(statement) && !isProxy(fn) && (fn.name === 'prepare' || fn.name === 'iterate')) belongsTo(connections.get(receiver) ?? receiver, statement)
}

/** The connection has prepared it. */
export function belongsTo(connection: object, statement: object): void {
  const file = fileOf(connection)
  if (file === undefined) return
  files.set(statement, file)
  connections.set(statement, connection)
}

/** Objects that have to do with no database. */
const others = new WeakSet<object>()

/** Undefined of what is neither a connection nor a statement. */
function fileOf(object: object): DatabaseFile | undefined {
  const file = files.get(object)
  if (file !== undefined || others.has(object)) return file
  const found = isProxy(object) ? undefined : findFile(object)
  if (found === undefined) others.add(object)
  else files.set(object, found)
  return found
}

function findFile(object: object): DatabaseFile | undefined {
  if (isConnection(object)) return fileOfConnection(object)
  if (!has(object, 'run') || !has(object, 'iterate')) return undefined
  const connection: unknown = Reflect.get(object, 'database')
  if (isObject(connection)) {
    connections.set(object, connection)
    return fileOf(connection)
  }
  // `node:sqlite` does not say which connection has prepared it.
  return typeof Reflect.get(object, 'sourceSQL') === 'string' ? someFile : undefined
}

const isConnection = (object: object): boolean => /^Database(?:Sync)?$/.test(object.constructor?.name) && has(object, 'exec') && has(object, 'prepare')

function fileOfConnection(connection: object): DatabaseFile {
  const isInMemory: unknown = Reflect.get(connection, 'memory')
  if (typeof isInMemory === 'boolean') return isInMemory ? null : realPathOf(String(Reflect.get(connection, 'name')))
  // The first versions of `node:sqlite` have no such method.
  if (!has(connection, 'location')) return someFile
  const location: unknown = Reflect.apply(Reflect.get(connection, 'location') as Fn, connection, [])
  return typeof location === 'string' ? realPathOf(location) : null
}

/** Whether there is such a method. */
const has = (object: object, name: string): boolean => typeof findProperty(object, name)?.own.value === 'function'

/** Whether it changes nothing by itself. */
export function onlyReads(statement: object): boolean {
  const isReadOnly: unknown = Reflect.get(statement, 'readonly')
  if (typeof isReadOnly === 'boolean') return isReadOnly
  return /^\s*(?:select|values)\b/i.test(String(Reflect.get(statement, 'sourceSQL')))
}
