const activeHandles = '_getActiveHandles'

/** What Node keeps its event loop alive for, as far as it has an object: connections, servers, other processes. To ask for it takes its time. */
export function openHandles(): readonly object[] {
  return (globalThis.process as unknown as { [activeHandles]?: () => object[] } | undefined)?.[activeHandles]?.() ?? []
}

export const openNow = (): WeakSet<object> => new WeakSet(openHandles())

/** What was open before an execution, but for what counts as of it. */
export class OlderHandles {
  readonly #open: WeakSet<object>
  readonly #taken = new WeakSet<object>()

  constructor(open: WeakSet<object>) {
    this.#open = open
  }

  wasOpen(open: object): boolean {
    return this.#open.has(open)
  }

  has(open: object): boolean {
    return this.wasOpen(open) && !this.#taken.has(open)
  }

  /** From now on it counts as of the execution. Returns as what: undefined where it is none of these. */
  take(open: object): 'process' | 'connection' | 'pipe' | undefined {
    if (!this.has(open)) return undefined
    this.#taken.add(open)
    if ('spawnfile' in open) return 'process'
    return 'remotePort' in open && open.remotePort !== undefined ? 'connection' : 'pipe'
  }
}

/** Whether another process runs that was started since. */
export const runsProcessSince = (older: OlderHandles): boolean => openHandles().some((open) => 'spawnfile' in open && !older.has(open))
