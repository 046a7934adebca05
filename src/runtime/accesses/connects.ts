import { Reflect } from '../../engine/intrinsics.ts'
import { followCloses } from '../execution/late-closes.ts'
import { followConnects, whenConnected } from '../execution/late-connects.ts'
import { running } from '../execution/running.ts'
import { followCall } from '../promises/platform-jobs.ts'
import { bindingOf } from './deprecated.ts'
import { calledFor } from './real-callbacks.ts'
import { isThing } from './real-things.ts'

/**
 * Connections that are there. What Node does then is one step, where the program hears of it: it tells who waits for the connection, sends what was written so far, by the request
 * as well that waits for it, and tells who has written that.
 */

/** Events that come about then. */
const events = ['connect', 'ready', 'finish', 'drain']

/** Of a client of HTTP, the request that is sent by it. */
const message = '_httpMessage'

const calledWhenThere = (socket: object): ReturnType<typeof calledFor> =>
  [socket, Reflect.get(socket, message) as unknown].filter(isThing).map((thing) => calledFor(thing, events)).find((found) => found !== undefined)

whenConnected((socket, connect) => {
  const found = running === null ? calledWhenThere(socket) : undefined
  if (!found) return false
  const { execution, source } = found
  const { lateConnects, loopback } = execution.foreign
  const isThere = lateConnects.waits(socket, connect)
  const run = (): void => {
    followCall(execution)
    isThere()
    execution.outside.reach(loopback.connectionsOf([socket]))
    loopback.sendsBy([socket])
  }
  source.comes([socket], { run, args: [socket] })
  return true
})

/** Who connects, and what is closed, is known by what Node has beneath its sockets, for which it is deprecated to ask. */
export function followConnections(): void {
  followConnects(bindingOf)
  followCloses(bindingOf)
}
