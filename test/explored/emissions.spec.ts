import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { on, once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, request, ServerResponse, type RequestListener, type RequestOptions } from 'node:http'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { MessageChannel as Channel } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { counting, outcomes, type Outcomes } from './uninstrumented/outcomes.ts'

type Log = (line: string) => void

/** A socket that a server writes to. */
async function connected(serve: (socket: Socket) => void): Promise<{ readonly socket: Socket; readonly server: Server }> {
  const server = createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return { socket: connect(port, '127.0.0.1'), server }
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()))

const end = (socket: Socket): void => void socket.end('x')

/** All listeners of one emission run before anything that waits for a microtask, whatever they are. */
const bodies: Record<string, (log: Log) => Promise<void>> = {
  'a listener, then a promise of `once`, of a port': async (log) => {
    const { port1, port2 } = new Channel()
    port2.on('message', () => log('heard'))
    port1.postMessage(1)
    await once(port2, 'message')
    log('after')
    port1.close()
  },
  'a promise of `once`, then a listener, of a port': async (log) => {
    const { port1, port2 } = new Channel()
    const message = once(port2, 'message')
    port2.on('message', () => log('heard'))
    port1.postMessage(1)
    await message
    log('after')
    port1.close()
  },
  'what settles a promise, then a listener, of a port': async (log) => {
    const { port1, port2 } = new Channel()
    const message = new Promise((resolve) => port2.once('message', resolve))
    port2.on('message', () => log('heard'))
    port1.postMessage(1)
    await message
    log('after')
    port1.close()
  },
  'two listeners of a port in the global class': async (log) => {
    const { port1, port2 } = new MessageChannel()
    port2.addEventListener('message', () => void Promise.resolve().then(() => log('microtask')))
    port2.addEventListener('message', () => log('heard'))
    port2.start()
    port1.postMessage(1)
    await once(port2, 'message')
    log('after')
    port1.close()
  },
  'a listener that removes itself, with messages that have come': async (log) => {
    const { port1, port2 } = new Channel()
    const first = (value: number): void => {
      log(`first ${value}`)
      port2.off('message', first)
    }
    port2.on('message', first)
    port2.on('message', (value) => log(`heard ${value}`))
    for (const value of [1, 2, 3]) port1.postMessage(value)
    await new Promise((resolve) => setTimeout(resolve, 20))
    port1.close()
  },
  'one that puts another in its place': async (log) => {
    const { port1, port2 } = new Channel()
    port2.on('message', function first(value: number) {
      log(`first ${value}`)
      port2.off('message', first)
      port2.on('message', (next) => log(`second ${next}`))
      port2.once('message', (next) => log(`once ${next}`))
    })
    for (const value of [1, 2, 3]) port1.postMessage(value)
    await new Promise((resolve) => setTimeout(resolve, 20))
    port1.close()
  },
  'all listeners are removed': async (log) => {
    const { port1, port2 } = new Channel()
    port2.on('message', (value) => {
      log(`first ${value}`)
      port2.removeAllListeners('message')
    })
    for (const value of [1, 2, 3]) port1.postMessage(value)
    await new Promise((resolve) => setTimeout(resolve, 20))
    port1.close()
  },
  'a bound listener after another': async (log) => {
    const { port1, port2 } = new Channel()
    port2.on('message', () => log('heard'))
    port2.on('message', log.bind(null, 'bound'))
    port1.postMessage(1)
    await once(port2, 'message')
    port1.close()
  },
  'what settles a promise, then a listener, of a socket': async (log) => {
    const { socket, server } = await connected(end)
    const data = new Promise((resolve) => socket.once('data', resolve))
    socket.on('data', () => log('heard'))
    await data
    log('after')
    await closed(server)
  },
  'a promise of `once`, then a listener, of a socket': async (log) => {
    const { socket, server } = await connected(end)
    const data = once(socket, 'data')
    socket.on('data', () => log('heard'))
    await data
    log('after')
    await closed(server)
  },
  'an iterator that another event closes': async (log) => {
    const { socket, server } = await connected((other) => {
      other.write('x')
      setTimeout(() => other.end('y'), 5)
    })
    const taken = (async () => {
      for await (const [data] of on(socket, 'data', { close: ['end'] } as object) as AsyncIterable<[Buffer]>) log(`taken: ${data.toString()}`)
    })()
    socket.on('data', () => log('heard'))
    await taken
    await closed(server)
  },
  'what comes bit by bit, and is listened to anew each time': async (log) => {
    const bits = ['x', 'y', 'z']
    const { socket, server } = await connected((other) => other.on('data', () => void (bits.length > 0 ? other.write(bits.shift()!) : other.end())))
    void (async () => {
      for (let i = 0; i < 4; i++) {
        await readFile(fileURLToPath(import.meta.url))
        socket.write('go on')
      }
    })()
    for (let i = 0; i < 3; i++) log(String(await once(socket, 'data')))
    await once(socket, 'close')
    await closed(server)
  },
  'a listener that goes before those of what has come already': async (log) => {
    const [receiver, sender] = [createSocket('udp4'), createSocket('udp4')]
    for (const socket of [receiver, sender]) {
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
    }
    const { port } = receiver.address()
    receiver.on('message', () => log('heard'))
    receiver.once('message', () => void receiver.prependListener('message', () => log('before')))
    const second = new Promise((resolve) => {
      receiver.once('message', () => void receiver.once('message', resolve))
    })
    for (const packet of ['x', 'y']) sender.send(packet, port, '127.0.0.1')
    await second
    for (const socket of [receiver, sender]) socket.close()
  },
  'ticks and microtasks of the first listener': async (log) => {
    const { socket, server } = await connected(end)
    socket.on('data', () => {
      log('first')
      process.nextTick(() => log('tick'))
      void Promise.resolve().then(() => log('microtask'))
    })
    socket.on('data', () => log('second'))
    socket.on('end', () => log('end'))
    await once(socket, 'close')
    await closed(server)
  },
  'a stream that another is piped into': async (log) => {
    const { socket, server } = await connected(end)
    const through = new PassThrough()
    socket.on('data', () => {
      log('first')
      void Promise.resolve().then(() => log('microtask'))
    })
    socket.pipe(through)
    through.on('data', () => log('second'))
    await new Promise((resolve) => void through.on('end', resolve))
    log('after')
    await closed(server)
  },
  'what settles a promise, then a listener, of a process': async (log) => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    const exit = new Promise((resolve) => void child.on('exit', resolve))
    child.on('exit', () => log('heard'))
    await exit
    log('after')
  },
  'what settles a promise, then a listener, of a file': async (log) => {
    const stream = createReadStream(fileURLToPath(import.meta.url), { end: 9 })
    const data = new Promise((resolve) => void stream.once('data', resolve))
    stream.on('data', () => log('heard'))
    await data
    log('after')
    await once(stream, 'close')
  },
}

