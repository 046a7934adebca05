import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Server, ServerResponse, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Heard } from '../events/bursts.ts'
import { isInstance } from '../execution/proxies.ts'
import { listenerCount } from './listeners.ts'

/**
 * Node asks who listens before it tells of a request that wants more than an answer, and goes on by itself where nobody does. Whoever listened when the
 * request came may do so no more when it has its turn: then it is as if it had come only now.
 */

const http = globalThis.process?.getBuiltinModule?.('node:http')
const https = globalThis.process?.getBuiltinModule?.('node:https')

/** What a server does with a new connection, by itself. */
const serve = http && (Reflect.get(http, '_connectionListener') as (this: Server, socket: Duplex) => void)
const putBack = globalThis.process?.getBuiltinModule?.('node:stream').Readable.prototype.unshift

type Unheard = (server: Server, request: IncomingMessage, ...rest: never[]) => void

const byEvent: Readonly<Record<string, Unheard>> = Object.freeze({
  upgrade: (server: Server, request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (socket.destroyed) return
    Reflect.apply(putBack!, socket, [Buffer.concat([headOf(request), head])])
    Reflect.apply(serve!, server, [socket])
  },
  connect: (_server: Server, _request: IncomingMessage, socket: Duplex) => void socket.destroy(),
  checkContinue: (server: Server, request: IncomingMessage, response: ServerResponse<IncomingMessage>) => {
    response.writeContinue()
    server.emit('request', request, response)
  },
  checkExpectation: (_server: Server, _request: IncomingMessage, response: ServerResponse<IncomingMessage>) => void response.writeHead(417).end(),
})

/** What Node does by itself with what it told of, if nobody listens any more; undefined of events of which it tells in any case. */
export function doneUnheard({ emitter, event }: Pick<Heard, 'emitter' | 'event'>, args: readonly unknown[]): (() => void) | undefined {
  const unheard = typeof event === 'string' && Object.hasOwn(byEvent, event) ? byEvent[event] : undefined
  if (!unheard || !(isInstance(emitter, http?.Server.prototype) || isInstance(emitter, https?.Server.prototype))) return undefined
  return () => {
    if (listenerCount(emitter, event) === 0) unheard(emitter as Server, ...(args as [IncomingMessage, ...never[]]))
  }
}

/** The request up to its body, as it came. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const fields = Array.from({ length: rawHeaders.length / 2 }, (_, i) => `${rawHeaders[2 * i]}: ${rawHeaders[2 * i + 1]}`)
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...fields, '', ''].join('\r\n'), 'latin1')
}
