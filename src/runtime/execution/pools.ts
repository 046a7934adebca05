import { bufferOf, widthOf } from './brands.ts'

const NodeBuffer = globalThis.Buffer as typeof Buffer | undefined

/** Whether a view may be one of the small Buffers that Node cuts out of one piece of memory, with which they share nothing else. */
export function mayBePooled(view: ArrayBufferView): boolean {
  // Node takes less than half of it for each; with 24 it is as large as what a stream reads from a file at once, which is memory of its own.
  return NodeBuffer !== undefined && NodeBuffer.isBuffer(view) && bufferOf(view).byteLength === NodeBuffer.poolSize && widthOf(view) <= NodeBuffer.poolSize / 2
}

/** Pools that were there when an execution began. */
const older = new WeakSet<ArrayBufferLike>()
/** Of the last of them: what Node had not given away by then. */
let free: { readonly pool: ArrayBufferLike; readonly start: number } | undefined

/** An execution begins: what Node gives away from now on is new. */
export function markPool(): void {
  if (!NodeBuffer) return
  const { buffer, byteOffset } = NodeBuffer.allocUnsafe(1)
  older.add(buffer)
  free = { pool: buffer, start: byteOffset }
}

/** Whether a byte of a pool was given away in this execution: where in the pool that is depends on what ran before. */
export function isGivenSince(pool: ArrayBufferLike, offset: number): boolean {
  return pool === free?.pool ? offset >= free.start : !older.has(pool)
}
