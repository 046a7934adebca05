import { createHash } from 'node:crypto'
import * as diagnostics from 'node:diagnostics_channel'
import { channel, tracingChannel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'
import { older, opaque } from './uninstrumented/state.ts'

type Pair = readonly [name: string, subject: Tasks, results: readonly unknown[][]]

/** Of channels that nobody knows: subscribers outlive an execution. */
const tracing = () => {
  const [start, end, asyncStart, asyncEnd, error] = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => channel(Symbol(name)))
  return tracingChannel({ start, end, asyncStart, asyncEnd, error } as never)
}

/** One that nothing of Node's own stands around, as what stands in for a socket has it. */
interface Parser {
  [part: number]: (...args: any[]) => unknown
  initialize(type: number, owner: object): void
  execute(bytes: Uint8Array): unknown
}
const { HTTPParser } = process.getBuiltinModule('_http_common' as 'http') as unknown as { HTTPParser: { new (): Parser; readonly REQUEST: number; readonly kOnHeadersComplete: number } }
const parserOf = (): { readonly parser: Parser; readonly urls: string[] } => {
  const parser = new HTTPParser()
  const urls: string[] = []
  parser.initialize(HTTPParser.REQUEST, {})
  parser[HTTPParser.kOnHeadersComplete] = (_major, _minor, _headers, _method, url: string) => void urls.push(url)
  return { parser, urls }
}

const url = () => new URL('https://user@a.example:81/p?q=1#h')

