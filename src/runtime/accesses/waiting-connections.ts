import { Array } from '../../engine/intrinsics.ts'
import type { Heard } from '../events/bursts.ts'
import type { Execution } from '../execution/execution.ts'
import { isConnection, socketOf, type Socket } from '../execution/loopback.ts'
import { noop } from '../execution/native.ts'
import { isCompressor } from './compressors.ts'

/** Who is handed a connection, or what has come by one, waits for his turn: what Node would go on with meanwhile waits as well. */

/** Events by which whoever listens gets that by which more is to come. */
const bringing = new Set<unknown>(['checkContinue', 'checkExpectation', 'connect', 'connection', 'request', 'response', 'secureConnection', 'upgrade'])

/** Events by which he gets a connection, or what has come by it. */
const delivering = new Set<unknown>([...bringing, 'data', 'end', 'readable'])

type Call = (() => void) | undefined

/** What is told: of an event, unless it is a callback. */
type Told = Pick<Heard, 'emitter' | 'event'> | undefined

const behind = (told: Told, args: readonly unknown[], { of }: { readonly of: { has(event: unknown): boolean } }): readonly unknown[] => (told ? (of.has(told.event) ? [told.emitter, ...args] : []) : args)

const connectionsOf = (things: readonly unknown[]): readonly Socket[] => [...new Set(things.map(socketOf).filter((socket) => socket !== undefined && isConnection(socket)))] as Socket[]

/** More is not read before. What is returned is to be called by the step that takes it. */
export function readingWaits(execution: Execution, told: Told, args: readonly unknown[]): Call {
  const { heldReading, loopback } = execution.foreign
  const connections = connectionsOf(behind(told, args, { of: bringing }))
  for (const socket of connections) loopback.takes(socket)
  const held = connections.map((socket) => heldReading.waitsFor(socket))
  return held.length === 0 ? undefined : () => held.forEach((goOn) => goOn())
}

/** Connections do not end before, nor does a stream that compresses and has given this. What is returned is to be called at the end of the step that takes it. */
export function endsWait(execution: Execution, told: Told, args: readonly unknown[]): Call {
  const { lateEnds, loopback } = execution.foreign
  const by = behind(told, args, { of: delivering })
  const sockets = connectionsOf(by)
  const ends = Array.from(sockets, (socket) => (socket.writable ? lateEnds.waitsFor(socket) : noop))
  const over = [...ends, ...by.filter(isCompressor).map((stream) => lateEnds.waitsFor(stream))]
  if (over.length === 0) return undefined
  return () => {
    // What the other side does once it has an answer to its end is due to this.
    if (sockets.length > 0) execution.outside.reach(loopback.connectionsOf(sockets))
    for (const isOver of over) isOver()
  }
}

export const bothOf = (one: Call, other: Call): Call =>
  one && other
    ? () => {
        one()
        other()
      }
    : (one ?? other)
