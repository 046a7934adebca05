/** Which parts of what were saved before they changed: only the first change needs that. */
export class SavedParts {
  #parts: Map<unknown, Set<unknown>> | undefined
  /** A loop mostly changes one part. */
  #lastOwner: unknown
  #lastPart: unknown

  /** Whether any part of it was saved. */
  has(owner: unknown): boolean {
    return this.#parts?.has(owner) === true
  }

  /** Whether the part was not saved so far; from now on it is. */
  add(owner: unknown, part: unknown): boolean {
    if (this.#parts !== undefined && owner === this.#lastOwner && part === this.#lastPart) return false
    this.#lastOwner = owner
    this.#lastPart = part
    const all = (this.#parts ??= new Map())
    let parts = all.get(owner)
    if (!parts) all.set(owner, (parts = new Set()))
    if (parts.has(part)) return false
    parts.add(part)
    return true
  }
}
