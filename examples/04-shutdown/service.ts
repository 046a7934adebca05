import { Mutex } from './mutex.ts'

/** Takes orders into a queue and books them into a ledger. */
export class Service {
  readonly booked: string[] = []
  readonly #queueLock = new Mutex()
  readonly #ledgerLock = new Mutex()
  #queue: string[] = []

  async order(item: string): Promise<void> {
    await this.#queueLock.lock()
    this.#queue.push(item)
    this.#queueLock.unlock()
  }

  /** Books what is in the queue. */
  async flush(): Promise<void> {
    await this.#queueLock.lock()
    await this.#ledgerLock.lock()
    await this.#book(this.#queue)
    this.#queue = []
    this.#ledgerLock.unlock()
    this.#queueLock.unlock()
  }

  /** Keeps other writers from the ledger first, then books what is left. */
  async shutdown(): Promise<void> {
    await this.#ledgerLock.lock()
    await this.#queueLock.lock()
    await this.#book([...this.#queue, 'closed'])
    this.#queue = []
    this.#queueLock.unlock()
    this.#ledgerLock.unlock()
  }

  /** Stands for a write to a database. */
  async #book(items: readonly string[]): Promise<void> {
    this.booked.push(...items)
  }
}
