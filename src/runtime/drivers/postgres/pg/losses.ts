import type { Execution } from '../../../execution/execution.ts'
import { isOfLostConnection } from '../../lost-connections.ts'
import { serversOf } from '../../servers.ts'
import { isFatal } from '../session.ts'
import { isAlive, type PgClient } from './client.ts'

/** What listens to the errors of a client: one for all executions, as what these change of its listeners is put back. */
interface Listener {
  readonly hear: (error: unknown) => void
  /** Which one has it; that in which its connection was lost stays. */
  execution: Execution | undefined
  isLost: boolean
  /** That execution is done with it, but for what is still asked to end it. */
  isLeft: boolean
}

const listeners = new WeakMap<PgClient, Listener>()

/** An execution has a client: that its connection is lost ends the process where nobody listens. Here whoever asks it the next time is told. */
export function hearLosses(execution: Execution, client: PgClient): void {
  const listener = listenerOf(client)
  if (!client.listeners('error').includes(listener.hear)) client.on('error', listener.hear)
  if (listener.execution === execution) return
  listener.execution = execution
  listener.isLeft = false
  serversOf(execution).whenOver(async () => {
    if (listener.execution === execution && !listener.isLost && isAlive(client)) listener.isLeft = true
  })
}

function listenerOf(client: PgClient): Listener {
  let listener = listeners.get(client)
  if (!listener) {
    const hear = (error: unknown): void => {
      const { execution, isLeft } = listener!
      if (execution && !(isLeft && serversOf(execution).hasEnded)) return isLost(listener!, error)
      // As where nobody listens.
      if (client.listeners('error').length === 1) throw error
    }
    listeners.set(client, (listener = { hear, execution: undefined, isLost: false, isLeft: false }))
  }
  return listener
}

/** A statement has ended in an error, which may be the end of its session. */
export function noteError(client: PgClient, error: unknown): void {
  if (isFatal(error) || isOfLostConnection(error)) isLost(listenerOf(client), error)
}

function isLost(listener: Listener, error: unknown): void {
  listener.isLost = true
  serversOf(listener.execution!).losesConnection(error)
}
