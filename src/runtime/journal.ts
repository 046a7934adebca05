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

  /** After a call of an older mock was added to the lists in which the mock keeps its calls: takes it off again. */
  lastCall(mock: object, lists: Readonly<Record<string, unknown>>): void {
    if (this.#saved.has(mock)) return
    this.#saved.add(mock)
    for (const list of Object.values(lists)) {
      if (!Array.isArray(list)) continue
      const before = list.length - 1
      this.#undo.push(() => {
        list.length = Math.min(list.length, Math.max(0, before))
      })
    }
  }

  /** Before the internal state of an old object changes, such as the listeners of an EventEmitter. */
  state(object: object): void {
    if (this.#saved.has(object)) return
    this.#saved.add(object)
    const undo = stateOf(object)
    if (undo) this.#undo.push(undo)
    else this.#failed.push(`the state of ${article(object.constructor.name)}`)
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

/** Puts the state back as it is now; undefined where that cannot be done. */
function stateOf(object: object): (() => void) | undefined {
  if (object instanceof Date) {
    const time = object.getTime()
    return () => object.setTime(time)
  }
  if (object instanceof URLSearchParams) {
    const entries = [...object]
    return () => {
      for (const key of new Set(object.keys())) object.delete(key)
      for (const [key, value] of entries) object.append(key, value)
    }
  }
  if ('_events' in object && typeof object._events === 'object') return listenersOf(object as NodeEmitter)
  return undefined
}

/** What Node's EventEmitter keeps its listeners in. */
interface NodeEmitter {
  _events: Record<PropertyKey, unknown> | undefined
  _eventsCount: number
}

function listenersOf(emitter: NodeEmitter): () => void {
  const { _events: events, _eventsCount: count } = emitter
  const copy = Object.assign(Object.create(null) as Record<PropertyKey, unknown>, events)
  for (const key of Reflect.ownKeys(copy)) if (Array.isArray(copy[key])) copy[key] = [...(copy[key] as unknown[])]
  return () => {
    emitter._events = copy
    emitter._eventsCount = count
  }
}

function article(name: string): string {
  return /^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`
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
  if (ArrayBuffer.isView(collection)) {
    const view = collection as Uint8Array
    const elements = view.slice()
    return () => view.set(elements)
  }
  const array = collection as unknown[]
  const items = array.slice()
  return () => {
    array.length = 0
    for (const [index, item] of items.entries()) if (index in items) array[index] = item
    array.length = items.length
  }
}