describe.for(Object.entries(bodies))('%s', ([, body]) => {
  const logging = async (): Promise<string[]> => {
    const lines: string[] = []
    await body((line) => void lines.push(line))
    return lines
  }

  test.for(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    const plain = JSON.stringify(await logging())
    const { seen, verdict } = await outcomes(logging, { interleave })
    expect(verdict).toBe('holds')
    if (interleave === 'event-loop') expect(seen).toEqual([plain])
    else expect(seen).toContain(plain)
  })
})

describe('who talks to a process gets its answers', () => {
  const talking = async (): Promise<string[]> => {
    const lines: string[] = []
    const cat = spawn('cat')
    let heard = (_: string): void => {}
    cat.stdout.on('data', (data: Buffer) => heard(data.toString()))
    const ask = (text: string): Promise<string> =>
      new Promise((resolve) => {
        heard = resolve
        cat.stdin.write(text)
      })
    for (const text of ['x', 'y']) lines.push(await ask(text))
    cat.stdin.end()
    await once(cat, 'close')
    return lines
  }

  test.for(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    expect(await outcomes(talking, { interleave, maxTime: 5000 })).toMatchObject({ verdict: 'holds', seen: ['["x","y"]'] })
  })
})

describe('lines of a process are steps, whether they come in one piece or in two', () => {
  test.for(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    const isFirst = counting(1)
    const reading = async (): Promise<string[]> => {
      const lines: string[] = []
      const child = spawn(process.execPath, ['-e', isFirst() ? `console.log('x\\ny')` : `console.log('x'); setTimeout(() => console.log('y'), 30)`])
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line)
        queueMicrotask(() => void lines.push(`after ${line}`))
      })
      await once(child, 'close')
      return lines
    }
    const { seen, verdict } = await outcomes(reading, { interleave, reproduce: 3, maxTime: 5000 })
    expect(verdict).toBe('holds')
    if (interleave === 'event-loop') expect(seen).toEqual(['["x","after x","y","after y"]'])
  })
})

test('no other listener is called once one has thrown', async () => {
  const isFirstCall = counting(1)
  const { failures } = await explore(async () => {
    const { socket } = await connected(end)
    socket.on('data', () => {
      throw new Error('thrown by a listener')
    })
    socket.on('data', () => void isFirstCall())
    await once(socket, 'close')
  })
  expect(failures[0]?.error).toMatchObject({ message: 'thrown by a listener' })
  expect(isFirstCall()).toBe(true)
})

