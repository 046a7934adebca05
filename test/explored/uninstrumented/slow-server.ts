import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that takes a while to store what it is sent, and none to remove it all. */
export class SlowServer {
  readonly stored: string[] = []
  readonly #server = createServer((request, response) => {
    request.resume()
    if (request.method === 'PUT') setTimeout(() => this.#answer(request, response), 1200)
    else this.#answer(request, response)
  })

  #answer({ method, url }: IncomingMessage, response: ServerResponse): void {
    if (method === 'PUT') this.stored.push(url!)
    if (method === 'DELETE') this.stored.length = 0
    response.end()
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
