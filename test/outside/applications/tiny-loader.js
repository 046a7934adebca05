const settled = Promise.resolve()

/** Loads what was asked for within one tick at once, and keeps it. */
export class Loader {
  #load
  #cache = new Map()
  #batch
  constructor(load) {
    this.#load = load
  }
  load(key) {
    let promise = this.#cache.get(key)
    if (!promise) this.#cache.set(key, (promise = this.#ask(key)))
    return promise
  }
  clear(key) {
    this.#cache.delete(key)
  }
  #ask(key) {
    if (!this.#batch) {
      const batch = { keys: [], callbacks: [] }
      this.#batch = batch
      settled.then(() => process.nextTick(() => this.#dispatch(batch)))
    }
    const { keys, callbacks } = this.#batch
    keys.push(key)
    return new Promise((resolve) => callbacks.push(resolve))
  }
  #dispatch({ keys, callbacks }) {
    this.#batch = undefined
    this.#load(keys).then((values) => callbacks.forEach((resolve, i) => resolve(values[i])))
  }
}
