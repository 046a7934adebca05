import type { QueueClient } from './queue-client.ts'

/** Sends the mails that stand in a queue. */
export class Mailer {
  readonly sent: string[]
  readonly #queue: QueueClient

  constructor(queue: QueueClient, sent: string[]) {
    this.#queue = queue
    this.sent = sent
  }

  /** Sends the first one, and only then takes it out of the queue. */
  async sendNext(): Promise<void> {
    const mail = await this.#queue.peek('mails')
    if (mail === null) return
    this.sent.push(mail)
    await this.#queue.remove('mails', mail)
  }
}
