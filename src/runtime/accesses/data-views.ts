import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import { isInstance } from '../execution/proxies.ts'
import type { Range } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { accessNumber } from './numbers-in-bytes.ts'
import { isObject } from './telling.ts'

/** `getUint16(offset)` and `setUint16(offset, value)`. */
function accessing(method: Fn, name: string): Handler {
  const size = Number(/\d+$/.exec(name)![0]) / 8
  const isLook = name.startsWith('get')
  return (execution, receiver, args, site) => {
    if (!isInstance(receiver, DataView.prototype)) return Reflect.apply(method, receiver, args)
    const range = isObject(args[0]) ? undefined : rangeAt(args[0], size)
    return accessNumber(execution, { view: receiver, range, written: isLook ? undefined : { value: args[1] }, site }, () => Reflect.apply(method, receiver, args))
  }
}

function rangeAt(offset: unknown, size: number): Range {
  const start = Math.trunc(Number(offset)) || 0
  return { start, end: start + size }
}

export function dataViewHandlers(): [Fn, Handler][] {
  const methods = DataView.prototype as unknown as Record<string, Fn>
  const names = Object.getOwnPropertyNames(methods).filter((name) => /^[gs]et\D+\d+$/.test(name))
  return names.map((name) => [methods[name]!, accessing(methods[name]!, name)])
}
