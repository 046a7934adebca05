import { bufferOf } from './brands.ts'

const NodeBuffer = globalThis.Buffer as typeof Buffer | undefined

/** Whether a view may be one of the small Buffers that Node cuts out of one piece of memory, with which they share nothing else. */
export function mayBePooled(view: ArrayBufferView): boolean {
  return NodeBuffer !== undefined && NodeBuffer.isBuffer(view) && bufferOf(view).byteLength === NodeBuffer.poolSize
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
