import { Mutex } from './mutex.ts'

/** Takes orders into a queue and books them into a ledger. */
export class Service {
  readonly booked: string[] = []
  readonly #queueLock = new Mutex()
  readonly #ledgerLock = new Mutex()
  #queue: string[] = []
  #isOpen = true

  async order(item: string): Promise<void> {
    if (!this.#isOpen) throw new Error('closed')
    await this.#queueLock.run(async () => {
      this.#queue.push(item)
    })
  }

  /** Books what is in the queue. */
  async flush(): Promise<void> {
    await this.#queueLock.run(() =>
      this.#ledgerLock.run(async () => {
        await this.#book(this.#queue)
        this.#queue = []
      }),
    )
  }

  /** Takes the locks in the order of `flush`: first the queue, then the ledger. */
  async shutdown(): Promise<void> {
    this.#isOpen = false
    await this.#queueLock.run(() =>
      this.#ledgerLock.run(async () => {
        await this.#book([...this.#queue, 'closed'])
        this.#queue = []
      }),
    )
  }

  /** Stands for a write to a database. */
  async #book(items: readonly string[]): Promise<void> {
    this.booked.push(...items)
  }
}
