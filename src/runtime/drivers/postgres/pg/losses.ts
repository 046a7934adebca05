import type { Execution } from '../../../execution/execution.ts'
import { PerExecution } from '../../../execution/per-execution.ts'
import { serversOf } from '../../servers.ts'
import { isFatal } from '../session.ts'
import { isAlive, type PgClient } from './client.ts'

/** Those that an execution has, and whether their connections are lost. */
const heard = new PerExecution(() => new Map<PgClient, { isLost: boolean }>())

/** An execution has a client: that its connection is lost ends the process where nobody listens. Here whoever asks it the next time is told. */
export function hearLosses(execution: Execution, client: PgClient): void {
  const clients = heard.of(execution)
  if (clients.has(client)) return
  const state = { isLost: false }
  const hear = (error: unknown): void => isLost(execution, client, error)
  clients.set(client, state)
  client.on('error', hear)
  serversOf(execution).whenOver(async () => {
    // One that is lost may say so once more.
    if (!state.isLost && isAlive(client)) client.off('error', hear)
  })
}

/** A statement has ended in an error, which may be the end of its session. */
export function noteError(execution: Execution, client: PgClient, error: unknown): void {
  if (isFatal(error) || !isAlive(client)) isLost(execution, client, error)
}

function isLost(execution: Execution, client: PgClient, error: unknown): void {
  heard.of(execution).get(client)!.isLost = true
  serversOf(execution).lost ??= String((error as Error).message)
}
