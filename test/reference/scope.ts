import crypto from 'node:crypto'
import events from 'node:events'
import stream from 'node:stream'
import { makeOpaque } from './opaque.js'

/** What bodies can use by name, besides the globals: made anew for every execution. */
export function scope(): Readonly<Record<string, unknown>> {
  return { opaque: makeOpaque(), events, EventEmitter: events.EventEmitter, stream, nodeCrypto: crypto }
}
