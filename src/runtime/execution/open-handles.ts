const activeHandles = '_getActiveHandles'

/** What Node keeps its event loop alive for, as far as it has an object: connections, servers, other processes. To ask for it takes its time. */
export function openHandles(): readonly object[] {
  return (globalThis.process as unknown as { [activeHandles]?: () => object[] } | undefined)?.[activeHandles]?.() ?? []
}

export const openNow = (): WeakSet<object> => new WeakSet(openHandles())

/** Whether another process runs that was started since. */
export const runsProcessSince = (older: WeakSet<object>): boolean => openHandles().some((open) => 'spawnfile' in open && !older.has(open))
