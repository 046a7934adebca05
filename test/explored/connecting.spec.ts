import { once } from 'node:events'
import { readFile } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createDeflateRaw } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { besidePlain, outcomes } from './uninstrumented/outcomes.ts'

/** Asks a server of its own, by a port; gives what has been noted. */
async function asked(takes: (socket: Socket, note: (what: string) => void) => void, asks: (port: number, note: (what: string) => void) => Promise<unknown>): Promise<string> {
  const notes: string[] = []
  const note = (what: string): void => void notes.push(what)
  const server = createServer((socket) => takes(socket, note))
  server.listen(0)
  await once(server, 'listening')
  await asks((server.address() as AddressInfo).port, note)
  server.close()
  return notes.join(' ')
}

/** Waits until the other side has ended the connection as well. */
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve, reject) => socket.resume().on('error', reject).on('close', resolve))

const bodies: Readonly<Record<string, () => Promise<string>>> = {
  'who waits for the connection is told before what was written': () =>
    asked((socket) => socket.end(), (port, note) => {
      const client = connect(port, '127.0.0.1')
      client.on('connect', () => note('connected'))
      client.write('a', () => note('written'))
      return closed(client)
    }),
  'what is written once the first chunk is comes with that': () =>
    asked((socket, note) => socket.on('data', (chunk) => note(String(chunk))).on('end', () => socket.end()), (port) => {
      const client = connect(port, '127.0.0.1')
      client.write('a', () => client.end('b'))
      return closed(client)
    }),
  'so does what an immediate sends': () =>
    asked((socket, note) => socket.on('data', (chunk) => note(String(chunk))).on('end', () => socket.end()), (port) => {
      const client = connect(port, '127.0.0.1')
      client.write('a', () => setImmediate(() => client.end('b')))
      return closed(client)
    }),
  'a request has sent all before its server gets a part': () =>
    asked((socket, note) => {
      socket.on('data', (chunk) => {
        note(String(chunk).endsWith('\r\n3\r\nabc\r\n0\r\n\r\n') ? 'all' : 'a part')
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
      })
    }, (port, note) => new Promise((resolve, reject) => {
      const sent = request({ port, agent: false, method: 'POST', headers: { 'transfer-encoding': 'chunked' } }, (response) => void response.resume().on('end', resolve))
      sent.on('error', reject)
      sent.write('abc', () => sent.end(() => note('sent')))
    })),
}

describe("a connection that is there is one step, by 'event-loop'", () => {
  test.each(Object.keys(bodies))('%s', async (name) => {
    const { plain, seen, verdict } = await besidePlain(bodies[name]!)
    expect(seen).toEqual([plain])
    expect(verdict).toBe('holds')
  })
})

