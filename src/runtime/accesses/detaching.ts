import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { changeSize, readBytes, writeBytes } from './bytes.ts'
import { beforeStateChange } from './telling.ts'

/** A buffer is about to lose its bytes, which nothing puts back. */
export function detach(execution: Execution, buffer: ArrayBufferLike, site: SiteId): void {
  beforeStateChange(execution, buffer)
  readBytes(execution, buffer, site)
  writeBytes(execution, buffer, site)
  changeSize(execution, buffer, site)
}
