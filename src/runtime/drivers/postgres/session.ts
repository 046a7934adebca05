import type { Limits } from './time-limits.ts'
import type { Status } from '../sql/transaction.ts'

/** Where a database is, and how one gets there. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/** What tells one database from another. */
export const databaseOf = ({ host, port, database }: Address): string => `${host}:${port}/${database}`

/** That a connection is gone, for a reader. */
export const lostFor = (reason: string): string => `the connection to its server was lost: ${reason}`

/** Whether an error of the server ends the session. */
export const isFatal = (error: unknown): boolean => ['FATAL', 'PANIC'].includes((error as { readonly severity?: string }).severity!)

/** What was told to give up a statement may come late, and end the ROLLBACK instead. */
export const mostRollbacks = 3

/** What lets go of the locks of a session. */
export const unlocking = 'select pg_advisory_unlock_all()'

/** A connection to a server, as a package has it that somebody uses: from the moment in which they have it to the one in which it is given back. */
export interface Session {
  readonly address: Address
  /** The server's process for it; undefined as long as there is none. */
  readonly process: number | undefined
  readonly status: Status
  /** What it was given when it was opened. */
  readonly limits?: Partial<Limits> | undefined
  /** There is no other one: what is set for it holds for who uses it as well. */
  readonly isShared?: boolean
  /** Rolls back what is open, if it can still be asked. */
  rollBack(): Promise<void>
  /** Lets go of the locks that it has itself (`pg_advisory_lock`), if it can still be asked. */
  letGoOfLocks(): Promise<void>
  /** Opens a connection of our own to the same database, by the same package. */
  openAnother(): Promise<OwnConnection>
}

/** A connection of our own, which keeps nothing alive. */
export interface OwnConnection {
  /** Statements without values. Returns the rows of each that has any columns. */
  run(text: string): Promise<readonly (readonly unknown[])[]>
  rows(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
  /** Calls back when it is lost: with why, for a reader. */
  whenLost(lost: (why: string) => void): void
}
