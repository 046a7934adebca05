import { Array, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { detach } from './detaching.ts'
import { isBuffer } from './bytes.ts'
import type { Fn, Handler } from './handler.ts'
import { nameNew } from './new-graphs.ts'
import { readDeep } from './whole.ts'

/** What is sent is looked at as a whole; buffers that are handed over lose their bytes. */
export function sends(execution: Execution, [value, options]: readonly unknown[], site: SiteId): void {
  readDeep(execution, value, site)
  const transfer = Array.isArray(options) ? options : (options as { transfer?: unknown } | undefined)?.transfer
  if (Array.isArray(transfer)) for (const part of transfer) if (isBuffer(part)) detach(execution, part, site)
}

/** Looks at all that the value leads to; takes the bytes of the buffers that are handed over. */
export function cloneThrough(execution: Execution, native: Fn, args: unknown[], site: SiteId): unknown {
  sends(execution, args, site)
  const copy: unknown = Reflect.apply(native, undefined, args)
  nameNew(execution, copy)
  return copy
}

const nativeClone = globalThis.structuredClone as Fn | undefined

const clone: Handler = (execution, _receiver, args, site) => cloneThrough(execution, nativeClone!, args, site)

export function structuredCloneHandlers(): [Fn, Handler][] {
  return nativeClone ? [[nativeClone, clone]] : []
}
