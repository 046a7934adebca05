import type { RedisClient } from './client.ts'

/** An argument of a command of our own. */
export type Argument = string | number | Uint8Array

/** A connection of our own to a database. */
export interface Control {
  /** Sends all of them at once. Texts are answered as bytes. */
  ask(commands: readonly (readonly Argument[])[]): Promise<readonly unknown[]>
  readonly isOpen: boolean
}

const controls = new Map<string, Promise<Control>>()

/** The connection of our own to a database of the server that a client is of. */
export async function controlOf(client: RedisClient, database: number): Promise<Control> {
  const key = `${client.server}/${database}`
  const known = await controls.get(key)?.catch(() => undefined)
  if (known?.isOpen) return known
  const control = client.open(database)
  controls.set(key, control)
  return control
}