test('what a listener is handed may have ended before it is called', async () => {
  const { verdict } = await explore(async () => {
    const server = createHttpServer().on('upgrade', (_, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { readonly port: number }
    const asked = request({ port, headers: { Connection: 'Upgrade', Upgrade: 'echo' } })
    const upgraded = new Promise<Socket>((resolve) => void asked.on('upgrade', (_, socket) => resolve(socket)))
    asked.end()
    const socket = await upgraded
    socket.resume()
    socket.end()
    await once(socket, 'close')
    await closed(server)
  })
  expect(verdict).toBe('holds')
})

/** What a client hears of a request of this kind, where the server's listener for it goes once another request has been answered. */
const heardOf = (event: 'checkContinue' | 'checkExpectation' | 'connect' | 'upgrade', options: RequestOptions): Promise<Outcomes> =>
  outcomes(async () => {
    const heard = (_: unknown, answer: Socket | ServerResponse): void => void answer.end(answer instanceof ServerResponse ? 'heard' : 'HTTP/1.1 101 Heard\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    const server = createHttpServer((_, response) => void response.end('plain')).on(event, heard)
    const other = createHttpServer((_, response) => void response.end())
    const [port, otherPort] = [server, other].map((one) => (one.listen(0).address() as { readonly port: number }).port)
    const answer = new Promise<string>((resolve) => {
      const met = (_: unknown, socket: Socket): void => {
        socket.destroy()
        resolve('met')
      }
      const asked = request({ port, agent: false, ...options })
      asked.on('error', () => resolve('lost')).on('upgrade', met).on('connect', met).end()
      asked.on('response', (response) => void response.setEncoding('utf8').on('data', (text) => resolve(`${response.statusCode} ${text}`)).on('end', () => resolve(`${response.statusCode}`)))
    })
    await new Promise<void>((resolve) => void request({ port: otherPort, agent: false }, (response) => response.resume().on('end', () => resolve())).end())
    server.removeListener(event, heard)
    const told = await answer
    await Promise.all([closed(server), closed(other)])
    return told
  }, { interleave: 'event-loop' })

test.each([
  ['upgrade', { headers: { Connection: 'Upgrade', Upgrade: 'echo' } }, ['200 plain', 'met']],
  ['connect', { method: 'CONNECT' }, ['lost', 'met']],
  ['checkContinue', { headers: { Expect: '100-continue' } }, ['200 heard', '200 plain']],
  ['checkExpectation', { headers: { Expect: 'more' } }, ['200 heard', '417']],
] as const)('Node itself goes on with a request for which nobody listens to %s any more', async (event, options, seen) => {
  expect(await heardOf(event, options)).toMatchObject({ verdict: 'holds', seen: seen.map((one) => JSON.stringify(one)) })
})

describe('what a server answers is due to what was done before it was asked, and not to what was done since', () => {
  const asking = async (serve: (stock: { left: number }) => RequestListener): Promise<void> => {
    const stock = { left: 1 }
    const server = createHttpServer(serve(stock))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { readonly port: number }
    const post = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).text()
    await Promise.all([post(), post()])
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
    if (stock.left !== 0) throw new Error(`${stock.left} left`)
  }

  test.for(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    const buying = (stock: { left: number }): RequestListener => async (_, response) => {
      const { left } = stock
      await null
      if (left > 0) stock.left--
      response.end()
    }
    expect(await explore(() => asking(buying), { interleave })).toMatchObject({ verdict: 'fails', executions: interleave === 'await' ? 3 : 2 })
  })
})

describe('what another adds and removes before a message is told, or after it', () => {
  const heard = (change: (port: InstanceType<typeof Channel>['port2'], first: () => void) => void) => async (): Promise<string[]> => {
    const lines: string[] = []
    const { port1, port2 } = new Channel()
    const first = (): void => void lines.push('first')
    port2.on('message', first)
    port2.on('message', () => void lines.push('second'))
    port1.postMessage(1)
    const changed = readFile(fileURLToPath(import.meta.url)).then(() => change(port2, first))
    await once(port2, 'message')
    await changed
    port1.close()
    return lines
  }

  test.for(['event-loop', 'await'] as const)('by %s', async (interleave) => {
    const removing = await outcomes(heard((port, first) => void port.off('message', first)), { interleave })
    expect(removing.seen).toEqual(['["first","second"]', '["second"]'])
  })
})

test.each(['await', 'event-loop'] as const)("who is told once of what has come still listens to those who are told before, by '%s'", async (interleave) => {
  const { failures, verdict } = await explore(async () => {
    const { socket, server } = await connected(end)
    const counts: number[] = []
    const others = socket.listenerCount('end')
    const ended = new Promise<void>((resolve) => {
      for (const isLast of [false, false, true]) {
        socket.once('end', () => {
          counts.push(socket.listenerCount('end') - others)
          if (isLast) resolve()
        })
      }
    })
    socket.resume()
    await ended
    expect(counts).toEqual([2, 1, 0])
    await closed(server)
  }, { interleave })
  expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
})
