import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { besidePlain } from './uninstrumented/outcomes.ts'

const good = 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'
const bad = 'no request\r\n\r\n'

/** What a client gets that sends this at once, while something else is under way. */
async function answerTo(sent: string, handler: RequestListener, prepare: (server: Server) => void = () => {}): Promise<string> {
  const server = createServer(handler)
  prepare(server)
  server.listen(0)
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(sent)
  let got = ''
  client.on('data', (chunk) => (got += String(chunk)))
  await Promise.all([once(client, 'close'), stat('.')])
  server.close()
  return [...got.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status).join(' ')
}

const bodies: Readonly<Record<string, () => Promise<string>>> = {
  'has the response if that is sent at once': () => answerTo(good + bad, (_, response) => response.end('ok')),
  'has both responses': () => answerTo(good + good + bad, (_, response) => response.end('ok')),
  'is told of the error if the response takes its time': () =>
    answerTo(good + bad, async (_, response) => {
      await stat('.')
      response.end('ok')
    }),
  'is told of it even if the response takes but a microtask': () =>
    answerTo(good + bad, async (_, response) => {
      await null
      response.end('ok')
    }),
  'has both if a listener says so': () =>
    answerTo(good + bad, (_, response) => response.end('ok'), (server) => server.on('clientError', (_, socket) => void socket.end('HTTP/1.1 418\r\n\r\n'))),
  'is told of the error alone where that comes first': () => answerTo(bad, (_, response) => response.end('ok')),
}

describe("a client that sends something that is no request, by 'event-loop'", () => {
  test.each(Object.keys(bodies))('%s', async (name) => {
    const { plain, seen, verdict } = await besidePlain(bodies[name]!)
    expect(seen).toEqual([plain])
    expect(verdict).toBe('holds')
  })
})
