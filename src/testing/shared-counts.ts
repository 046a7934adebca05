const fs = globalThis.process?.getBuiltinModule?.('node:fs')

/** What is counted. `'time is up'`: not zero once no time for explorations is left. */
type Counted = 'executions' | 'explored tests' | 'cut tests' | 'files' | 'begun files' | 'ended files' | `${'first' | 'typical'} files` | `milliseconds of ${'first' | 'typical'} files` | 'time is up'

/** Counts that the workers of a run keep together: each is a file that has as many bytes, in one folder. */
export class SharedCounts {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  add(counted: Counted, count = 1): void {
    if (count > 0) fs?.appendFileSync(this.#fileOf(counted), '.'.repeat(count))
  }

  of(counted: Counted): number {
    return fs?.statSync(this.#fileOf(counted), { throwIfNoEntry: false })?.size ?? 0
  }

  /** When that was counted last. Milliseconds since the epoch, as `nativeNow` has them; undefined: never. */
  lastChange(counted: Counted): number | undefined {
    return fs?.statSync(this.#fileOf(counted), { throwIfNoEntry: false })?.mtimeMs
  }

  #fileOf(counted: Counted): string {
    return `${this.#folder}/${counted}`
  }
}
