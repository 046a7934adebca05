import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { tellFiles } from './files/named-files.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { isObject } from './telling.ts'

/**
 * Databases of SQLite that are in files: two connections to one file share it. What one connection keeps is told like the state of any object of
 * code that is not instrumented. By the names of methods, as `better-sqlite3` and `node:sqlite` have them.
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

/** Methods of a connection that leave the file as it is. */
const looking: ReadonlySet<string> = new Set(['prepare', 'serialize', 'backup', 'location'])
/** Those that do nothing with it. */
const idle: ReadonlySet<string> = new Set(['transaction', 'function', 'aggregate', 'table', 'defaultSafeIntegers', 'unsafeMode'])

/** A method of a connection, or of a statement of one, is called: it looks at the file of its database, or changes it. */
export function tellDatabaseFile(execution: Execution, fn: Fn, receiver: unknown, site: SiteId): void {
  const file = isObject(receiver) ? fileOf(receiver) : undefined
  if (file === undefined || idle.has(fn.name)) return
  const looks = has(receiver as object, 'prepare') ? looking.has(fn.name) : onlyReads(receiver as object)
  if (!looks && file !== someFile) tellChange(execution, receiver as object, file)
  if (file === null) return
  if (file === someFile) tellFiles(execution, looks ? 'readdir' : 'rm', ['.', { recursive: true }], site)
  else tellFiles(execution, looks ? 'readFile' : 'writeFile', [file], site)
}

function tellChange(execution: Execution, receiver: object, file: string | null): void {
  const connection = connections.get(receiver) ?? receiver
  if (file !== null || madeIn.get(connection) !== execution) changes(execution, { connection, file })
}

/** A statement belongs to the connection that has prepared it, and a connection to the execution that has made it. */
export function noteOfDatabase(execution: Execution, { fn, receiver, result: statement }: { readonly fn: Fn; readonly receiver: unknown; readonly result: unknown }): void {
  if (receiver === undefined) {
    if (isObject(statement) && !isProxy(statement) && !isProxy(fn) && /^Database(?:Sync)?$/.test(fn.name)) madeIn.set(statement, execution)
    return
  }
  // A proxy would hear that it is asked.
  if (isObject(receiver) && isObject(statement) && !isProxy(fn) && fn.name === 'prepare') prepared(receiver, statement)
}

function prepared(connection: object, statement: object): void {
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
  if (typeof isInMemory === 'boolean') return isInMemory ? null : String(Reflect.get(connection, 'name'))
  // The first versions of `node:sqlite` have no such method.
  if (!has(connection, 'location')) return someFile
  const location: unknown = Reflect.apply(Reflect.get(connection, 'location') as Fn, connection, [])
  return typeof location === 'string' ? location : null
}

/** Whether there is such a method. */
const has = (object: object, name: string): boolean => typeof findProperty(object, name)?.own.value === 'function'

function onlyReads(statement: object): boolean {
  const isReadOnly: unknown = Reflect.get(statement, 'readonly')
  if (typeof isReadOnly === 'boolean') return isReadOnly
  return /^\s*(?:select|values)\b/i.test(String(Reflect.get(statement, 'sourceSQL')))
}
