import { EventEmitter, on, once } from 'node:events'
import * as sleeps from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Random } from '../reference/random.ts'
import { compareOrders } from './compare.ts'
import { findDifference } from './compare-emissions.ts'
import { allKinds, generate, type Kinds } from './generate.ts'
import { emitting } from './generate-emissions.ts'
import { generateRaces } from './generate-races.ts'

async function differing(kinds: Kinds, seed: number, interleave?: 'event-loop'): Promise<unknown[]> {
  const sources = Array.from({ length: 60 }, (_, i) => generate(new Random(seed + i), kinds))
  return (await compareOrders(sources, { interleave })).filter(({ plain, first }) => plain !== first)
}

describe('execution 1 has the order of a plain run', () => {
  test.each<[string, Kinds, number]>([
    ['promises', { ...allKinds, jobs: false, generators: false, thenables: false }, 1],
    ['promises, ticks, microtasks and timers', { ...allKinds, generators: false, thenables: false }, 1],
    ['thenables and subclasses', { ...allKinds, jobs: false, generators: false }, 1],
    ['async generators', { ...allKinds, jobs: false, thenables: false }, 1],
    ['all of them', allKinds, 100],
  ])('%s', async (_, kinds, seed) => {
    expect(await differing(kinds, seed)).toEqual([])
  })

  test('races of parts that are passed on in every way', async () => {
    const sources = Array.from({ length: 120 }, (_, i) => generateRaces(new Random(700 + i)))
    expect((await compareOrders(sources)).filter(({ plain, first }) => plain !== first)).toEqual([])
  })

  test.each(Object.keys(emitting).flatMap((kind) => [[kind, 'await'], [kind, 'event-loop']] as const))('one thing that emits, of the kind %s, by %s', async (kind, interleave) => {
    expect(await findDifference(kind, { seed: 1, count: 15, interleave })).toBeUndefined()
  })

  const steps = `let step = Promise.resolve(); for (let i = 1; i < 6; i++) step = step.then(() => log.push(i))`

  test.each([
    ['what for await takes of a list, beside who awaits the same', `let fail; const failed = new Promise((_, reject) => { fail = reject }); failed.catch(() => {}); const body = async () => { fail(); (async () => { for await (const value of [failed]); })().catch(() => log.push('list')); await failed }; body().catch(() => log.push('awaited'))`],
    ['a promise of a subclass, settled by an earlier job than that which asks for it', `class Special extends Promise {}; const last = async (values) => { for await (const value of values); }; Promise.any([Special.resolve('special').catch(() => {}), last((async function* () {})()).then()]).then((first) => log.push(first))`],
    ['an answer', `(async () => { await io('i'); log.push('io') })(); queueMicrotask(() => log.push('microtask'))`],
    ['a race of an answer, before a microtask that asks for another one', `Promise.race([io('i')]).then(() => log.push('race')); queueMicrotask(() => { log.push('microtask'); queueMicrotask(() => log.push('another one')) })`],
    ['what is returned by code that is not instrumented', `(async () => { await answer('a'); log.push('answer') })(); queueMicrotask(() => log.push('microtask'))`],
    ['an answer that is returned', `(async () => io('i'))().then(() => log.push('io'))`],
    ['one that is returned later', `(async () => { await null; return answer('a') })().then(() => log.push('io'))`],
    ['one among others', `Promise.all([(async () => answer('a'))(), 1]).then(() => log.push('all'))`],
    ['a race of a promise that is on its way, in a microtask', `let end; const p = new Promise((resolve) => { end = resolve }); queueMicrotask(() => Promise.race([p, Promise.resolve(1)]).then((first) => log.push('first ' + first))); end(Promise.resolve(2))`],
    ['the same after an await', `const p = (async () => Promise.resolve(2))(); (async () => { await null; log.push('first ' + await Promise.any([p, Promise.resolve(1)])) })()`],
    ['the same once it is there', `const p = (async () => Promise.resolve(2))(); (async () => { await null; await null; await null; log.push('first ' + await Promise.race([p, Promise.resolve(1)])) })()`],
    ['what a body of a response is', `new Response('{"a":1}').json().then(() => log.push('json'))`],
    ['what a blob has in it', `(async () => { await new Blob(['x']).text(); log.push('text') })()`],
    ['a stream of the web', `(async () => { let n = 0; for await (const x of new ReadableStream({ pull(c) { if (n++ < 2) c.enqueue(n); else c.close() } })) log.push('read ' + x) })()`],
    ['one that passes on', `(async () => { const { readable, writable } = new TransformStream(); const writer = writable.getWriter(); writer.write(1); writer.close(); for await (const x of readable) log.push('read ' + x) })()`],
    ['an answer that is a thenable, in a tick', `process.nextTick(() => { io({ then(end) { log.push('then'); end() } }).then(() => log.push('io')) }); process.nextTick(() => log.push('tick'))`],
  ])('%s', async (_, body) => {
    const [order] = await compareOrders([`const log = []; ${body}; ${steps}; await new Promise((done) => setTimeout(done, 25)); return log`])
    expect(order!.first).toBe(order!.plain)
  })

  /** What Node gives that is settled by events and by timers, beside steps of the language. */
  const waits: [string, string][] = [
    ['once', `(async () => { const [value] = await once(e, 'x'); log.push('once' + value) })(); setTimeout(() => { e.emit('x', 1); mark() }, 1)`],
    ['once, with an error', `once(e, 'x').catch((error) => log.push(error)); queueMicrotask(() => { e.emit('error', 'no'); mark() })`],
    ['once, that is told at once', `once(e, 'x').then(([value]) => log.push('once' + value)); e.emit('x', 1); mark()`],
    ['once, that a signal might end', `once(e, 'x', { signal: c.signal }).then(([value]) => log.push('once' + value)); setTimeout(() => { e.emit('x', 1); mark() }, 1)`],
    ['once, that a signal ends', `once(e, 'x', { signal: c.signal }).catch(({ name }) => log.push(name)); setTimeout(() => { c.abort(); mark() }, 1)`],
    ['once, that a signal ends by its time', `once(e, 'x', { signal: AbortSignal.timeout(2) }).catch(({ name }) => { log.push(name); mark() })`],
    ['on, that a signal ends', `(async () => { for await (const [value] of on(e, 'x', { signal: c.signal })) log.push('on' + value) })().catch(({ name }) => log.push(name)); setTimeout(() => { e.emit('x', 1); mark() }, 1); setTimeout(() => c.abort(), 2)`],
    ['on', `(async () => { for await (const [value] of on(e, 'x')) { log.push('on' + value); if (value === 3) break } log.push('end') })(); setTimeout(() => { e.emit('x', 1); e.emit('x', 2); mark() }, 1); setTimeout(() => { e.emit('x', 3); mark() }, 2)`],
    ['on, with an error', `(async () => { for await (const value of on(e, 'x')); })().catch((error) => log.push(error)); setTimeout(() => { e.emit('error', 'no'); mark() }, 1)`],
    ['a sleep that is aborted', `sleeps.setTimeout(50, 0, { signal: c.signal }).catch(({ name }) => log.push(name)); setTimeout(() => { c.abort(); mark() }, 1)`],
    ['a sleep that a signal might end', `sleeps.setTimeout(1, 'slept', { signal: c.signal }).then((value) => log.push(value)); setTimeout(mark, 1)`],
    ['ticks of an interval', `(async () => { const ticks = sleeps.setInterval(1, 'tick'); for (let i = 0; i < 2; i++) log.push((await ticks.next()).value); await sleeps.setTimeout(9); mark(); for (let i = 0; i < 2; i++) log.push((await ticks.next()).value); await ticks.return(); log.push('end') })()`],
    ['the end of an interval that somebody waits for', `{ const ticks = sleeps.setInterval(3, 'tick'); ticks.next().then(({ value }) => log.push(value)); ticks.return('over').then(({ value }) => log.push(value)); ticks.next().then(({ done }) => log.push(done)) }`],
    ['an interval that is aborted', `(async () => { for await (const value of sleeps.setInterval(50, 0, { signal: c.signal })); })().catch(({ name }) => log.push(name)); setTimeout(() => { c.abort(); mark() }, 1)`],
    ['a reader of a stream', `{ let source; const reader = new ReadableStream({ start(given) { source = given } }).getReader(); for (let i = 0; i < 2; i++) reader.read().then(({ value }) => log.push('read ' + value)); reader.closed.then(() => log.push('closed')); queueMicrotask(() => { source.enqueue(1); source.enqueue(2); source.close(); mark() }) }`],
  ]
  const scope = { EventEmitter, once, on, sleeps }

  describe.each(['await', 'event-loop'] as const)("of what Node settles, interleave: '%s'", (interleave) => {
    // The plain run has real timers, which come together where the machine is busy.
    test.each(waits)('%s', { retry: 3 }, async (_, body) => {
      const marking = `const mark = () => { let step = Promise.resolve(); for (let i = 1; i < 9; i++) step = step.then(() => log.push(i)) }`
      const [order] = await compareOrders([`const log = []; const e = new EventEmitter(); const c = new AbortController(); ${marking}; ${body}; await new Promise((done) => setTimeout(done, 40)); return log`], { interleave, scope })
      expect(order!.first).toBe(order!.plain)
    })
  })

  test("all of them, where steps are events", async () => {
    expect(await differing(allKinds, 500, 'event-loop')).toEqual([])
  })
})