/** Two tasks that do not commute: both orders are explored, and what they show. */
const pairs: readonly Pair[] = [
  // Date
  ['Date: setTime and getTime', { setup: () => new Date(0), tasks: [async (d) => void d.setTime(5), async (d) => d.getTime()] }, [[null, 0], [null, 5]]],
  ['Date: setFullYear and toJSON', { setup: () => new Date(0), tasks: [async (d) => void d.setUTCFullYear(1999), async (d) => d.toJSON().slice(0, 4)] }, [[null, '1970'], [null, '1999']]],
  ['Date: setTime and JSON.stringify', { setup: () => ({ at: new Date(0) }), tasks: [async (o) => void o.at.setTime(1), async (o) => JSON.stringify(o).slice(-5)] }, [[null, '00Z"}'], [null, '01Z"}']]],
  ['Date: setTime and a copy', { setup: () => new Date(0), tasks: [async (d) => void d.setTime(5), async (d) => new Date(d).getTime()] }, [[null, 0], [null, 5]]],
  ['Date: setTime and expect', { setup: () => new Date(0), tasks: [async (d) => void d.setTime(5), async (d) => { try { expect(d).toEqual(new Date(0)); return 'equal' } catch { return 'not' } }] }, [[null, 'equal'], [null, 'not']]],
  ['Date: setTime in opaque code', { setup: () => new Date(0), tasks: [async (d) => void opaque.setTime(d, 5), async (d) => d.getTime()] }, [[null, 0], [null, 5]]],
  // Channels
  ['TracingChannel: subscribe and hasSubscribers', { setup: tracing, tasks: [async (c) => c.subscribe({ end() {} }), async (c) => c.hasSubscribers] }, [[null, false], [null, true]]],
  ['TracingChannel: subscribe to one of its channels and hasSubscribers', { setup: tracing, tasks: [async (c) => c.end.subscribe(() => {}), async (c) => c.hasSubscribers] }, [[null, false], [null, true]]],
  // RegExp
  ['RegExp: two tests', { setup: () => /a/g, tasks: [async (r) => r.test('aXX'), async (r) => r.test('XXa')] }, [[false, true], [true, true]]],
  ['RegExp: exec and lastIndex', { setup: () => /a/g, tasks: [async (r) => void r.exec('a'), async (r) => r.lastIndex] }, [[null, 0], [null, 1]]],
  ['RegExp: lastIndex = and test', { setup: () => /a/y, tasks: [async (r) => void (r.lastIndex = 1), async (r) => r.test('ab')] }, [[null, false], [null, true]]],
  ['RegExp: match of a string and test', { setup: () => { const r = /a/g; r.lastIndex = 1; return r }, tasks: [async (r) => 'aa'.match(r)?.length, async (r) => r.test('ab')] }, [[2, false], [2, true]]],
  ['RegExp: a sticky replace and lastIndex', { setup: () => /a/y, tasks: [async (r) => 'aa'.replace(r, 'b'), async (r) => r.lastIndex] }, [['ba', 0], ['ba', 1]]],
  ['RegExp: replaceAll and test', { setup: () => { const r = /a/g; r.lastIndex = 1; return r }, tasks: [async (r) => 'aa'.replaceAll(r, 'b'), async (r) => r.test('ab')] }, [['bb', false], ['bb', true]]],
  ['RegExp: matchAll begins where the position is', { setup: () => /a/g, tasks: [async (r) => void (r.lastIndex = 1), async (r) => [...'aa'.matchAll(r)].length] }, [[null, 1], [null, 2]]],
  ['RegExp: Symbol.replace and lastIndex', { setup: () => { const r = /a/g; r.lastIndex = 1; return r }, tasks: [async (r) => r[Symbol.replace]('aa', 'b'), async (r) => r.lastIndex] }, [['bb', 0], ['bb', 1]]],
  // URL and URLSearchParams
  ['URL: searchParams.append and href', { setup: url, tasks: [async (u) => u.searchParams.append('r', '2'), async (u) => u.href.slice(-8)] }, [[null, '/p?q=1#h'], [null, '=1&r=2#h']]],
  ['URL: search = and searchParams.get', { setup: url, tasks: [async (u) => void (u.search = '?q=2'), async (u) => u.searchParams.get('q')] }, [[null, '1'], [null, '2']]],
  ['URL: hash = and toString', { setup: url, tasks: [async (u) => void (u.hash = ''), async (u) => String(u.toString()).length] }, [[null, 31], [null, 33]]],
  ['URL: host = and port', { setup: url, tasks: [async (u) => void (u.host = 'b:82'), async (u) => u.port] }, [[null, '81'], [null, '82']]],
  ['URL: href = and searchParams', { setup: url, tasks: [async (u) => void (u.href = 'https://c/?z=1'), async (u) => u.searchParams.has('z')] }, [[null, false], [null, true]]],
  ['URL: hash = in opaque code', { setup: url, tasks: [async (u) => opaque.setHash(u, 'i'), async (u) => u.hash] }, [[null, '#h'], [null, '#i']]],
  ['URLSearchParams: set and get', { setup: () => new URLSearchParams('a=1'), tasks: [async (p) => p.set('a', '2'), async (p) => p.get('a')] }, [[null, '1'], [null, '2']]],
  ['URLSearchParams: append and size', { setup: () => new URLSearchParams(), tasks: [async (p) => p.append('a', '2'), async (p) => p.size] }, [[null, 0], [null, 1]]],
  ['URLSearchParams: delete and for...of', { setup: () => new URLSearchParams('a=1'), tasks: [async (p) => p.delete('a'), async (p) => { let n = 0; for (const [k] of p) n += k.length; return n }] }, [[null, 0], [null, 1]]],
  ['URLSearchParams: append in opaque code', { setup: () => new URLSearchParams(), tasks: [async (p) => opaque.append(p, 'a', '1'), async (p) => p.get('a')] }, [[null, '1'], [null, null]]],
  // oxlint-disable-next-line unicorn/no-array-sort
  ['URLSearchParams: sort and toString', { setup: () => new URLSearchParams('b=1&a=2'), tasks: [async (p) => p.sort(), async (p) => p.toString()] }, [[null, 'a=2&b=1'], [null, 'b=1&a=2']]],
  // Headers, FormData
  ['Headers: set and get, whatever the case', { setup: () => new Headers({ a: '1' }), tasks: [async (h) => h.set('A', '2'), async (h) => h.get('a')] }, [[null, '1'], [null, '2']]],
  ['Headers: append and spread', { setup: () => new Headers(), tasks: [async (h) => h.append('a', '1'), async (h) => [...h].length] }, [[null, 0], [null, 1]]],
  ['Headers: set in opaque code', { setup: () => new Headers(), tasks: [async (h) => opaque.setHeader(h, 'a', '1'), async (h) => h.has('a')] }, [[null, false], [null, true]]],
  ['Headers: set and a Request made of them', { setup: () => new Headers(), tasks: [async (h) => h.set('a', '1'), async (h) => new Request('https://a/', { headers: h }).headers.has('a')] }, [[null, false], [null, true]]],
  ['FormData: append and getAll', { setup: () => new FormData(), tasks: [async (f) => f.append('a', '1'), async (f) => f.getAll('a').length] }, [[null, 0], [null, 1]]],
  // Bodies
  ['Response: text twice', { setup: () => new Response('x'), tasks: [0, 1].map(() => async (r: Response) => { try { return await r.text() } catch { return 'used' } }) }, [['used', 'x'], ['x', 'used']]],
  ['Response: text and bodyUsed', { setup: () => new Response('x'), tasks: [async (r) => r.text(), async (r) => r.bodyUsed] }, [['x', false], ['x', true]]],
  // The process
  ['process.env: set and read', { setup: () => void (process.env.EXPLORED = 'a'), tasks: [async () => void (process.env.EXPLORED = 'b'), async () => process.env.EXPLORED] }, [[null, 'a'], [null, 'b']]],
  ['process.env: delete and in', { setup: () => void (process.env.EXPLORED = 'a'), tasks: [async () => void delete process.env.EXPLORED, async () => 'EXPLORED' in process.env] }, [[null, false], [null, true]]],
  ['process.exitCode: set and read', { tasks: [async () => void (process.exitCode = 0), async () => process.exitCode ?? 'none'] }, [[null, 'none'], [null, 0]]],
  ['Hash: two updates', { setup: () => ({ hash: createHash('md5'), left: 2 }), tasks: ['a', 'b'].map((text) => async (s: { hash: ReturnType<typeof createHash>; left: number }) => { s.hash.update(text); return --s.left === 0 ? s.hash.digest('hex').slice(0, 4) : 'more' }) }, [['more', '187e'], ['0715', 'more']]],
  ['HTTPParser: two parts', { setup: () => parserOf(), tasks: [async ({ parser }) => void parser.execute(Buffer.from('GET /a')), async ({ parser, urls }) => { parser.execute(Buffer.from('GET /b HTTP/1.1\r\n\r\n')); return urls[0] ?? 'none' }] }, [[null, 'none'], [null, '/b']]],
  // Text
  ['TextDecoder: two parts', { setup: () => new TextDecoder(), tasks: [async (d) => d.decode(new Uint8Array([0xc3]), { stream: true }), async (d) => d.decode(new Uint8Array([0xa9]))] }, [['', '\u00e9'], ['', '\ufffd']]],
  ['TextEncoder: encodeInto', { setup: () => new Uint8Array(1), tasks: [async (b) => void new TextEncoder().encodeInto('a', b), async (b) => b[0]] }, [[null, 0], [null, 97]]],
]

