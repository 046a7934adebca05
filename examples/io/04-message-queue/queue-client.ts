import { connect, type Socket } from 'node:net'

/** A connection to a message queue, as a package would have it. */
export class QueueClient {
  readonly #socket: Socket
  readonly #waiting = new Map<number, (value: unknown) => void>()
  #asked = 0

  constructor(port: number) {
    let text = ''
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        const { id, value } = JSON.parse(line) as { id: number; value: unknown }
        this.#waiting.get(id)!(value)
        this.#waiting.delete(id)
      }
    })
  }

  /** Puts a message at the end of a queue. */
  send(queue: string, message: string): Promise<void> {
    return this.ask('send', queue, message) as Promise<void>
  }

  /** The first message, which stays where it is. */
  peek(queue: string): Promise<string | null> {
    return this.ask('peek', queue) as Promise<string | null>
  }

  /** Takes the first message, and waits for one if there is none. */
  receive(queue: string): Promise<string | null> {
    return this.ask('receive', queue) as Promise<string | null>
  }

  /** Takes a message out of a queue. */
  remove(queue: string, message: string): Promise<void> {
    return this.ask('remove', queue, message) as Promise<void>
  }

  /** Asks the server anything. */
  ask(command: string, queue: string, message?: string): Promise<unknown> {
    return new Promise((resolve) => {
      this.#waiting.set(++this.#asked, resolve)
      this.#socket.write(`${JSON.stringify({ id: this.#asked, command, queue, message })}\n`)
    })
  }

  close(): void {
    this.#socket.end()
  }
}
