import http from 'node:http'
import { Duplex } from 'node:stream'

/** Answers each request with what its path says, in this process, as libraries do that stand in the place of servers. */
class Answering extends Duplex {
  override _write(request: Buffer, _encoding: string, done: () => void): void {
    const [, path = ''] = String(request).split(' ')
    done()
    queueMicrotask(() => this.push(`HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}`))
  }
  override _read(): void {}
}

class Answers extends http.Agent {
  // What Node asks for a connection.
  override createConnection = (): never => new Answering() as never
}

/** Shows what was found last, whatever was asked for last. */
export async function searchBy(box: { shown: string }, query: string): Promise<void> {
  box.shown = await new Promise<string>((found, failed) => {
    const request = http.request({ path: query, agent: new Answers() }, (response) => {
      let text = ''
      response.on('data', (part) => (text += String(part)))
      response.on('end', () => found(text))
    })
    request.on('error', failed)
    request.end()
  })
}
