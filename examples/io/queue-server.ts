import { createServer, type Server, type Socket } from 'node:net'
import type { TestProject } from 'vitest/node'

/** What a client asks, one a line; `id` numbers what it has asked. */
interface Request {
  readonly id: number
  readonly command: 'send' | 'peek' | 'receive' | 'remove' | 'clear' | 'waits' | 'giveUp'
  readonly queue: string
  readonly message?: string
}

interface Waiting {
  readonly queue: string
  readonly answer: (message: string | null) => void
}

/** A message queue, as small as one can be: queues by name, and clients that wait for a message. */
export class QueueServer {
  readonly #queues = new Map<string, string[]>()
  #waiting: Waiting[] = []
  readonly #server: Server = createServer((socket) => this.#serve(socket))

  listen(): Promise<number> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port)))
  }

  close(): void {
    this.#server.close()
  }

  #serve(socket: Socket): void {
    let text = ''
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        const request = JSON.parse(line) as Request
        this.#answer(request, (value) => socket.write(`${JSON.stringify({ id: request.id, value })}\n`))
      }
    })
  }

  #answer({ command, queue, message }: Request, answer: (value: unknown) => void): void {
    const messages = this.#queues.get(queue) ?? []
    this.#queues.set(queue, messages)
    switch (command) {
      case 'send': {
        const first = this.#waiting.findIndex((one) => one.queue === queue)
        if (first < 0) messages.push(message!)
        else this.#waiting.splice(first, 1)[0]!.answer(message!)
        return answer(null)
      }
      case 'peek':
        return answer(messages[0] ?? null)
      case 'receive':
        if (messages.length > 0) return answer(messages.shift())
        this.#waiting.push({ queue, answer })
        return
      case 'remove':
        this.#queues.set(queue, messages.filter((one) => one !== message))
        return answer(null)
      case 'clear':
        this.#queues.clear()
        return answer(null)
      case 'waits':
        return answer(this.#waiting.some((one) => one.queue === queue))
      case 'giveUp':
        for (const one of this.#waiting) if (one.queue === queue) one.answer(null)
        this.#waiting = this.#waiting.filter((one) => one.queue !== queue)
        return answer(null)
    }
  }
}

/** One for the examples. */
export default async function start(project: TestProject): Promise<() => void> {
  const server = new QueueServer()
  project.provide('queue' as never, (await server.listen()) as never)
  return () => server.close()
}
