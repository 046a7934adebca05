import { ArrayBuffer } from '../../engine/intrinsics.ts'
import { contentsOf } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { isBytes, noticeView } from './bytes.ts'

/** Objects that are named of one new graph at most. */
const mostObjects = 100_000

/** Names an object that the platform just made, and those that it made inside, to a depth: data that nobody else has seen. */
export function nameNew(execution: Execution, value: unknown, { depth = Infinity }: { readonly depth?: number } = {}): void {
  const visited = new Set<object>()
  let level: unknown[] = [value]
  for (let i = 0; i < depth && level.length > 0; i++) {
    const next: unknown[] = []
    for (const found of level) {
      if (typeof found !== 'object' || found === null || visited.has(found) || visited.size >= mostObjects) continue
      visited.add(found)
      execution.identities.made(found)
      if (isBytes(found)) {
        if (ArrayBuffer.isView(found)) noticeView(execution, found)
      } else if (i + 1 < depth) for (const inner of contentsOf(found)) next.push(inner)
    }
    level = next
  }
}
