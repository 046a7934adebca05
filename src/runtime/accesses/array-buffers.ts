import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { rangeOf } from './array-looks.ts'
import { changeSize, isBuffer, readBytes, writeBytes } from './bytes.ts'
import { detach } from './detaching.ts'
import type { Fn, Handler } from './handler.ts'
import { beforeChange, isObject } from './telling.ts'

const slicing = (method: Fn): Handler => (execution, receiver, args, site) => {
  if (!isBuffer(receiver)) return Reflect.apply(method, receiver, args)
  // What has to be made a number is asked once, by the platform.
  readBytes(execution, receiver, site, args.some(isObject) ? undefined : rangeOf(args[0], args[1], receiver.byteLength))
  return madeBuffer(execution, Reflect.apply(method, receiver, args))
}

/** `resize` and `grow`. */
const resizing = (method: Fn): Handler => (execution, receiver, args, site) => {
  if (!isBuffer(receiver)) return Reflect.apply(method, receiver, args)
  const before = receiver.byteLength
  beforeChange(execution, receiver)
  writeBytes(execution, receiver, site, isObject(args[0]) ? undefined : { start: Number(args[0]), end: before })
  const result: unknown = Reflect.apply(method, receiver, args)
  changeSize(execution, receiver, site)
  return result
}

/** The bytes go to a new buffer; the old one has none any more. */
const transferring = (method: Fn): Handler => (execution, receiver, args, site) => {
  if (!isBuffer(receiver)) return Reflect.apply(method, receiver, args)
  detach(execution, receiver, site)
  return madeBuffer(execution, Reflect.apply(method, receiver, args))
}

function madeBuffer(execution: Execution, result: unknown): unknown {
  if (isObject(result)) execution.identities.made(result)
  return result
}

/** What the methods of ArrayBuffer and SharedArrayBuffer access. */
export function arrayBufferHandlers(): [Fn, Handler][] {
  const makers: Record<string, (method: Fn) => Handler> = {
    slice: slicing,
    resize: resizing,
    grow: resizing,
    transfer: transferring,
    transferToFixedLength: transferring,
  }
  // Typed arrays of a context of its own make buffers of its own.
  const prototypes = [...new Set([ArrayBuffer.prototype, Reflect.getPrototypeOf(new Uint16Array().buffer)]), globalThis.SharedArrayBuffer?.prototype] as unknown as (Record<string, Fn | undefined> | undefined)[]
  return prototypes.flatMap((methods) =>
    Object.entries(makers).flatMap(([name, make]): [Fn, Handler][] => {
      const method = methods?.[name]
      return method ? [[method, make(method)]] : []
    }),
  )
}
