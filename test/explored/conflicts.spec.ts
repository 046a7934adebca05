import { on, once, EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'

class Base {
  static made = 0
}
class Derived extends Base {}

const buffer = () => {
  const bytes = new ArrayBuffer(8)
  return { bytes: new Uint8Array(bytes), words: new Uint16Array(bytes), view: new DataView(bytes) }
}

function* letters() {
  yield 'a'
  yield 'b'
}

/** Two tasks that do not commute: both orders must be explored. */
const pairs: Record<string, Tasks> = {
  'AbortController: abort and aborted': {
    setup: () => new AbortController(),
    tasks: [async (c) => c.abort(), async (c) => c.signal.aborted],
  },
  'AbortController: abort and addEventListener': {
    setup: () => new AbortController(),
    tasks: [async (c) => c.abort(), async (c) => c.signal.addEventListener('abort', () => {})],
  },
  'AbortSignal.any: abort of a source': {
    setup: () => {
      const controller = new AbortController()
      return { controller, any: AbortSignal.any([controller.signal]) }
    },
    tasks: [async (s) => s.controller.abort(), async (s) => s.any.aborted],
  },
  'an inherited static': {
    tasks: [
      async () => {
        Base.made++
      },
      async () => Derived.made,
    ],
  },
  'two typed arrays of one buffer': {
    setup: buffer,
    tasks: [
      async (b) => {
        b.bytes[1] = 1
      },
      async (b) => b.words[0],
    ],
  },
  'a DataView and a typed array of one buffer': {
    setup: buffer,
    tasks: [async (b) => b.view.setUint16(0, 1), async (b) => b.bytes[1]],
  },
  'a property that a typed array gets and a text of it': {
    setup: () => new Uint8Array(100),
    tasks: [async (bytes) => Object.assign(bytes, { read: true }), async (bytes) => inspect(bytes)],
  },
  'an object that a typed array has and a text of it': {
    setup: () => Object.assign(new Uint8Array(100), { of: { n: 0 } }),
    tasks: [async (bytes) => (bytes.of.n = 1), async (bytes) => inspect(bytes)],
  },
  'a property that a Buffer gets and an equality': {
    setup: () => Buffer.from('text'),
    tasks: [async (bytes) => Object.assign(bytes, { read: true }), async (bytes) => isDeepStrictEqual(bytes, Buffer.from('text'))],
  },
  'an object that a few words have and JSON.stringify': {
    setup: () => Object.assign(new Uint16Array(4), { of: { n: 0 } }),
    tasks: [async (words) => (words.of.n = 1), async (words) => JSON.stringify(words)],
  },
  'a property that an ArrayBuffer gets and a text of it': {
    setup: () => new ArrayBuffer(4),
    tasks: [async (bytes) => Object.assign(bytes, { read: true }), async (bytes) => inspect(bytes)],
  },
  structuredClone: {
    setup: () => ({ deep: { n: 0 } }),
    tasks: [
      async (o) => {
        o.deep.n = 1
      },
      async (o) => structuredClone(o),
    ],
  },
  'Object.freeze and a write': {
    setup: () => ({ n: 0 }),
    tasks: [
      async (o) => Object.freeze(o),
      async (o) => {
        try {
          o.n = 1
        } catch {
          // frozen
        }
      },
    ],
  },
  'a global regular expression': {
    setup: () => /a/g,
    tasks: [async (r) => r.test('aa'), async (r) => r.test('aa')],
  },
  'a shared generator': {
    setup: () => letters(),
    tasks: [async (g) => g.next(), async (g) => g.next()],
  },
  'one iterator of an array, shared by for...of': {
    setup: () => [1, 2].entries(),
    tasks: [0, 1].map(() => async (it: Iterable<unknown>) => {
      for (const [, item] of it as Iterable<[number, number]>) return item
      return undefined
    }),
  },
  'one generator, shared by for...of': {
    setup: () => letters(),
    tasks: [0, 1].map(() => async (it: Iterable<unknown>) => {
      for (const item of it) return item
      return undefined
    }),
  },
  'one iterator of a Map, shared by next()': {
    setup: () => new Map([['a', 1]]).values(),
    tasks: [async (it) => it.next(), async (it) => it.next()],
  },
  'an iterator of a Map and a write of an entry': {
    setup: () => new Map([['a', 1]]),
    tasks: [async (map) => map.values().next(), async (map) => map.set('a', 2)],
  },
  'once() and emit': {
    setup: () => new EventEmitter(),
    tasks: [async (e) => void once(e, 'x'), async (e) => e.emit('x')],
  },
  'on() and emit': {
    setup: () => new EventEmitter(),
    tasks: [async (e) => void on(e, 'x'), async (e) => e.emit('x')],
  },
  'expect() looks at all of its argument': {
    setup: () => ({ deep: { n: 0 } }),
    tasks: [
      async (o) => {
        o.deep.n = 0
      },
      async (o) => expect(o).toEqual({ deep: { n: 0 } }),
    ],
  },
}

const olderSpy = vi.fn<(n: number) => void>()

Object.assign(pairs, {
  'two calls of a mock': {
    setup: () => vi.fn(),
    tasks: [async (spy) => spy(1), async (spy) => spy(2)],
  },
  'a call of a mock, and looking at its calls': {
    setup: () => vi.fn(),
    tasks: [
      async (spy) => {
        spy(1)
      },
      async (spy) => expect(spy.mock.calls.length).toBeLessThan(2),
    ],
  },
  'a call of a mock, and a matcher': {
    setup: () => vi.fn(),
    tasks: [
      async (spy) => {
        spy(1)
      },
      async (spy) => {
        try {
          expect(spy).toHaveBeenCalled()
        } catch {
          // not yet
        }
      },
    ],
  },
  'a spied method': {
    setup: () => {
      const service = { send: (n: number) => n }
      vi.spyOn(service, 'send').mockReturnValue(0)
      return service
    },
    tasks: [async (service) => service.send(1), async (service) => service.send(2)],
  },
  'a mock that is older than the test': {
    tasks: [
      async () => {
        olderSpy(1)
        expect(olderSpy.mock.calls.length).toBeLessThan(3)
      },
      async () => {
        olderSpy(2)
        expect(olderSpy.mock.calls.length).toBeLessThan(3)
      },
    ],
  },
} satisfies Record<string, Tasks>)

test.each(Object.entries(pairs))('%s: 2 executions', async (_name, subject) => {
  const result = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
  expect(result).toMatchObject({ verdict: 'holds', executions: 2 })
})

/** Two tasks that commute: one order is enough. */
const independent: Record<string, Tasks> = {
  'different bytes of one buffer': {
    setup: buffer,
    tasks: [
      async (b) => {
        b.bytes[0] = 1
      },
      async (b) => {
        b.bytes[1] = 1
      },
    ],
  },
  'mocks of their own': {
    setup: () => [vi.fn(), vi.fn()],
    tasks: [async ([a]) => a(1), async ([, b]) => b(1)],
  },
  'generators of their own': {
    tasks: [async () => [...letters()], async () => letters().next()].map((task) => async () => {
      const own = letters()
      own.next()
      return task()
    }),
  },
}

test.each(Object.entries(independent))('%s: 1 execution', async (_name, subject) => {
  expect(await explore(subject, { stopOnFirst: false, equivalence: 'trace' })).toMatchObject({ verdict: 'holds', executions: 1 })
})

describe('virtual time', () => {
  test('AbortSignal.timeout', async () => {
    const result = await explore(async () => {
      const signal = AbortSignal.timeout(1000)
      await sleep(999)
      expect(signal.aborted).toBe(false)
      await sleep(2)
      expect(signal.aborted).toBe(true)
      expect((signal.reason as Error).name).toBe('TimeoutError')
    })
    expect(result).toMatchObject({ verdict: 'holds' })
  })
})
