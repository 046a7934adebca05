import asyncHooks from 'node:async_hooks'
import buffer from 'node:buffer'
import crypto from 'node:crypto'
import channels from 'node:diagnostics_channel'
import events from 'node:events'
import readline from 'node:readline'
import stream from 'node:stream'
import timersPromises from 'node:timers/promises'
import util from 'node:util'
import v8 from 'node:v8'
import vm from 'node:vm'
import threads from 'node:worker_threads'
import { makeOpaque } from './opaque.js'

/** What bodies can use by name, besides the globals: made anew for every execution. */
export function scope(): Readonly<Record<string, unknown>> {
  return { opaque: makeOpaque(), events, EventEmitter: events.EventEmitter, stream, nodeCrypto: crypto, nodeBuffer: buffer, nodeChannels: channels, nodeUtil: util, nodeV8: v8, nodeVm: vm, nodeThreads: threads, nodeAsyncHooks: asyncHooks, nodeReadline: readline, timersPromises }
}
