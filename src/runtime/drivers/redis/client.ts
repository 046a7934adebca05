import type { Execution } from '../../execution/execution.ts'
import type { PutBack } from '../servers.ts'
import type { Command } from './commands.ts'
import type { Control } from './control.ts'

/** What all packages for Redis have in common, as one of them has it for one of its clients. */
export interface RedisClient {
  /** What the body has. */
  readonly object: object
  /** Such as `localhost:6379`, or the path of a socket. */
  readonly server: string
  /** The number of the database in which it begins. */
  readonly database: number
  /** Settled when it is connected, or is not going to be for now; undefined where it is. No step runs. */
  connected?(): Promise<void> | undefined
  /** It has a connection. */
  isOpen(): boolean
  /** Sends a command by its connection, whatever else is waiting there. No step runs. */
  send(command: Command): Promise<unknown>
  /** A connection of our own to a database of its server; left out where it needs none. No step runs. */
  control?(database: number): Promise<Control>
  /** What stands before each key, where the package puts it there itself. */
  readonly keyPrefix?: string
  /** It forgets only by `UNWATCH` what it watches. */
  readonly keepsWatching?: boolean
  /** What it does depends on more than its server has. The running step looks at that. */
  look?(execution: Execution): void
  /** What puts back what is changed of a database. */
  keep(database: number): Kept
}

/** The keys of a database as one exploration has found them. */
export interface Kept {
  /** Something is going to be changed. Returns whether there are copies of all of it. */
  touch(changes: Changes): boolean
  /** Makes those copies that are missing. */
  keep(changes: Changes): Promise<void>
  /** Puts back what an execution has changed. Returns what could not be. */
  readonly putBack: PutBack
}

/** What may be changed of a database: some keys, or whatever there is. */
export type Changes = readonly string[] | 'all'

/** Commands that somebody has given to a client in one call: they are sent and answered as one. */
export interface Batch {
  readonly commands: readonly Command[]
  /** Sends them. No step runs. */
  readonly send: () => void
  /** Before they are sent: gives an argument of the first one another value. */
  readonly change?: ((at: number, value: string) => void) | undefined
  /** The package's own promise of what the call gives. */
  readonly result: Promise<unknown>
  /** What was answered to each command, as far as the result has it; null: nothing was done, as what was watched has changed. */
  readonly answers?: ((result: unknown) => readonly unknown[] | null | undefined) | undefined
}
