interface SnapshotClient {
  getSnapshotState(file: string): object
}

let client: SnapshotClient | undefined

export function knowSnapshotsOf(runner: { readonly snapshotClient?: unknown }): void {
  client = runner.snapshotClient as SnapshotClient | undefined
}

/** What Vitest keeps of the snapshots of a file. `expect` knows that only within a test, and an exploration begins before it. */
export function snapshotStateOf(file: string): object | undefined {
  try {
    return client?.getSnapshotState(file)
  } catch {
    // Nobody has set any up.
    return undefined
  }
}
