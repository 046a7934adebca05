import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http'

const kept = new Agent({ keepAlive: true })

/** Asks a server; code that is not instrumented listens to what it answers, and calls back at the end. */
export function ask(port: number, done: (text: string) => void, { keepsConnection = false } = {}): void {
  get({ port, host: '127.0.0.1', agent: keepsConnection ? kept : false }, (response) => {
    let text = ''
    response.on('data', (chunk: Buffer) => {
      text += String(chunk)
    })
    response.on('end', () => done(text))
  })
}

/** A server; code that is not instrumented listens to what it is asked. */
export function serve(answer: (response: ServerResponse) => void): Server {
  const server = createServer()
  server.on('request', (_, response) => answer(response))
  return server
}
