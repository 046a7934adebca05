import { checkAtomic } from './atomic.ts'
import type { LocationId } from '../ids.ts'
import { lookAt } from './looking.ts'
import { ABSENT } from '../observation/look.ts'
import { Told, type Operation, type Run } from './operations.ts'

/** What can be done with a map inside `atomic`; all but `set`, `delete` and `clear` in the invariant too. */
export interface MapNow<K, V> {
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  get(key: K): V | undefined
  has(key: K): boolean
  keys(): K[]
  size(): number
}

/**
 * A map that threads share. Each key has a location of its own for its value, and there is one for the order of the keys.
 * By `equivalence: 'observation'`, changes of the value of one key commute until somebody sees which came last; keys that come and
 * go commute, by `'trace'` too, until somebody sees their order.
 */
export class KeyedMap<K, V> {
  readonly name: string
  readonly now: MapNow<K, V>
  readonly #run: Run

  constructor(run: Run, name: string, { location, initial }: { readonly location: LocationId; readonly initial: Iterable<readonly [K, V]> }) {
    this.name = name
    this.#run = run
    const entries = new Map(initial)
    const entry = (key: K): LocationId => run.entry(location, checkedKey(run, name, key))
    const { search } = run
    this.now = {
      set(key, value) {
        checkAtomic(run, `${name}.set()`)
        search.assign(entry(key), 0, value)
        search.insert(location, 0, key)
        entries.set(key, value)
      },
      delete(key) {
        checkAtomic(run, `${name}.delete()`)
        search.assign(entry(key), 0, ABSENT)
        search.remove(location, 0, key)
        entries.delete(key)
      },
      clear() {
        checkAtomic(run, `${name}.clear()`)
        // Which keys there are is seen; a driver that knows all keys there may ever be could do without.
        search.read(location, 0, 'size')
        for (const key of entries.keys()) search.assign(entry(key), 0, ABSENT)
        search.clear(location)
        entries.clear()
      },
      get(key) {
        lookAt(run, entry(key), { look: 'value', call: `${name}.get()` })
        return entries.get(key)
      },
      has(key) {
        lookAt(run, entry(key), { look: 'presence', call: `${name}.has()` })
        return entries.has(key)
      },
      keys() {
        lookAt(run, location, { look: 'order', call: `${name}.keys()` })
        return [...entries.keys()]
      },
      size() {
        lookAt(run, location, { look: 'size', call: `${name}.size()` })
        return entries.size
      },
    }
  }

  /** Gives the key a value; a new key comes last. */
  set(key: K, value: V): Operation<void> {
    return new Told(this.#run, () => this.now.set(key, value), { fixed: false, label: `${this.name}.set(...)` })
  }

  delete(key: K): Operation<void> {
    return this.#operation('delete(...)', () => this.now.delete(key))
  }

  /** Removes all keys. */
  clear(): Operation<void> {
    return new Told(this.#run, () => this.now.clear(), { fixed: false, label: `${this.name}.clear()` })
  }

  get(key: K): Operation<V | undefined> {
    return this.#operation('get(...)', () => this.now.get(key))
  }

  has(key: K): Operation<boolean> {
    return this.#operation('has(...)', () => this.now.has(key))
  }

  /** All keys, in the order in which they came. */
  keys(): Operation<K[]> {
    return this.#operation('keys()', () => this.now.keys())
  }

  size(): Operation<number> {
    return this.#operation('size()', () => this.now.size())
  }

  #operation<Result>(call: string, body: () => Result): Operation<Result> {
    return new Told(this.#run, body, { fixed: true, label: `${this.name}.${call}` })
  }
}

function checkedKey<K>(run: Run, name: string, key: K): K {
  if ((typeof key !== 'object' && typeof key !== 'function' && typeof key !== 'symbol') || key === null) return key
  return run.refuse(`a key of ${name} is ${typeof key === 'object' ? 'an object' : `a ${typeof key}`}: give a string, a number or another primitive value`)
}
