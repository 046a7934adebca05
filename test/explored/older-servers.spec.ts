import { stat } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createRawServer, connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

let stock = 5
let closed = 0
const sell: RequestListener = async (request, response) => {
  response.on('close', () => closed++)
  if (request.url === '/never') return
  const before = stock
  await stat('.')
  stock = before - 1
  response.end(String(stock))
}

const portOf = (server: { address(): AddressInfo | string | null }): number => (server.address() as AddressInfo).port
const ask = async (server: Server, path = ''): Promise<string> => (await fetch(`http://127.0.0.1:${portOf(server)}${path}`)).text()

const server = createServer(sell)
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => {
  server.close(resolve)
  server.closeAllConnections()
}))

describe.each(['event-loop', 'await'] as const)('what a server from before the test calls is explored, by %s', (interleave) => {
  test('requests race', async () => {
    const { seen, verdict } = await outcomes(async () => {
      await Promise.all([ask(server), ask(server)])
      return stock
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['3', '4'], verdict: 'holds' })
  })

  test('one request after the other', async () => {
    const { seen, verdict } = await outcomes(async () => {
      await ask(server)
      await ask(server)
      return stock
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['3'], verdict: 'holds' })
  })

  test('what one execution leaves unanswered is unknown to the next', async () => {
    const { seen, verdict, executions } = await outcomes(async () => {
      let reads = 0
      void ask(server, '/never').catch(() => {})
      await Promise.all([1, 2].map(async () => {
        await null
        const before = reads
        await null
        reads = before + 1
      }))
      return [reads, closed, stock]
    }, { interleave: 'await' })
    expect(executions).toBeGreaterThan(1)
    expect({ seen, verdict }).toEqual({ seen: ['[1,0,5]', '[2,0,5]'], verdict: 'holds' })
  })
})

describe('what comes by connections from before the test is explored', () => {
  let count = 0
  const clients: Socket[] = []
  const talking = createServer().on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: counting\r\n\r\n')
    socket.on('data', async () => {
      const before = count
      await stat('.')
      count = before + 1
      socket.write('counted')
    })
  })
  const connected = async (): Promise<Socket> => {
    const client = connect(portOf(talking), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: counting\r\n\r\n')
    await new Promise((resolve) => void client.once('data', resolve))
    return client
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => void talking.listen(0, '127.0.0.1', resolve))
    for (let i = 0; i < 2; i++) clients.push(await connected())
  })
  afterAll(() => {
    for (const client of clients) client.destroy()
    talking.close()
  })
  const tell = (client: Socket): Promise<unknown> =>
    new Promise((resolve) => {
      client.once('data', resolve)
      client.write('count')
    })

  test.each(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    const together = await outcomes(async () => {
      await Promise.all(clients.map(tell))
      return count
    }, { interleave })
    expect(together).toMatchObject({ seen: ['1', '2'], verdict: 'holds' })
    const afterAnother = await outcomes(async () => {
      for (const client of clients) await tell(client)
      return count
    }, { interleave })
    expect(afterAnother).toMatchObject({ seen: ['2'], verdict: 'holds' })
  })

  test('those of an execution end with it, also where only a listener would end them', async () => {
    const { verdict } = await explore(async () => {
      const client = await connected()
      await tell(client)
      client.destroy()
    })
    expect(verdict).toBe('holds')
    expect(await new Promise((resolve) => talking.getConnections((_, open) => resolve(open)))).toBe(2)
  })
})

test('the server serves others as before', async () => {
  await explore(() => ask(server))
  expect(server.listeners('request')).toEqual([sell])
  expect(await ask(server)).toBe('4')
  stock = 5
})

test('what other servers call is named, as it runs in no step', async () => {
  const raw = createRawServer(function greet(socket) {
    socket.end('hello')
  })
  await new Promise<void>((resolve) => void raw.listen(0, '127.0.0.1', resolve))
  try {
    const { served } = await explore(() => new Promise((resolve) => void connect(portOf(raw), '127.0.0.1').on('close', resolve).resume()))
    expect(served).toEqual(['greet'])
    const { served: withoutAny } = await explore(async () => void (await null))
    expect(withoutAny).toEqual([])
  } finally {
    raw.close()
  }
})
