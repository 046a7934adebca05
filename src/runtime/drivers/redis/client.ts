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
  /** Sends a command by its connection, whatever else is waiting there. No step runs. */
  send(command: Command): Promise<unknown>
  /** Opens a connection of our own to a database of its server. No step runs. */
  open(database: number): Promise<Control>
}

/** Commands that somebody has given to a client in one call: they are sent and answered as one. */
export interface Batch {
  readonly commands: readonly Command[]
  /** Sends them. No step runs. */
  readonly send: () => void
  /** The package's own promise of what the call gives. */
  readonly result: Promise<unknown>
  /** What was answered to each command, as far as the result has it; null: nothing was done, as what was watched has changed. */
  readonly answers?: ((result: unknown) => readonly unknown[] | null | undefined) | undefined
}
