/** Names that differ from execution to execution would start it anew without end. */
const mostRestarts = 64

/**
 * Names of properties of which something is taken for granted that is seldom otherwise, until it turns out not to be so. Then
 * the exploration starts anew, and every look at a property of this name is told.
 */
export class TrustedNames {
  #isTrusting: boolean
  readonly #isReplaying: boolean
  readonly #lost = new Set<PropertyKey>()

  /** The same as of `Assumptions`. */
  constructor({ isTrusting, isReplaying = false }: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.#isTrusting = isTrusting
    this.#isReplaying = isReplaying
  }

  beginExecution(): void {
    if (this.#isReplaying) this.#lost.clear()
  }

  has(name: PropertyKey): boolean {
    return this.#isTrusting && (this.#lost.size === 0 || !this.#lost.has(name))
  }

  /** Those of which it is known not to be so. */
  get lost(): Iterable<PropertyKey> {
    return this.#lost
  }

  get hasLost(): boolean {
    return this.#lost.size > 0 || !this.#isTrusting
  }

  /** It is not so of this name. True: it had been taken for granted, and the exploration has to start anew. */
  lose(name: PropertyKey): boolean {
    if (!this.has(name)) return false
    this.#lost.add(name)
    if (this.#isReplaying) return false
    if (this.#lost.size >= mostRestarts) this.#isTrusting = false
    return true
  }
}
