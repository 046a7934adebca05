import { listeningServers } from '../execution/loopback.ts'
import { functionName } from '../execution/values.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

/** Functions of the program, by name, that servers call which were there before an exploration: they run in turns of the event loop, and in no step. */
export function calledByServersOf(older: WeakSet<object>): readonly string[] {
  const servers = listeningServers().filter((server) => older.has(server))
  const listeners = servers.flatMap((server) => server.eventNames().flatMap((event) => server.listeners(event) as Fn[]))
  return [...new Set(listeners.filter((listener) => kindOf(listener) === 'own').map((listener) => functionName(listener) || 'a listener'))]
}
