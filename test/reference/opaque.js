// Code that the project does not see: this file is never instrumented. Bodies get it as `opaque`, made
// anew for every execution, so that no state is left over from one to the next.

import { createHash, createSecretKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export function makeOpaque() {
  let count = 0
  let kept
  let state = { value: 0, list: [] }
  const listeners = new Set()
  const cache = new Map()
  const rows = new Map([
    [1, { id: 1, stock: 1, tags: ['a'] }],
    [2, { id: 2, stock: 1, tags: ['b'] }],
  ])
  const store = {
    getState: () => state,
    setState(change) {
      state = { ...state, ...(typeof change === 'function' ? change(state) : change) }
      for (const listener of listeners) listener(state)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  return {
    // State in a closure.
    increment: () => ++count,
    count: () => count,
    keep: (value) => void (kept = value),
    kept: () => kept,
    store,
    cacheGet: (key) => cache.get(key),
    cacheSet: (key, value) => void cache.set(key, value),
    cached(key, make) {
      if (!cache.has(key)) cache.set(key, make())
      return cache.get(key)
    },

    // State of a receiver.
    Counter: class Counter {
      #value = 0
      increment() {
        this.#value++
        return this
      }
      get value() {
        return this.#value
      }
      set value(value) {
        this.#value = value
      }
    },
    makeCounter() {
      let own = 0
      return { increment: () => ++own, value: () => own }
    },
    input: () => {
      let text = ''
      return {
        get value() {
          return text
        },
        set value(next) {
          text = String(next)
        },
      }
    },
    signal(value) {
      return {
        get value() {
          return value
        },
        set value(next) {
          value = next
        },
      }
    },

    // What is handed over.
    setProperty: (object, key, value) => void (object[key] = value),
    getProperty: (object, key) => object[key],
    push: (list, item) => list.push(item),
    // oxlint-disable-next-line no-array-sort -- in place: that is the point
    sort: (list) => list.sort(),
    total: (list) => list.reduce((sum, item) => sum + item, 0),
    describe: (value) => JSON.stringify(value),
    merge: (target, source) => Object.assign(target, source),
    deepSet(object, path, value) {
      const last = path.at(-1)
      let inner = object
      for (const key of path.slice(0, -1)) inner = inner[key]
      inner[last] = value
    },

    // Callbacks.
    call: (callback, ...args) => callback(...args),
    invoke: (object, name, args = []) => object[name](...args),
    twice(callback) {
      callback()
      return callback()
    },
    each(list, callback) {
      for (const item of list) callback(item)
    },
    debounced(callback) {
      let last
      return (value) => {
        last = value
        return callback(last)
      }
    },

    // What comes out of it.
    row: (id) => rows.get(id),
    rows: () => [...rows.values()],
    rowCopy: (id) => structuredClone(rows.get(id)),
    freshRow: (id) => ({ id, stock: 1, tags: ['a'] }),
    query: async (id) => rows.get(id),
    // By real I/O, which ends outside any step.
    readRow: async (id) => (await readFile(import.meta.filename), rows.get(id)),
    queryFresh: async (id) => ({ id, stock: 1, tags: ['a'] }),
    table: () => ({ first: rows.get(1), all: [...rows.values()], byId: rows }),
    clone: (value) => structuredClone(value),
    parse: (text) => JSON.parse(text),
    fail(message) {
      throw new Error(message)
    },
    error: (message) => Object.assign(new Error(message), { code: 0 }),
    list: (...items) => items,
    asyncValue: async (value) => value,
    // oxlint-disable-next-line no-thenable -- as query builders have it
    builder: { then: (resolve) => resolve(count) },
    hash: () => createHash('sha256'),
    key: (text) => createSecretKey(Buffer.from(text)),
    func: () => {
      const made = () => made.calls++
      made.calls = 0
      return made
    },
  }
}
