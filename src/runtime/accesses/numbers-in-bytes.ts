import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { asNumber, readBytes, writeBytes, type Bytes } from './bytes.ts'
import type { Range } from './elements.ts'
import { beforeChange } from './telling.ts'

interface NumberAccess {
  readonly view: Bytes
  /** All bytes, where it is not known which. */
  readonly range: Range | undefined
  /** What is written; undefined of a look. */
  readonly written?: { readonly value: unknown } | undefined
  readonly site: SiteId
}

/** Runs a method that reads or writes a number at an offset: `getUint16`, `writeInt32LE`. */
export function accessNumber(execution: Execution, { view, range, written, site }: NumberAccess, run: () => unknown): unknown {
  const key = { kind: 'byte', offset: range?.start ?? 0 } as const
  if (written) {
    beforeChange(execution, view)
    const result = run()
    asNumber(execution, view, { key, value: () => written.value }, () => writeBytes(execution, view, site, range))
    return result
  }
  asNumber(execution, view, { key, value: () => (range ? unlessItThrows(run) : undefined) }, () => readBytes(execution, view, site, range))
  return run()
}

function unlessItThrows(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}
