import { Agent, createServer, get, request } from 'node:http'
import { Socket, type AddressInfo, type SocketConstructorOpts } from 'node:net'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { searchBy } from './instrumented/answering-requests.ts'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

test.each(['await', 'event-loop'] as const)("requests of node:http that this process answers are answered in any order, interleave: '%s'", async (interleave) => {
  const searches = async () => {
    const box = { shown: '' }
    await Promise.all([searchBy(box, '/a'), searchBy(box, '/ab')])
    return box.shown
  }
  expect((await outcomesOf({ tasks: [searches] }, { interleave })).outcomes).toEqual(['["/a"]', '["/ab"]'])
})

test('a request gets its answer where somebody listens to its connection', async () => {
  const { verdict } = await explore(async () => {
    const server = createServer((_, response) => void response.end('answer'))
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    await new Promise<void>((resolve) => {
      const asked = request({ port: (server.address() as AddressInfo).port }, (response) => void response.resume().on('end', resolve))
      asked.on('socket', (socket) => void socket.on('connect', () => {})).end()
    })
    await new Promise((resolve) => void server.close(resolve))
  }, { interleave: 'event-loop' })
  expect(verdict).toBe('holds')
})

/** A connection as libraries make that answer requests themselves: its handle tells of another end, and was never connected. */
function played(answer: () => Promise<string>): Socket {
  const { TCP, constants } = (process as unknown as { binding: (name: string) => { TCP: new (type: number) => object; constants: { SOCKET: number } } }).binding('tcp_wrap')
  const getpeername = (found: object): number => (Object.assign(found, { address: '10.0.0.1', port: 80, family: 'IPv4' }), 0)
  const handle = Object.assign(new TCP(constants.SOCKET), { getpeername, readStart: () => 0, readStop: () => 0 })
  const socket: Socket = new Socket({
    handle,
    read: () => {},
    write: (_: unknown, __: unknown, done: () => void) => {
      done()
      void answer().then((text) => socket.push(text) && socket.push(null))
    },
  } as SocketConstructorOpts)
  return socket
}

test('nobody elsewhere is asked by a connection that the program plays: its timers fire without a wait', async () => {
  const { verdict } = await explore(async () => {
    const answer = async (): Promise<string> => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => void setTimeout(resolve, 10))
      return 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
    }
    const agent = Object.assign(new Agent(), { createConnection: () => played(answer) })
    await new Promise<void>((resolve) => void get({ host: 'played.test', agent }, (response) => void response.resume().on('end', resolve)))
  }, { interleave: 'event-loop', maxTime: 3000 })
  expect(verdict).toBe('holds')
})
