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

/** Methods of a connection that leave the file as it is. */
const looking: ReadonlySet<string> = new Set(['prepare', 'serialize', 'backup', 'location'])
/** Those that do nothing with it. */
const idle: ReadonlySet<string> = new Set(['transaction', 'function', 'aggregate', 'table', 'defaultSafeIntegers', 'unsafeMode'])

/** A method of a connection, or of a statement of one, is called: it looks at the file of its database, or changes it. */
export function tellDatabaseFile(execution: Execution, fn: Fn, receiver: unknown, site: SiteId): void {
  const file = isObject(receiver) ? fileOf(receiver) : null
  if (file === null || idle.has(fn.name)) return
  const looks = has(receiver as object, 'prepare') ? looking.has(fn.name) : onlyReads(receiver as object)
  if (file === someFile) tellFiles(execution, looks ? 'readdir' : 'rm', ['.', { recursive: true }], site)
  else tellFiles(execution, looks ? 'readFile' : 'writeFile', [file], site)
}

/** A statement belongs to the connection that has prepared it. */
export function notePrepared(fn: Fn, receiver: unknown, statement: unknown): void {
  // A proxy would hear that it is asked.
  if (isObject(receiver) && isObject(statement) && !isProxy(fn) && fn.name === 'prepare') files.set(statement, fileOf(receiver))
}

function fileOf(object: object): DatabaseFile {
  let file = files.get(object)
  if (file === undefined) files.set(object, (file = isProxy(object) ? null : findFile(object)))
  return file
}

function findFile(object: object): DatabaseFile {
  if (isConnection(object)) return fileOfConnection(object)
  if (!has(object, 'run') || !has(object, 'iterate')) return null
  const connection: unknown = Reflect.get(object, 'database')
  if (isObject(connection)) return fileOf(connection)
  // `node:sqlite` does not say which connection has prepared it.
  return typeof Reflect.get(object, 'sourceSQL') === 'string' ? someFile : null
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