test.each(pairs)('%s: 2 executions', async (_name, subject, results) => {
  const expected = results.map((result) => JSON.stringify(result)).toSorted()
  expect(await outcomesOf(subject)).toEqual({ verdict: 'holds', executions: 2, outcomes: expected })
})

/** Two tasks that commute: one order is enough. */
const disjoint: Record<string, Tasks> = {
  'Dates of their own': { tasks: [async () => new Date(0).setTime(1), async () => new Date(0).getTime()] },
  'two looks at a Date': { setup: () => new Date(0), tasks: [async (d) => d.getTime(), async (d) => d.toISOString()] },
  'a RegExp without a position': { setup: () => /a/, tasks: [async (r) => r.test('a'), async (r) => 'aa'.replace(r, 'b')] },
  'split and search of a global RegExp': { setup: () => /a/g, tasks: [async (r) => 'bab'.split(r), async (r) => 'bab'.search(r)] },
  'parameters of different names': { setup: () => new URLSearchParams('a=1&b=1'), tasks: [async (p) => p.set('a', '2'), async (p) => p.get('b')] },
  'the hash and the parameters of a URL': { setup: url, tasks: [async (u) => void (u.hash = 'x'), async (u) => u.searchParams.get('q')] },
  'URLs of their own': { tasks: [async () => void (url().hash = 'x'), async () => url().href] },
  'headers of different names': { setup: () => new Headers(), tasks: [async (h) => h.set('a', '1'), async (h) => h.append('b', '1')] },
  'fields of different names': { setup: () => new FormData(), tasks: [async (f) => f.append('a', '1'), async (f) => f.get('b')] },
  'parsers of HTTP of their own': { tasks: [0, 1].map(() => async () => { const { parser, urls } = parserOf(); parser.execute(Buffer.from('GET /a HTTP/1.1\r\n\r\n')); return urls[0] }) },
  'a TextDecoder that keeps nothing': { setup: () => new TextDecoder(), tasks: [0, 1].map(() => async (d: { decode(bytes: Uint8Array): string }) => d.decode(new Uint8Array([65]))) },
  'a Blob': { setup: () => new Blob(['x']), tasks: [async (b) => b.size, async (b) => b.slice(0, 1).size] },
  'variables of the environment': { tasks: [async () => void (process.env.EXPLORED_A = 'a'), async () => process.env.EXPLORED_B] },
  'lines for a developer': { setup: () => debuglog('explored'), tasks: [0, 1].map(() => async (debug: (text: string) => void) => debug('here')) },
  'a WeakRef': { setup: () => new WeakRef({ n: 1 }), tasks: [async (r) => r.deref()?.n, async (r) => r.deref()?.n] },
}

