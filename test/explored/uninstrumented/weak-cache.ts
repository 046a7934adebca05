import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** What is no longer needed is gone. */
export const reclaimMemory = runInNewContext('gc') as () => void

/** A cache that lets go of what nobody else needs, of code that is not instrumented. */
export class WeakCache {
  readonly #entries = new Map<string, WeakRef<object>>()

  /** Whether it was there. */
  has(key: string): boolean {
    return this.#entries.get(key)?.deref() !== undefined
  }

  fill(key: string): void {
    this.#entries.set(key, new WeakRef({ key }))
  }
}

let held: object | undefined = {}

/** Refers to what nobody else has once it is let go. */
export const older = new WeakRef(held)

export function letGo(): void {
  held = undefined
}
