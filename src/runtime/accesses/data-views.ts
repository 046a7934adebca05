import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Range } from './elements.ts'
import { readBytes, writeBytes } from './bytes.ts'
import type { Fn, Handler } from './handler.ts'
import { beforeChange } from './telling.ts'

/** `getUint16(offset)` and `setUint16(offset, value)`. */
function accessing(method: Fn, name: string): Handler {
  const size = Number(/\d+$/.exec(name)![0]) / 8
  const isLook = name.startsWith('get')
  return (execution, receiver, args, site) => {
    if (!(receiver instanceof DataView)) return Reflect.apply(method, receiver, args)
    const start = Math.trunc(Number(args[0])) || 0
    const range: Range = { start, end: start + size }
    if (isLook) readBytes(execution, receiver, site, range)
    else beforeChange(execution, receiver)
    const result: unknown = Reflect.apply(method, receiver, args)
    if (!isLook) writeBytes(execution, receiver, site, range)
    return result
  }
}

export function dataViewHandlers(): [Fn, Handler][] {
  const methods = DataView.prototype as unknown as Record<string, Fn>
  const names = Object.getOwnPropertyNames(methods).filter((name) => /^[gs]et\D+\d+$/.test(name))
  return names.map((name) => [methods[name]!, accessing(methods[name]!, name)])
}
