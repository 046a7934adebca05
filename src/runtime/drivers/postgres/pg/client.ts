import { Reflect } from '../../../../engine/intrinsics.ts'
import { noteConnection } from '../../connection-numbers.ts'
import { TimeLimits } from '../time-limits.ts'
import type { Status } from '../../sql/transaction.ts'

/** What of the package `pg` is used here. */

export type Callback = (error: unknown, value?: unknown, release?: unknown) => void

export interface PgClient {
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  readonly password?: unknown
  readonly ssl?: unknown
  readonly processID: number | null
  readonly connectionParameters?: { readonly lock_timeout?: number | false; readonly statement_timeout?: number | false }
  readonly readyForQuery?: boolean
  readonly connection: { readonly stream?: { readonly destroyed?: boolean; unref?(): void }; on(event: 'readyForQuery', listener: (message: { readonly status?: string }) => void): void }
  release?: (error?: unknown) => void
  on(event: 'error', listener: (error: unknown) => void): void
  listeners(event: 'error'): readonly unknown[]
}

export interface PgPool {
  readonly Client: { readonly prototype: object }
  readonly options: { readonly max?: number; readonly idleTimeoutMillis?: number; readonly connectionTimeoutMillis?: number }
  readonly ended?: boolean
  readonly ending?: boolean
  end(): Promise<void>
  readonly idleCount: number
}

/** Clients that nobody has: the pool gives the last of them. */
export const idleIn = (pool: PgPool): { readonly client: PgClient }[] => Reflect.get(pool, '_idle') as { readonly client: PgClient }[]

/** A function of the package, whatever it takes. */
export type PgFunction = (this: unknown, ...args: unknown[]) => unknown

/** The package's own functions, without what stands in their places. */
export interface PgFunctions {
  readonly Client: new (config: object) => PgClient
  readonly query: PgFunction
  readonly connect: PgFunction
  readonly end: PgFunction
}

const statuses = new WeakMap<PgClient, Status>()

const clients = new Set<PgClient>()

/** A client is about to connect: from then on the server says after each statement whether a transaction is open. */
export function noteClient(client: PgClient): void {
  if (clients.has(client)) return
  clients.add(client)
  noteConnection(client)
  client.connection.on('readyForQuery', ({ status }) => statuses.set(client, status === 'T' ? 'open' : status === 'E' ? 'failed' : 'idle'))
}

/** How many of them have a connection. */
export function countOpen(): number {
  for (const client of clients) if (client.connection.stream?.destroyed !== false) clients.delete(client)
  return clients.size
}

const limits = new WeakMap<PgClient, TimeLimits>()

/** What was set for its session outside of executions. */
export function limitsOf(client: PgClient): TimeLimits {
  let own = limits.get(client)
  if (!own) limits.set(client, (own = new TimeLimits()))
  return own
}

export const statusOf = (client: PgClient): Status => statuses.get(client) ?? 'idle'

const has = (client: PgClient, field: string): boolean => Reflect.get(client, field) === true

export const isConnected = (client: PgClient): boolean => has(client, '_connected')

/** Somebody has connected it, and has not ended it. */
export const isOpen = (client: PgClient): boolean => (has(client, '_connected') || has(client, '_connecting')) && !has(client, '_ending')

/** Its connection has not been lost. */
export const isAlive = (client: PgClient): boolean => Reflect.get(client, '_queryable') !== false
