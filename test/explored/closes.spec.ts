import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { createReadStream, readFile } from 'node:fs'
import { get } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

type Note = (what: string) => void

/** Gives what was noted, once that is so much. */
const noted = (count: number, work: (note: Note) => void) => (): Promise<string> =>
  new Promise((resolve) => {
    const notes: string[] = []
    work((what) => {
      notes.push(what)
      if (notes.length === count) resolve(notes.join(' '))
    })
  })

/** The orders in which that can be, first that of the plain run. */
async function orders(body: () => Promise<string>, interleave: 'event-loop' | 'await'): Promise<readonly string[]> {
  const seen: string[] = []
  const { failures } = await explore(() => body().then((order) => { seen.push(order); throw new Error(order) }), { interleave, stopOnFirst: false })
  const all = failures.map(({ error }) => (error as Error).message).toSorted()
  return [...new Set([seen[0]!, ...all])].filter((order) => all.includes(order))
}

/** A socket of a server that takes one connection. */
const taken = (work: (socket: Socket) => void): void => {
  const server = createServer((socket) => {
    server.close()
    work(socket)
  }).listen(0, () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}).resume())
}

const errs = (thing: NodeJS.EventEmitter, note: Note, meanwhile: () => void): void => {
  thing.on('error', () => {
    note('error')
    meanwhile()
  })
  thing.on('close', () => note('close'))
}

/** With the only order there is. */
const single: Readonly<Record<string, readonly [order: string, count: number, work: (note: Note) => void]>> = {
  'a socket that is refused': ['error immediate close', 3, (note) => errs(connect(1, '127.0.0.1'), note, () => setImmediate(() => note('immediate')))],
  'one that has two addresses': ['error immediate close', 3, (note) => errs(connect(1, 'localhost'), note, () => setImmediate(() => note('immediate')))],
  'a pipe that is not there': ['error immediate close', 3, (note) => errs(connect('/nowhere.sock'), note, () => setImmediate(() => note('immediate')))],
  'a request of HTTP': ['error immediate close', 3, (note) => errs(get('http://127.0.0.1:1'), note, () => setImmediate(() => note('immediate')))],
  'what an immediate sets comes in the next turn': ['error first close second', 4, (note) => errs(connect(1, '127.0.0.1'), note, () => setImmediate(() => (note('first'), setImmediate(() => note('second')))))],
  'timers come later': ['error immediate close timer', 4, (note) => errs(connect(1, '127.0.0.1'), note, () => (setTimeout(() => note('timer'), 0), setImmediate(() => note('immediate'))))],
  'a socket that ends': [
    'end immediate close', 3, (note) => taken((socket) => {
      socket.resume().end().on('end', () => (note('end'), setImmediate(() => note('immediate')))).on('close', () => note('close'))
    }),
  ],
  'a socket that is destroyed in a callback': [
    'before after close', 3, (note) => taken((socket) => {
      setImmediate(() => note('before'))
      socket.destroy().on('close', () => note('close'))
      setImmediate(() => note('after'))
    }),
  ],
  'one that is destroyed by a timer': [
    'timer immediate close', 3, (note) => taken((socket) => {
      socket.on('close', () => note('close'))
      setTimeout(() => (note('timer'), socket.destroy(), setImmediate(() => note('immediate'))), 5)
    }),
  ],
  'a file that is not there is closed by a thread': ['error close', 2, (note) => errs(createReadStream('/nowhere'), note, () => {})],
  'a socket of UDP says so at once': ['close immediate', 2, (note) => { const socket = createSocket('udp4').bind(0, () => (socket.close().on('close', () => note('close')), setImmediate(() => note('immediate')))) }],
  'so does a server': ['close immediate', 2, (note) => { const server = createServer().listen(0, () => (server.close(() => note('close')), setImmediate(() => note('immediate')))) }],
}

describe('what is closed says so behind the immediates of that turn of the event loop', () => {
  describe.each(['event-loop', 'await'] as const)("by '%s'", (interleave) => {
    test.each(Object.keys(single))('%s', async (name) => {
      const [order, count, work] = single[name]!
      const body = noted(count, work)
      expect(await body()).toBe(order)
      expect(await orders(body, interleave)).toEqual([order])
    })
  })

  const byEvents: typeof single = {
    'whatever of the step sets them': ['error ticks microtasks close', 4, (note) => errs(connect(1, '127.0.0.1'), note, () => {
      process.nextTick(() => setImmediate(() => note('ticks')))
      void Promise.resolve().then(() => setImmediate(() => note('microtasks')))
    })],
    'before those that are set by the immediate that has closed it': [
      'first other close later', 4, (note) => taken((socket) => {
        socket.on('close', () => note('close'))
        setImmediate(() => (note('first'), setImmediate(() => note('later')), socket.destroy()))
        setImmediate(() => note('other'))
      }),
    ],
  }
  test.each(Object.keys(byEvents))("by 'event-loop', %s", async (name) => {
    const [order, count, work] = byEvents[name]!
    const body = noted(count, work)
    expect(await body()).toBe(order)
    expect(await orders(body, 'event-loop')).toEqual([order])
  })

  test('an immediate that was set before comes before or after the error, and before the close', async () => {
    const body = noted(4, (note) => {
      errs(connect(1, '127.0.0.1'), note, () => setImmediate(() => note('immediate')))
      setImmediate(() => note('earlier'))
    })
    expect(await orders(body, 'event-loop')).toEqual(expect.arrayContaining(['earlier error immediate close', 'error earlier immediate close']))
    expect(await orders(body, 'event-loop')).toHaveLength(2)
  })

  test('nothing is known where the body itself closes it, which may be an immediate', async () => {
    const body = noted(2, (note) => {
      connect(1, '127.0.0.1').on('close', () => note('close')).destroy()
      setImmediate(() => note('immediate'))
    })
    expect((await orders(body, 'event-loop')).toSorted()).toEqual(['close immediate', 'immediate close'])
  })

  test('a process that could not be started has nobody to wait for', async () => {
    const body = noted(3, (note) => errs(spawn('/nowhere'), note, () => setImmediate(() => note('immediate'))))
    expect((await orders(body, 'event-loop')).toSorted()).toEqual(['error close immediate', 'error immediate close'])
  })
})

test('what an immediate sets comes in the next turn of the event loop, and something else may come before that', async () => {
  const body = noted(4, (note) => {
    readFile('/dev/null', () => note('file'))
    setImmediate(() => (note('first'), setImmediate(() => note('later'))))
    setImmediate(() => note('second'))
  })
  expect((await orders(body, 'event-loop')).toSorted()).toEqual(['file first second later', 'first second file later', 'first second later file'])
})
