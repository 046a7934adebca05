import type { QueueClient } from './queue-client.ts'

/** Sends the mails that stand in a queue. */
export class Mailer {
  readonly sent: string[]
  readonly #queue: QueueClient

  constructor(queue: QueueClient, sent: string[]) {
    this.#queue = queue
    this.sent = sent
  }

  /** Whoever takes the first one sends it. */
  async sendNext(): Promise<void> {
    const mail = await this.#queue.receive('mails')
    if (mail === null) return
    this.sent.push(mail)
  }
}
