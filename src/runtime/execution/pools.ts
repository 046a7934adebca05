const NodeBuffer = globalThis.Buffer as typeof Buffer | undefined

/** Whether a view may be one of the small Buffers that Node cuts out of one piece of memory, with which they share nothing else. */
export function mayBePooled(view: ArrayBufferView): boolean {
  return NodeBuffer !== undefined && NodeBuffer.isBuffer(view) && view.buffer.byteLength === NodeBuffer.poolSize
}
