import { Reflect } from '../../../engine/intrinsics.ts'
import { isSeenOtherwise } from '../../accesses/nobodys-data.ts'
import { noteConnection } from '../connection-numbers.ts'

/** What of the package `mysql2` is used here. */

export type Callback = (error: unknown, ...results: unknown[]) => void

/** A function of the package, whatever it takes. */
export type MysqlFunction = (this: unknown, ...args: unknown[]) => unknown

/** What the package hands to the server: a statement has its text and who hears of it. */
export interface Command {
  readonly sql?: string
  readonly statement?: { readonly query: string }
  readonly parameters?: unknown
  onResult?: Callback | undefined
}

export interface MysqlConnection {
  readonly config: { readonly host?: string; readonly port?: number; readonly socketPath?: string; readonly user?: string; readonly database?: string }
  /** The number by which the server knows it. */
  readonly threadId: number | null
  readonly stream: { readonly destroyed?: boolean; unref?(): void }
  readonly connectTimeout?: unknown
  /** Those of pools: the same, answering by promises. */
  promise?(implementation: unknown): object
  format(text: string, values: unknown, namedPlaceholders?: boolean): string
  listeners(event: 'error'): readonly unknown[]
  on(event: 'error', listener: (error: unknown) => void): void
  off(event: 'error', listener: (error: unknown) => void): void
}

/** The package's own functions, without what stands in their places, by the class that they are of: each copy of the package has its own. */
export class OwnFunctions<Functions> {
  readonly #byPrototype = new WeakMap<object, Functions>()

  remember(prototype: object, functions: Functions): void {
    this.#byPrototype.set(prototype, functions)
  }

  of(object: object): Functions {
    for (let prototype = Reflect.getPrototypeOf(object); prototype !== null; prototype = Reflect.getPrototypeOf(prototype)) {
      const functions = this.#byPrototype.get(prototype)
      if (functions) return functions
    }
    throw new Error('vitest-dpor: mysql2 has given something of a class that is not known; please report this')
  }
}

export interface MysqlPool {
  readonly config: { readonly connectionLimit: number; readonly waitForConnections: boolean; readonly queueLimit: number }
  /** Connections that nobody has: it gives the last of them. */
  readonly _freeConnections: { toArray(): MysqlConnection[]; clear(): void; push(connection: MysqlConnection): void }
}

export interface ConnectionFunctions {
  readonly Connection: new (options: { readonly config: object }) => MysqlConnection
  readonly query: MysqlFunction
  readonly execute: MysqlFunction
  readonly connect: MysqlFunction
  readonly end: MysqlFunction
  readonly close: MysqlFunction
}

export const ofConnections = new OwnFunctions<ConnectionFunctions>()

export interface PoolFunctions {
  readonly getConnection: MysqlFunction
  readonly releaseConnection: MysqlFunction
  readonly end: MysqlFunction
}

export const ofPools = new OwnFunctions<PoolFunctions>()

const connections = new Set<MysqlConnection>()
const pools = new Set<MysqlPool>()

export function noteClient(connection: MysqlConnection): void {
  if (connections.has(connection)) return
  connections.add(connection)
  noteConnection(connection)
  isSeenOtherwise(connection)
}

export function notePool(pool: MysqlPool): void {
  if (pools.has(pool)) return
  pools.add(pool)
  isSeenOtherwise(pool)
}

/** What this package has open, and the timers by which it gives up connecting, or closes what nobody uses. */
export function openNow(): { readonly open: number; readonly timers: number } {
  let timers = 0
  for (const connection of connections) {
    if (connection.stream?.destroyed !== false) connections.delete(connection)
    else if (connection.connectTimeout) timers++
  }
  for (const pool of pools) {
    if (isClosed(pool)) pools.delete(pool)
    else if (Reflect.get(pool, '_removeIdleTimeoutConnectionsTimer')) timers++
  }
  return { open: connections.size, timers }
}

/** It can still be asked. */
export const isAlive = (connection: MysqlConnection): boolean => connection.stream.destroyed !== true && !['_closing', '_fatalError', '_protocolError'].some((field) => Reflect.get(connection, field))

export const isClosed = (pool: MysqlPool): boolean => Reflect.get(pool, '_closed') === true
