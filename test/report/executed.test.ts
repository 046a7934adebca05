import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { failureError } from '../../src/testing/failure-error.ts'
import { exploreRecorded } from '../../src/runtime/index.ts'
import { ExecutionOrder } from '../../src/engine/index.ts'
import { explain } from '../../src/report/index.ts'
import { bodyOf, investigated, run, storyOf, toldOf } from './executed.ts'

const withdrawals = `
  class Account { balance = 100
    async withdraw(n) { const b = this.balance; await null; if (b < n) return 0; this.balance = b - n; return n } }
  const account = new Account()
  const paid = await Promise.all([account.withdraw(80), account.withdraw(80)])
  if (paid[0] + paid[1] > 100) throw new Error('overdrawn')`

/** The headline up to the colon, of a check-then-act at the location that the code makes. */
async function nameOf(declaration: string, location: string): Promise<string> {
  const { headline } = await storyOf(`
    ${declaration}
    const claim = async () => {
      if (${location}) return false
      await null
      ${location} = 'me'
      return true
    }
    const claimed = await Promise.all([claim(), claim()])
    if (claimed[0] && claimed[1]) throw new Error('twice')`)
  return /^Check-then-act on (.*?): /.exec(headline)?.[1] ?? headline
}

describe('timers that race', () => {
  const guarded = (ms: number): string => `
    let token = 'old'
    const save = async () => { await null; token = 'new' }
    const late = new Promise((resolve) => setTimeout(() => resolve(token), ${ms}))
    const got = await Promise.race([save().then(() => token), late])
    if (got !== 'new') throw new Error(got)`

  test.each(['await', 'event-loop'] as const)('a timeout that came first has won: %s', async (interleave) => {
    const io = (): 'awaits' => 'awaits'
    const { headline } = await storyOf(guarded(50), {}, { time: 'race', interleave, io })
    expect(headline).toMatch(/^Timeout wins on .*\. The timeout won: timer#1 fired first\.$/)
  })

  test('a timeout that came second has not', async () => {
    const { headline } = await storyOf(`
      let token = 'old'
      const save = async () => { await null; token = 'new' }
      await Promise.all([save(), new Promise((resolve) => setTimeout(() => { if (token === 'new') resolve(); else token = 'late', resolve() }, 50))])
      if (token === 'new') throw new Error(token)`, {}, { time: 'race' })
    expect(headline).not.toContain('The timeout won')
  })
})

describe('objects are named', () => {
  test.each([
    ['by their class', 'class Seat { owner = null } const first = new Seat()', 'first.owner', 'seat.owner'],
    ['by their class, of which the first word is short for some', 'class URLQueue { owner = null } const first = new URLQueue()', 'first.owner', 'urlQueue.owner'],
    ['by what they were made for, a variable', 'const seats = { a: null }', 'seats.a', 'seats.a'],
    ['a property', 'class Room { seats = { a: null } } const room = new Room()', 'room.seats.a', 'seats.a'],
    ['a private field', 'class Room { #seats = { a: null }; get a() { return this.#seats.a } set a(v) { this.#seats.a = v } } const room = new Room()', 'room.a', 'seats.a'],
    ['a private field as TypeScript compiles it', 'const _Room_owner = new WeakMap(); const room = {}; const Room = { get owner() { return _Room_owner.has(room) ? _Room_owner.get(room) : null }, set owner(v) { _Room_owner.set(room, v) } }', 'Room.owner', 'room.#owner'],
    ['by where they were seen, in an array', 'const seats = [[null, null], [null, null]]', 'seats[0][1]', 'seats[0][1]'],
    ['deeper', 'const halls = { main: [{ rows: [[null]] }] }', 'halls.main[0].rows[0][0]', 'rows[0][0]'],
    ['in a Map', 'const rooms = new Map([["blue", { owner: null }]])', 'rooms.get("blue").owner', 'rooms.get("blue").owner'],
    ['by a variable that is a location itself', 'let owner = null', 'owner', 'owner'],
    ['with keys that are no names', 'const seats = { "12 a": null }', 'seats["12 a"]', 'seats["12 a"]'],
  ])('%s', async (_, declaration, location, expected) => {
    expect(await nameOf(declaration, location)).toBe(expected)
  })

  test.each([
    ['an element of a typed array', 'const cells = new Float64Array(9)', 'cells[7]', (value: string) => `cells[7] = ${value}`, 'cells[7]'],
    ['one of many', 'const cells = new Float64Array(9_000)', 'cells[7]', (value: string) => `cells[7] = ${value}`, 'cells[7]'],
    ['one that is accessed at once', 'const cells = new Int32Array(9)', 'Atomics.load(cells, 7)', (value: string) => `Atomics.store(cells, 7, ${value})`, 'cells[7]'],
    ['a number in a view', 'const header = new DataView(new ArrayBuffer(8))', 'header.getInt16(2)', (value: string) => `header.setInt16(2, ${value})`, 'byte 2 of header'],
    ['a number in a Buffer', 'const header = Buffer.from(new ArrayBuffer(8))', 'header.readInt16BE(2)', (value: string) => `header.writeInt16BE(${value}, 2)`, 'byte 2 of buffer'],
  ])('numbers are told, and not the bytes that they are made of: %s', async (_, declaration, look, change, expected) => {
    const told = await toldOf(`
      ${declaration}
      const add = async () => { const found = ${look}; await null; ${change('found + 300')} }
      await Promise.all([add(), add()])
      if (${look} !== 600) throw new Error('lost')`)
    expect(told.join('\n')).toContain(`Lost update on ${expected}: add#2 wrote 300`)
    expect(told.join('\n')).not.toContain('Other races')
  })

  test.each([
    [9, 'cells[7] = 5'],
    [9_000, 'cells = [Float64Array]'],
  ])('what is done to a typed array as a whole is told of the element that it is about: one of %i', async (length, written) => {
    const told = await toldOf(`
      const cells = new Float64Array(${length})
      const add = async () => { const found = cells[7]; await null; cells[7] = found + 300 }
      const clear = async () => { await null; cells.fill(5) }
      await Promise.all([add(), clear()])
      if (cells[7] === 300) throw new Error('lost')`)
    expect(told[0]).toBe(`Lost update on cells[7]: add#1 wrote 300 from a value read before clear#1 wrote ${written.replace(/.* = /, '')}.`)
    expect(told).toContain(`clear#1: write ${written}`)
  })

  test('two of one name are told apart, alike in all rows', async () => {
    const [headline] = await toldOf(`
      class Account { constructor(n) { this.balance = n } }
      const [from, to] = [new Account(10), new Account(0)]
      const move = async (n) => { const [a, b] = [from.balance, to.balance]; await null; from.balance = a - n; to.balance = b + n }
      await Promise.all([move(3), move(4)])
      if (from.balance + to.balance === 10 && to.balance !== 7) throw new Error('lost')`)
    expect(headline).toBe('Lost update on account.balance: move#2 wrote 6 from a value read before move#1 wrote 7.')
  })

  test('a Map by its entries, its keys and its size', async () => {
    expect(await toldOf(`
      class Shop { #stock = new Map([['book', 1]])
        async buy() { const n = this.#stock.get('book'); await null; if (n > 0) this.#stock.set('book', n - 1); return n > 0 } }
      const shop = new Shop()
      const both = await Promise.all([shop.buy(), shop.buy()])
      if (both[0] && both[1]) throw new Error('sold twice')`)).toEqual([
      'Lost update on stock.get("book"): buy#2 wrote 0 from a value read before buy#1 wrote 0.',
      'buy#1: read stock.get("book") -> 1',
      'buy#2: read stock.get("book") -> 1',
      'buy#1: write stock.get("book") = 0',
      'buy#2: write stock.get("book") = 0 <- stale since 3',
    ])
    expect(await toldOf(`
      const jobs = new Map()
      const add = async () => { await null; jobs.set('a', 1) }
      const count = async () => { await null; return jobs.size }
      const [, n] = await Promise.all([add(), count()])
      if (n === 0) throw new Error('none')`)).toEqual([
      'Order violation on jobs.size: count#1 read 0 before add#1 added "a". Nothing recorded orders the two.',
      'count#1: read jobs.size -> 0 <- before 2',
      'add#1: add "a" to jobs',
    ])
  })
})

test('what is taken away is told so', async () => {
  expect(await toldOf(`
    const sessions = { ann: 'a' }
    const view = async () => { await null; sessions.ann = 'b' }
    const leave = async () => { await null; delete sessions.ann }
    await Promise.all([view(), leave()])
    if ('ann' in sessions) throw new Error('still there')`)).toEqual([
    'Last write wins on sessions.ann: view#1 wrote "b" after leave#1 removed it. Nothing recorded orders the two.',
    'leave#1: remove ann',
    'view#1: write ann = "b" <- overwrites 1',
  ])
})

test('calls are told with what they were called with, lists with what is in them', async () => {
  const { columns, headline, rows } = await storyOf(`
    const box = { shown: ['nothing'] }
    const ui = { async search(text, { limit }) { await null; box.shown = [text, limit] }, async clear() { await null; box.shown = [] } }
    await Promise.all([ui.search('a', { limit: 1 }), ui.search('ab', { limit: 2 }), ui.clear()])
    if (box.shown[0] !== 'a') throw new Error('outdated')`)
  expect(columns.map(({ title }) => title)).toEqual(expect.arrayContaining(['search#2("ab", {"limit":2})']))
  expect(`${headline} ${rows.map(({ text }) => text).join(' ')}`).toMatch(/\["ab",2\]/)
})

test('a list that is filled in another order has its own name', async () => {
  expect((await toldOf(`
    const items = []
    const load = async (page) => { await null; items.push(page) }
    await Promise.all([load(1), load(2)])
    if (items[0] !== 1) throw new Error('order')`))[0]).toBe('Order violation on items: load#1 pushed 1 after load#2 pushed 2. Nothing recorded orders the two.')
})

describe('promises and timers', () => {
  test('a race that another promise wins: who settled it first, who came second', async () => {
    expect(await toldOf(`
      const answer = async (n) => { await null; return n }
      const winner = await Promise.race([answer(1), answer(2)])
      if (winner !== 1) throw new Error('lost')`)).toEqual([
      'Order violation on Promise.race: answer#2 fulfilled it with 2, then answer#1 came second and would have fulfilled it with 1. Nothing recorded orders the two.',
      'answer#2: fulfil Promise.race with 2',
      'answer#1: fulfil Promise.race with 1, too late <- after 1',
    ])
  })

  test('a promise that two calls settle', async () => {
    expect(await toldOf(`
      let settle
      const ready = new Promise((...settlers) => { settle = settlers })
      const open = async () => { await null; settle[0]('open') }
      const fail = async () => { await null; settle[1](new RangeError('closed')) }
      await Promise.all([open(), fail()])
      await ready`)).toEqual([
      'Order violation on promise ready: fail#1 rejected it with RangeError("closed"), then open#1 came second and would have fulfilled it with "open". Nothing recorded orders the two.',
      'fail#1: reject promise ready with RangeError("closed")',
      'open#1: fulfil promise ready with "open", too late <- after 1',
    ])
  })

  test('a rejection that is handled too late', async () => {
    expect(await toldOf(`
      const load = async () => { await null; throw new RangeError('disk full') }
      const prepare = async () => { await null; await null }
      const loading = load()
      await prepare()
      await loading.catch(() => {})`)).toEqual([
      'Unhandled rejection of promise of load#1: load#1 rejected it before test handled it. Nothing recorded orders the two.',
      'load#1: reject promise of load#1',
      'test: handle the rejection of promise of load#1 <- after 1',
    ])
  })

  test('one that the plain run handles in time is no failure of the plain order', async () => {
    const late = await investigated(`const loading = Promise.reject(new Error('late')); await null; await loading.catch(() => {})`)
    expect(stripVTControlCharacters(late.message)).not.toContain('plain order')
    const never = await investigated(`void Promise.reject(new Error('never')); await null`)
    expect(stripVTControlCharacters(never.message)).toContain('the plain order')
  })

  test('a timer that is cleared in the moment in which it is due', async () => {
    expect(await toldOf(`
      const out = { fired: false, timer: undefined }
      const start = async () => { await null; out.timer = setTimeout(function tick() { out.fired = true }, 10) }
      const stop = async () => { await null; setTimeout(function stopped() { clearTimeout(out.timer) }, 10) }
      await Promise.all([start(), stop()])
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (!out.fired) throw new Error('cleared')`)).toEqual([
      'Order violation on timer tick#1: stopped#1 cleared it, so that tick#1 did not fire. Nothing recorded orders the two.',
      'stopped#1: clear timer tick#1',
      'tick#1: timer tick#1 does not fire <- after 1',
    ])
  })

  test('an ordinary race on shared memory goes before them', async () => {
    expect((await storyOf(`
      const box = { n: 0 }
      const add = async () => { const n = box.n; await null; box.n = n + 1; return n }
      const [a, b] = [add(), add()]
      await Promise.race([a, b])
      await Promise.all([a, b])
      if (box.n !== 2) throw new Error('lost')`)).headline).toBe('Lost update on box.n: add#2 wrote 1 from a value read before add#1 wrote 1.')
  })
})

describe('replays', () => {
  /** How often the body has run. */
  function counted(code: string): { body: () => Promise<unknown>; runs: () => number } {
    const body = bodyOf(code)
    let runs = 0
    return { body: () => (runs++, body()), runs: () => runs }
  }

  test('one for a failure with its story, where one is asked for', async () => {
    const { body, runs } = counted(withdrawals)
    const options = { reproduce: 1 }
    const { result, recording } = await exploreRecorded(body, options)
    const failure = result.failures[0]!
    expect(runs()).toBe(result.executions + 1)
    const error = await failureError({ subject: body, options, result, failure, recording, name: 'withdrawals' })
    expect(stripVTControlCharacters(error.message)).toContain('Lost update on account.balance: withdraw#2 wrote 20 from a value read before')
    expect(runs()).toBe(result.executions + 1)
  })

  test('and no more than are asked for', async () => {
    const failing = counted(withdrawals)
    const { result } = await exploreRecorded(failing.body, { reproduce: 2 })
    expect(failing.runs()).toBe(result.executions + 2)
    const passing = counted('await null')
    expect((await exploreRecorded(passing.body, { reproduce: 2 })).recording).toBeUndefined()
    expect(passing.runs()).toBe(3)
  })

  test('keys that are there from birth and then go change nothing of a schedule', async () => {
    const code = `
      const stock = new Map([['book', 1]])
      const sell = async () => { await null; stock.set('book', 0); await null; stock.delete('book') }
      const count = async () => { await null; await null; return stock.size }
      const [, n] = await Promise.all([sell(), count()])
      if (n === 0) throw new Error('sold out')`
    const { result } = await run(code, { reproduce: 3 })
    const { schedule } = result.failures[0]!
    expect((await run(code, { replay: schedule, reproduce: 3 })).result.failures).toMatchObject([{ kind: 'error', schedule }])
  })

  test('a run that does something else is noticed, also by those that are not written down', async () => {
    for (const different of [2, 3]) {
      let runs = 0
      const body = bodyOf(`const o = { a: 1, b: 1 }; await null; if (isOther()) o.a; await null; o.b; throw new Error('no')`, { isOther: () => ++runs === different })
      await expect(exploreRecorded(body, { reproduce: 2 })).rejects.toThrow(/diverged at .*executed-\d+\.cjs:1/)
    }
  })
})

describe('a recording', () => {
  test('survives JSON, and its story with it', async () => {
    const { result, recording } = await run(withdrawals)
    const again = JSON.parse(JSON.stringify(recording))
    const input = { failure: result.failures[0]!, executions: 2, complete: true, root: '/', name: '' }
    expect(explain({ ...input, recording: { ...again, order: new ExecutionOrder(again.order) } })).toEqual(explain({ ...input, recording: recording! }))
  })

  test('runs no code of the user', async () => {
    const calls: string[] = []
    const trap = (name: string) => (): never => {
      calls.push(name)
      throw new Error(name)
    }
    const traps = new Proxy({}, { get: (_, name) => trap(`trap ${String(name)}`) })
    const guarded = (prototype: object | null = Object.prototype): object =>
      Object.create(prototype, {
        constructor: { get: trap('constructor') },
        toJSON: { value: trap('toJSON') },
        toString: { value: trap('toString') },
        valueOf: { value: trap('valueOf') },
        [Symbol.toStringTag]: { get: trap('toStringTag') },
        [Symbol.toPrimitive]: { value: trap('toPrimitive') },
        value: { get: trap('getter'), enumerable: true },
      })
    const given = {
      values: [
        guarded(), guarded(null), guarded(Map.prototype), guarded(Set.prototype), guarded(Date.prototype), guarded(Error.prototype), guarded([]),
        new Proxy({}, traps), new Proxy([], traps), Object.create(new Proxy({}, traps)), guarded(Object.create(new Proxy({}, traps))),
        Proxy.revocable({}, {}).proxy, Object.assign(() => {}, { toString: trap('function') }),
        Object.defineProperty(() => {}, 'name', { get: trap('name') }),
        new (class extends Map { override get size(): number { return trap('size')() } })(),
        Object.defineProperty(new Error('x'), 'message', { get: trap('message') }),
      ],
    }
    const { recording } = await run(`
      const box = { held: null }
      const put = async () => {
        await null
        const list = values
        for (let i = 0; i < 16; i++) { box.held = given(i); box.held }
        throw new Error('done')
      }
      await put()`, { given: { values: null, given: (i: number) => given.values[i] } })
    expect(calls).toEqual([])
    const shown = recording!.steps.flatMap(({ accesses }) => accesses).filter(({ kind, key }) => kind === 'read' && key.kind === 'property' && key.name === 'held')
    expect(shown.map(({ value }) => value.text)).toEqual([
      '{"value":…}', '{"value":…}', '[Map]', '[Set]', '[Date]', 'Error("")', '[Array]', '{}', '[]', '{}', '{"value":…}', '{}',
      '[function]', '[function]', 'Map(0)', 'Error(undefined)',
    ])
  })
})

test('a call that would have to be late as a whole, since what others go on with looks once more at what it does, is the cause', async () => {
  const { explanation: { headline, kind }, message } = await investigated(`
    class Cache {
      entries = new Map()
      fetch(key, load) {
        const controller = new AbortController()
        const found = new Promise((resolve, reject) => {
          controller.signal.addEventListener('abort', () => resolve(undefined))
          load().then(resolve, reject)
        }).then((value) => {
          if (controller.signal.aborted) throw new Error('deleted')
          return value
        })
        this.entries.set(key, { controller, found })
        return found
      }
      delete(key) {
        this.entries.get(key)?.controller.abort()
        this.entries.delete(key)
      }
    }
    const cache = new Cache()
    const save = async () => { await null; cache.delete('k') }
    await Promise.all([cache.fetch('k', async () => { await null; return 1 }), save()])`)
  expect(kind).toBe('order-violation')
  expect(headline).toMatch(/^Order violation on .*: save#1 fulfilled it, then .* would have fulfilled it with 1/)
  expect(stripVTControlCharacters(message)).toContain('The test passes with 2 before 1')
})

test('whose plain run may take any time, as where a run has a bound of executions alone, has all the time to be looked into', async () => {
  const lost = `
    let count = 0
    const add = async () => { const found = count; await null; count = found + 1 }
    await Promise.all([add(), (async () => { await null; await null; await add() })()])
    if (count !== 2) throw new Error('lost')`
  const testFile = '/app/any.spec.cjs'
  const [bounded, free] = [await investigated(lost, { testFile }), await investigated(lost, { testFile, plainTime: Infinity })].map(({ message }) => stripVTControlCharacters(message))
  expect(free).toBe(bounded)
})
