/** Changes to state that is older than the execution, to be undone before the next one. */
export class Journal {
  readonly #undo: (() => void)[] = []
  readonly #saved = new WeakSet<object>()
  readonly #failed: string[] = []

  /** Before a property of an old object changes. */
  property(object: object, key: PropertyKey): void {
    const before = Object.getOwnPropertyDescriptor(object, key)
    this.#undo.push(() => {
      const done = before ? Reflect.defineProperty(object, key, before) : Reflect.deleteProperty(object, key)
      if (!done) this.#failed.push(String(key))
    })
  }

  /** Before anything in an old Map, Set or array changes; the first time saves all of it. */
  contents(collection: object): void {
    if (this.#saved.has(collection)) return
    this.#saved.add(collection)
    this.#undo.push(copyOf(collection))
  }

  /** Any other change. */
  change(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Undoes everything, last change first; returns the names of what could not be undone. */
  undo(): readonly string[] {
    for (let i = this.#undo.length - 1; i >= 0; i--) this.#undo[i]!()
    this.#undo.length = 0
    return this.#failed
  }
}

function copyOf(collection: object): () => void {
  if (collection instanceof Map) {
    const entries = [...collection]
    return () => {
      Map.prototype.clear.call(collection)
      for (const [key, value] of entries) Map.prototype.set.call(collection, key, value)
    }
  }
  if (collection instanceof Set) {
    const values = [...collection]
    return () => {
      Set.prototype.clear.call(collection)
      for (const value of values) Set.prototype.add.call(collection, value)
    }
  }
  const array = collection as unknown[]
  const items = array.slice()
  return () => {
    array.length = 0
    for (const [index, item] of items.entries()) if (index in items) array[index] = item
    array.length = items.length
  }
}
