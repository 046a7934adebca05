import { Object, Reflect } from '../../engine/intrinsics.ts'
import { asThreadIsDone, inLikeCase } from '../events/bursts.ts'
import type { Execution } from '../execution/execution.ts'
import { afterMacrotask, inTick } from '../execution/native.ts'
import { isInstance } from '../execution/proxies.ts'
import { besideSteps, running } from '../execution/running.ts'
import type { Fn } from './handler.ts'

/**
 * Streams of `node:zlib`. In a plain run a thread works for them, and how much of what they give comes in one go depends on when it is done. Here each chunk
 * is worked on at once: what comes is the same, and comes in the same pieces in every execution.
 */

const zlib = globalThis.process?.getBuiltinModule?.('node:zlib')
const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks')

/** Of all streams that compress, or the reverse. */
const compressing = zlib && Reflect.getPrototypeOf(Reflect.getPrototypeOf(zlib.Deflate.prototype as object) as object)

export const isCompressor = (value: unknown): value is object => compressing !== undefined && compressing !== null && isInstance(value, compressing)

/** By which Node has a chunk worked on. */
interface Handle {
  write: Fn
  readonly writeSync: Fn
  /** Is called by the platform with what has gone wrong. */
  readonly onerror: Fn
}

/** None once it is closed. */
const handleOf = (stream: object): Handle | undefined => (Reflect.get(stream, '_handle') as Handle | null | undefined) ?? undefined

/** What Node has the thread call when a chunk is done, on the handle. */
let done: Fn | undefined

function whatIsCalled(): Fn | undefined {
  const handle = handleOf(zlib!.createDeflate())
  const prototype = (handle && Reflect.getPrototypeOf(handle)) as { init?: Fn } | null | undefined
  const init = prototype?.init
  if (!init) return undefined
  let called: Fn | undefined
  prototype.init = function (...args) {
    called = args.find((arg): arg is Fn => typeof arg === 'function')
    return Reflect.apply(init, this, args) as unknown
  }
  try {
    zlib!.createDeflate()
  } finally {
    prototype.init = init
  }
  return called
}

/** The body has made such a stream. */
export function followCompressor(execution: Execution, stream: object): void {
  execution.foreign.compresses(stream)
  const handle = handleOf(stream)
  done ??= besideSteps(whatIsCalled)
  if (!handle || !done || !hooks) return
  const { foreign } = execution
  const context = new hooks.AsyncResource('ZLIB')
  const value = function (...args: unknown[]): void {
    '__dpor'
    const error = workAtOnce(handle, args)
    const tell = (): void => {
      if (!foreign.isClosed) context.runInAsyncScope(error ? handle.onerror : done!, handle, ...(error ?? []))
    }
    // What is written between steps belongs to what came then; a step is over before it hears of what it has written.
    if (running === null) return inTick(inLikeCase(tell))
    foreign.expects()
    afterMacrotask(() => {
      asThreadIsDone(tell)
      foreign.came()
    })
  }
  Object.defineProperty(handle, 'write', { value, configurable: true, writable: true })
}

/** Returns what is to be told if that goes wrong. */
function workAtOnce(handle: Handle, args: readonly unknown[]): unknown[] | undefined {
  const { onerror } = handle
  let error: unknown[] | undefined
  Reflect.set(handle, 'onerror', (...told: unknown[]) => void (error = told))
  try {
    Reflect.apply(handle.writeSync, handle, args as never[])
  } finally {
    Reflect.set(handle, 'onerror', onerror)
  }
  return error
}
