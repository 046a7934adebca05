import { once } from 'node:events'
import { Agent, createServer, get, type RequestListener, type Server } from 'node:http'
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

type Ask = (url: string) => Promise<string>

const askedBy = (agent: Agent | false): Ask => (url) =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })

const clients: Record<string, Ask> = {
  'fetch': async (url) => (await fetch(url)).text(),
  'fetch, read as JSON': async (url) => JSON.stringify(await (await fetch(`${url}.json`)).json()),
  'http.get': askedBy(false),
  // Node takes it away from a response that is over.
  'http.get, by connections that are kept': askedBy(new Agent({ keepAlive: true })),
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const answer: RequestListener = ({ url }, response) => {
  const last = url!.slice(1, 2)
  response.end(url!.endsWith('.json') ? JSON.stringify(last) : last)
}

/** Which of two is answered first. */
async function orderOf(ask: Ask, url: string): Promise<string> {
  const answered: string[] = []
  await Promise.all(['a', 'b'].map(async (path) => void answered.push((await ask(`${url}/${path}`)).replaceAll('"', ''))))
  return answered.join('')
}

describe.each(Object.keys(clients))('answers of a server in the same process come in any order: %s', (name) => {
  const ask = clients[name]!

  test('of the test itself', async () => {
    const { seen } = await outcomes(async () => {
      const server = createServer(answer)
      server.listen(0)
      await once(server, 'listening')
      try {
        return await orderOf(ask, urlOf(server))
      } finally {
        server.close()
      }
    }, { interleave: 'event-loop' })
    expect(seen).toEqual(['"ab"', '"ba"'])
  })

  describe('that is older', () => {
    const older = createServer(answer)
    beforeAll(() => new Promise<void>((resolve) => void older.listen(0, resolve)))
    afterAll(() => new Promise((resolve) => void older.close(resolve)))

    test('than the test', async () => {
      const { seen } = await outcomes(() => orderOf(ask, urlOf(older)), { interleave: 'event-loop' })
      expect(seen).toEqual(['"ab"', '"ba"'])
    })
  })
})

test('what two connections bring comes in any order, whatever is done with what has come', async () => {
  const { seen } = await outcomes(async () => {
    const log: string[] = []
    const sink = (): Writable => new Writable({ write: (chunk, _, done) => { log.push(String(chunk)); done() } })
    const server = createNetServer((socket) => void socket.on('data', (chunk) => { sink().write(chunk); socket.end() }))
    server.listen(0)
    await once(server, 'listening')
    const joined = async (): Promise<Socket> => {
      const socket = connect((server.address() as AddressInfo).port)
      await once(socket, 'connect')
      return socket
    }
    const [one, other] = [await joined(), await joined()]
    one.write('a')
    other.write('b')
    one.resume()
    other.resume()
    await Promise.all([once(one, 'close'), once(other, 'close')])
    server.close()
    return log.join('')
  }, { interleave: 'event-loop' })
  expect(seen).toEqual(['"ab"', '"ba"'])
})

test('a write that waits for a reader of the same process holds up nothing', async () => {
  const started = Date.now()
  const { seen } = await outcomes(async () => {
    let got = 0
    const server = createNetServer((socket) => {
      socket.pause()
      setTimeout(() => void socket.on('data', ({ length }) => (got += length)).resume(), 1_500)
    })
    server.listen(0)
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port)
    client.resume().end(Buffer.alloc(2 ** 22))
    await once(client, 'close')
    server.close()
    return got
  }, { interleave: 'event-loop' })
  expect(seen).toEqual([String(2 ** 22)])
  expect(Date.now() - started).toBeLessThan(15_000)
}, 30_000)
