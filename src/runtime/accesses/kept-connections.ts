import { Object, Reflect } from '../../engine/intrinsics.ts'
import { noop } from '../execution/native.ts'
import { classNameOf } from '../execution/values.ts'

/**
 * What Node keeps of connections for the next request: what it does with that depends on how long ago the last one was. `fetch` keeps them by origin, in an
 * object that anybody finds under this name; `node:http` in its global agent.
 */
const dispatcherName = Symbol.for('undici.globalDispatcher.1')
const http = globalThis.process?.getBuiltinModule?.('node:http')

function poolsOfFetch(): Map<unknown, unknown> | undefined {
  const dispatcher: unknown = Reflect.get(globalThis, dispatcherName)
  // One of another class stands for servers itself.
  if (typeof dispatcher !== 'object' || dispatcher === null || classNameOf(dispatcher) !== 'Agent') return undefined
  const name = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'clients')
  const pools: unknown = name && Reflect.get(dispatcher, name)
  return pools instanceof Map ? pools : undefined
}

/** The next request to one of these ports of this machine makes a connection of its own. */
export function forgetConnections(ports: ReadonlySet<number | undefined>): void {
  const pools = poolsOfFetch()
  for (const origin of pools?.keys() ?? []) if (ports.has(portOf(origin))) pools!.delete(origin)
  for (const socket of freeSockets()) if (ports.has(socket.remotePort)) socket.destroy()
}

const freeSockets = (): readonly import('node:net').Socket[] => Object.values(http?.globalAgent.freeSockets ?? {}).flatMap((sockets) => sockets ?? [])

/** What `fetch` keeps of one origin. */
interface Pool {
  readonly stats?: { readonly running: number; readonly pending: number; readonly queued?: number }
  destroy?(): Promise<void>
}

/** Ends the connections that are kept for the next request while there is none: each execution makes its own, the first one as well. Returns whether there were any. */
export function endKeptConnections(): boolean {
  const sockets = freeSockets()
  let count = sockets.length
  const pools = poolsOfFetch()
  for (const [origin, kept] of pools ?? []) {
    const pool = poolIn(kept)
    if (!pool?.stats || pool.stats.running + pool.stats.pending + (pool.stats.queued ?? 0) > 0) continue
    pools!.delete(origin)
    count++
    pool.destroy?.().catch(noop)
  }
  for (const socket of sockets) socket.destroy()
  return count > 0
}

/** Newer versions of Node count who uses it. */
function poolIn(kept: unknown): Pool | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  return (Reflect.get(kept, 'dispatcher') ?? kept) as Pool
}

function portOf(origin: unknown): number | undefined {
  const url = String(origin)
  return URL.canParse(url) ? Number(new URL(url).port) : undefined
}
