/** Names that differ from execution to execution would start it anew without end. */
const mostRestarts = 64

/**
 * Properties of the platform's own objects, and methods that an object has from the platform. That nobody changes or hides
 * one is taken for granted until somebody does; then the exploration starts anew, and every look at a property of this name
 * is told, wherever it is found.
 */
export class FixedMethods {
  #isTrusting: boolean
  readonly #isReplaying: boolean
  readonly #changed = new Set<PropertyKey>()

  /** The same as of `BornKeys`. */
  constructor({ isTrusting, isReplaying = false }: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.#isTrusting = isTrusting
    this.#isReplaying = isReplaying
  }

  beginExecution(): void {
    if (this.#isReplaying) this.#changed.clear()
  }

  isFixed(name: PropertyKey): boolean {
    return this.#isTrusting && (this.#changed.size === 0 || !this.#changed.has(name))
  }

  /** Somebody changes one. True: that nobody does had been taken for granted, and the exploration has to start anew. */
  change(name: PropertyKey): boolean {
    if (!this.isFixed(name)) return false
    this.#changed.add(name)
    if (this.#isReplaying) return false
    if (this.#changed.size >= mostRestarts) this.#isTrusting = false
    return true
  }
}
