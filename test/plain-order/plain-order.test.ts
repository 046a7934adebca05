import { describe, expect, test } from 'vitest'
import { Random } from '../reference/random.ts'
import { compareOrders } from './compare.ts'
import { allKinds, generate, type Kinds } from './generate.ts'
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

  test("all of them, where steps are events", async () => {
    expect(await differing(allKinds, 500, 'event-loop')).toEqual([])
  })
})