test.each(['event-loop', 'await'] as const)("the callback of a write is a step: who looks at what it changes may come before, by '%s'", async (interleave) => {
  const body = (): Promise<string> =>
    asked((socket) => socket.resume().on('end', () => socket.end()), async (port, note) => {
      const [client, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
      client.write('a', () => note('a'))
      other.write('b', () => note('b'))
      for (const one of [client, other]) one.end()
      await Promise.all([closed(client), closed(other)])
    })
  const { seen } = await outcomes(body, { interleave })
  expect(seen).toEqual(['"a b"', '"b a"'])
})

test('in the plain order a connection that ends does so before a thread has worked on what it has brought', async () => {
  const body = (): Promise<string> =>
    asked((socket) => socket.resume().end('a'), async (port, note) => {
      const client = connect(port, '127.0.0.1')
      const stream = createDeflateRaw()
      client.on('end', () => note('ended')).on('close', () => note('closed'))
      const worked = new Promise<void>((resolve) => {
        client.on('data', (chunk) => {
          stream.write(chunk)
          stream.flush(() => {
            note('worked')
            resolve()
          })
        })
      })
      await Promise.all([closed(client), worked])
    })
  const plain = await outcomes(body, { interleave: 'event-loop', maxExecutions: 1 })
  expect(plain.seen).toEqual(['"ended closed worked"'])
  const { seen } = await outcomes(body, { interleave: 'event-loop' })
  expect(seen).toContain('"worked ended closed"')
})

/** Reads a file, of which it tells. */
const reads = (note: (what: string) => void): Promise<void> =>
  new Promise((resolve) => {
    readFile(import.meta.filename, () => {
      note('file')
      resolve()
    })
  })

/** Sends a request to a server of its own in two parts; gives what has been noted, by who reads a file as well. */
async function inParts(takes: (note: (what: string) => void) => Parameters<typeof createHttpServer>[1] & {}): Promise<string> {
  const notes: string[] = []
  const note = (what: string): void => void notes.push(what)
  const server = createHttpServer(takes(note))
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answered = new Promise((resolve, reject) => {
    const sent = request({ port, agent: false, method: 'POST' }, (response) => void response.resume().on('end', resolve))
    sent.on('error', reject).write('a')
    sent.on('socket', (socket) => socket.on('connect', () => setImmediate(() => setImmediate(() => sent.end('b')))))
  })
  await Promise.all([answered, reads(note)])
  server.close()
  return notes.join(' ')
}

describe("what comes by a connection comes after who is handed that, by 'event-loop'", () => {
  const cases: Readonly<Record<string, { readonly body: () => Promise<string>; readonly orders: readonly string[] }>> = {
    'something else may come between a connection and its data': {
      body: () =>
        asked((socket, note) => {
          note('connection')
          socket.on('data', () => {
            note('data')
            socket.end()
          })
        }, (port, note) => {
          const client = connect(port, '127.0.0.1')
          client.end('a')
          return Promise.all([closed(client), reads(note)])
        }),
      orders: ['connection data file', 'connection file data', 'file connection data'],
    },
    'so may it where nobody listens to the connection yet when it comes': {
      body: async () => {
        const notes: string[] = []
        const server = createServer()
        server.listen(0)
        await once(server, 'listening')
        const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
        client.end('a')
        const served = once(server, 'connection').then(([socket]: Socket[]) => {
          notes.push('connection')
          socket!.on('data', () => {
            notes.push('data')
            socket!.end()
          })
        })
        await Promise.all([served, closed(client), reads((what) => void notes.push(what))])
        server.close()
        return notes.join(' ')
      },
      orders: ['connection data file', 'connection file data', 'file connection data'],
    },
    'and between a request and what comes of it later': {
      body: () =>
        inParts((note) => (asking, response) => {
          note('request')
          asking.on('data', (chunk) => note(String(chunk))).on('end', () => response.end())
        }),
      orders: ['file request a b', 'request a b file', 'request a file b'],
    },
    'an immediate that is set meanwhile comes before the data': {
      body: () =>
        asked((socket, note) => {
          setImmediate(() => note('immediate'))
          socket.on('data', () => {
            note('data')
            socket.end()
          })
        }, (port) => {
          const client = connect(port, '127.0.0.1')
          client.end('a')
          return closed(client)
        }),
      orders: ['immediate data'],
    },
  }
  test.each(Object.keys(cases))('%s', async (name) => {
    const { body, orders } = cases[name]!
    expect(orders).toContain(await body())
    const { seen, verdict } = await outcomes(body, { interleave: 'event-loop' })
    expect(seen).toEqual(orders.map((order) => JSON.stringify(order)))
    expect(verdict).toBe('holds')
  })
})

test('nobody waits for a server that has taken a connection and is done with it', async () => {
  const body = async (): Promise<number> => {
    const server = createServer((socket) => void socket.destroy())
    server.listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let count = 0
    for (let i = 0; i < 5; i++) {
      const client = connect(port, '127.0.0.1')
      client.on('connect', () => client.write('a')).on('error', () => {})
      await once(client.resume(), 'close').catch(() => {})
      count++
    }
    server.close()
    return count
  }
  const { seen, verdict } = await outcomes(body, { interleave: 'event-loop', maxExecutions: 1, maxTime: 1_500 })
  expect({ seen, verdict }).toMatchObject({ seen: ['5'] })
})
