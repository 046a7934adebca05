import { Array, ArrayBuffer, Math, Reflect } from '../../engine/intrinsics.ts'
import { saveBytes, writeBytes } from '../accesses/bytes.ts'
import { register } from '../accesses/registry.ts'
import { callPlatform } from '../accesses/invoke.ts'
import { memoryOf } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import type { AnyFunction } from './timers.ts'

/** Random numbers of the platform, which are the same whenever a schedule runs again. Who wants an answer later by a callback gets it from Node. */

const nextOf = (execution: Execution): number => execution.random.next(execution.process.id)

/** Of bytes that nobody here has seen, such as the pool of a package, the package knows how many it has used. */
function saveSeen(execution: Execution, view: ArrayBufferView): void {
  if (execution.identities.isOwn(view)) saveBytes(execution, view)
}

function fillSeen(execution: Execution, view: ArrayBufferView, part?: { readonly start: number; readonly end: number | undefined }): void {
  execution.random.fill(execution.process.id, memoryOf(view), part)
  writeBytes(execution, view, execution.call?.site ?? 0)
}

/** `crypto.getRandomValues(array)`. */
export function valuesFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, array: ArrayBufferView) {
    if (running === null) return Reflect.apply(native, globalThis.crypto, [array])
    saveSeen(running, array)
    fillSeen(running, array)
    return array
  }
}

/** `getRandomValues` of the module, which it gives by a getter: instrumented code calls the controlled one. */
const { getRandomValues } = globalThis.process?.getBuiltinModule?.('node:crypto') ?? {}
if (getRandomValues) {
  const controlled = valuesFunction(getRandomValues as AnyFunction)
  register([[getRandomValues as AnyFunction, (_, receiver, args) => Reflect.apply(controlled, receiver, args)]])
}

/** `crypto.randomUUID()`. */
export function uuidFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    if (running === null) return Reflect.apply(native, globalThis.crypto, args)
    const bytes = new Uint8Array(16)
    running.random.fill(running.process.id, bytes)
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
}

/** Who has given a callback gets the answer from Node, by an event of its own. */
function asksForCallback(args: readonly unknown[]): boolean {
  return typeof args.at(-1) === 'function'
}

/** `crypto.randomBytes(16)` of Node. */
export function bytesFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    if (running !== null && asksForCallback(args)) return callPlatform(running, native, this, args, running.call?.site ?? 0)
    const bytes: unknown = Reflect.apply(native, this, args)
    if (running === null || !(bytes instanceof Uint8Array)) return bytes
    running.random.fill(running.process.id, memoryOf(bytes))
    running.identities.made(bytes)
    return bytes
  }
}

/** `crypto.randomFillSync(buffer, offset, size)` of Node, which counts elements. It tells itself what it changes: nobody looks at what it is given, which may never have been written. */
export function fillFunction(native: AnyFunction): AnyFunction {
  const controlled = function (this: unknown, ...args: unknown[]): unknown {
    const [view, offset = 0, size] = args as [ArrayBufferView, number?, number?]
    const execution = running
    const isSeen = execution !== null && ArrayBuffer.isView(view)
    if (isSeen) saveSeen(execution, view)
    const filled: unknown = Reflect.apply(native, this, args)
    if (!isSeen) return filled
    const width = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1
    fillSeen(execution, view, { start: offset * width, end: size === undefined ? undefined : (offset + size) * width })
    return filled
  }
  register([[controlled, (_, receiver, args) => Reflect.apply(controlled, receiver, args)]])
  return controlled
}

/** `crypto.randomInt(min, max)` of Node. */
export function numberFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    if (running !== null && asksForCallback(args)) return callPlatform(running, native, this, args, running.call?.site ?? 0)
    const found: unknown = Reflect.apply(native, this, args)
    if (running === null || typeof found !== 'number') return found
    const [min, max] = (typeof args[1] === 'number' ? args : [0, args[0]]) as [number, number]
    return min + Math.floor(nextOf(running) * (max - min))
  }
}
