import { Array, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { detach } from './array-buffers.ts'
import { isBuffer } from './bytes.ts'
import type { Fn, Handler } from './handler.ts'
import { nameNew } from './new-graphs.ts'
import { readDeep } from './whole.ts'

/** Looks at all that the value leads to; takes the bytes of the buffers that are handed over. */
export function cloneThrough(execution: Execution, native: Fn, args: unknown[], site: SiteId): unknown {
  const [value, options] = args
  readDeep(execution, value, site)
  const transfer = (options as { transfer?: unknown } | undefined)?.transfer
  if (Array.isArray(transfer)) for (const part of transfer) if (isBuffer(part)) detach(execution, part, site)
  const copy: unknown = Reflect.apply(native, undefined, args)
  nameNew(execution, copy)
  return copy
}

const nativeClone = globalThis.structuredClone as Fn | undefined

const clone: Handler = (execution, _receiver, args, site) => cloneThrough(execution, nativeClone!, args, site)

export function structuredCloneHandlers(): [Fn, Handler][] {
  return nativeClone ? [[nativeClone, clone]] : []
}
