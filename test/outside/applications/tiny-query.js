/** A client that keeps what it fetched, one request at a time for each key. */
export class QueryClient {
  #data = new Map()
  #pending = new Map()
  getQueryData(key) {
    return this.#data.get(key)
  }
  setQueryData(key, change) {
    this.#data.set(key, typeof change === 'function' ? change(this.#data.get(key)) : change)
  }
  cancel(key) {
    this.#pending.delete(key)
  }
  fetch(key, query) {
    const running = this.#pending.get(key)
    if (running) return running
    const request = this.#request(key, query, () => this.#pending.get(key) === request)
    this.#pending.set(key, request)
    return request
  }
  async #request(key, query, isCurrent) {
    const data = await query()
    if (!isCurrent()) return this.#data.get(key)
    this.#pending.delete(key)
    this.#data.set(key, data)
    return data
  }
}