test.each(Object.entries(disjoint))('%s: 1 execution', async (_name, subject) => {
  expect(await explore(subject, { stopOnFirst: false })).toMatchObject({ verdict: 'holds', executions: 1 })
})

/** Its constructor fills what it makes, as a copy would. */
class Zeros extends Array<number> {
  constructor(size: number) {
    super(size)
    this.fill(0)
  }
}
const zeros = new Zeros(2)

describe('what is older than the execution is put back', () => {
  const unchanged = (look: () => unknown, change: () => void): Tasks => {
    const before = look()
    return {
      tasks: [0, 1].map(() => async () => change()),
      setup: () => expect(look()).toEqual(before),
    }
  }
  test.each<[string, () => unknown, () => void]>([
    ['Date', () => older.date.getTime(), () => void older.date.setMinutes(3)],
    ['URL', () => older.url.href, () => void (older.url.pathname += 'x')],
    ['parameters of a URL', () => older.url.href, () => older.url.searchParams.append('z', '1')],
    ['URLSearchParams', () => older.parameters.toString(), () => older.parameters.append('c', '3')],
    ['URLSearchParams, in opaque code', () => older.parameters.toString(), () => opaque.append(older.parameters, 'c', '3')],
    ['Headers', () => [...older.headers].join(), () => older.headers.append('a', '3')],
    ['FormData', () => [...older.form].join(), () => older.form.append('a', '3')],
    ['process.env', () => process.env.EXPLORED ?? 'none', () => void (process.env.EXPLORED = `${process.env.EXPLORED}x`)],
    ['process.exitCode', () => process.exitCode ?? 'none', () => void (process.exitCode = Number(process.exitCode ?? 0) + 1)],
    ['a subclass of Array', () => zeros.join(), () => void zeros.push(1)],
    ['RegExp', () => older.expression.lastIndex, () => void older.expression.test('baaa')],
  ])('%s', async (_name, look, change) => {
    const before = look()
    const { verdict, executions } = await explore(unchanged(look, change), { stopOnFirst: false, equivalence: 'trace' })
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 2 })
    expect(look()).toEqual(before)
  })
})

test('who has subscribed to a channel in an execution has not in the next one', async () => {
  const heard: unknown[] = []
  const before = (message: unknown): void => void heard.push(message)
  const known = channel('vitest-dpor:known')
  known.subscribe(before)
  const { verdict, executions, inconclusiveReason } = await explore(async () => {
    heard.length = 0
    const seen: string[] = []
    diagnostics.subscribe('vitest-dpor:known', () => seen.push('function'))
    diagnostics.unsubscribe('vitest-dpor:known', before)
    channel('vitest-dpor:other').subscribe(() => seen.push('method'))
    tracingChannel('vitest-dpor:group').subscribe({ end: () => seen.push('group') } as never)
    await Promise.all(['vitest-dpor:known', 'vitest-dpor:other', 'tracing:vitest-dpor:group:end'].map(async (name) => {
      await null
      channel(name).publish({ name })
    }))
    expect(seen.toSorted()).toEqual(['function', 'group', 'method'])
    expect(heard).toEqual([])
  })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'holds', inconclusiveReason: undefined })
  expect(executions).toBeGreaterThan(1)
  expect(channel('vitest-dpor:other').hasSubscribers).toBe(false)
  known.publish('still')
  expect(heard).toEqual(['still'])
})

test.each(['await', 'event-loop'] as const)("who has unsubscribed hears no more, with interleave: '%s'", async (interleave) => {
  const { verdict } = await explore(async () => {
    const heard: unknown[] = []
    const hear = (message: unknown): void => void heard.push(message)
    const known = channel('vitest-dpor:left')
    for (let i = 0; i < 2; i++) {
      known.subscribe(hear)
      known.publish(i)
      await null
      expect(known.unsubscribe(hear)).toBe(true)
      known.publish('no more')
    }
    known.subscribe(() => heard.push('other'))
    known.subscribe(hear)
    expect(known.unsubscribe(hear)).toBe(true)
    known.publish('no more')
    expect(heard).toEqual([0, 1, 'other'])
  }, { interleave })
  expect(verdict).toBe('holds')
})
