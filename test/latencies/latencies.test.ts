import { MessageChannel } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { exploreBody } from '../reference/project.ts'
import { validity } from '../../src/engine/validity.ts'
import { scope } from '../reference/scope.ts'
import { io } from '../../src/runtime/index.ts'
import { compare } from './compare.ts'
import { enumerate } from './enumerate.ts'
import { generate, type Kind } from './generate.ts'
import { lostBetween } from './inclusion.ts'

async function wrong(kind: Kind, seeds: readonly number[], time: 'idle' | 'race' = 'idle'): Promise<unknown[]> {
  const found = []
  for (const seed of seeds) {
    const source = generate(kind, seed)
    const { status, lost, invented, error } = await compare(source, { scope, time })
    if (status !== 'agrees' && status !== 'too large') found.push({ source, lost, invented, error })
  }
  return found
}

/** The order in which Node runs a timer of a millisecond, and two immediates one of which sets the other once an answer has come after so many milliseconds. */
function withLatency(milliseconds: number): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  const log: string[] = []
  return new Promise((resolve) => {
    const note = (text: string): void => {
      log.push(text)
      if (log.length < 3) return
      port1.close()
      resolve(log.join())
    }
    const start = performance.now()
    setTimeout(note, 1, 'timer')
    port1.on('message', () => {
      // Not yet there.
      if (performance.now() - start < milliseconds) return port2.postMessage(0)
      setImmediate(() => {
        note('first')
        setImmediate(note, 'second')
      })
    })
    port2.postMessage(0)
  })
}

describe("interleave: 'event-loop' has the outcomes that latencies can have on Node", () => {
  test.each<[Kind, number]>([
    ['state', 70],
    ['promises', 70],
    ['asks', 40],
    ['settling', 40],
    ['combining', 40],
    ['immediates', 40],
    ['calls', 110],
    ['streams', 12],
    ['idioms', 40],
    ['platform', 40],
    ['nodeStreams', 40],
    ['webStreams', 60],
    ['bodies', 30],
    ['emitters', 30],
  ])('random bodies about %s', async (kind, count) => {
    expect(await wrong(kind, Array.from({ length: count }, (_, i) => i + 1))).toEqual([])
  })

  test.each(['idle', 'race'] as const)("random bodies about timers, by time: '%s'", async (time) => {
    expect(await wrong('timers', Array.from({ length: 70 }, (_, i) => i + 1), time)).toEqual([])
  })

  test("random bodies about immediates, by time: 'race'", async () => {
    expect(await wrong('immediates', [9_200_038, 9_200_142, 9_200_174, 9_200_208, ...Array.from({ length: 40 }, (_, i) => i + 1)], 'race')).toEqual([])
  })

  test.each([9_200_497, 9_200_868])("timers and immediates that are due at one time, by time: 'race': %s", async (seed) => {
    expect(await wrong('timers', [seed], 'race')).toEqual([])
  })

  test('on Node a timer can come between an immediate and one that it sets, though nothing takes any time but an answer', async () => {
    const found = new Set<string>()
    const until = performance.now() + 8000
    for (let i = 0; performance.now() < until && found.size < 3; i++) found.add(await withLatency(0.5 + (i % 150) / 100))
    expect([...found].toSorted()).toEqual(['first,second,timer', 'first,timer,second', 'timer,first,second'])
  }, 20_000)

  const orders = (tasks: string): string => `const log = []; const sleep = (ms) => new Promise((end) => setTimeout(end, ms)); await Promise.all([${tasks}]); return log.join()`

  test.each([
    ['a timeout and an answer', orders(`sleep(9).then(() => log.push('T')), io(null).then(() => log.push('A'))`), 2],
    ['two answers between two timers of one step', orders(`sleep(5).then(() => log.push(5)), sleep(9).then(() => log.push(9)), io(null).then(() => log.push('A'))`), 3],
    ['a long timer before a shorter one that is set late', orders(`sleep(9).then(() => log.push(9)), io(null).then(() => sleep(5)).then(() => log.push(5))`), 2],
    // The answer comes before 2, so what it sets is due before 9.
    ['three timers that leave no time', orders(`(async () => { log.push(await Promise.race([sleep(2).then(() => 'late'), io('in time')])); await sleep(1); log.push(1) })(), sleep(9).then(() => log.push(9))`), 2],
    ['a timer between an immediate and one that it sets', orders(`sleep(9).then(() => log.push('T')), io(null).then(() => new Promise((end) => setImmediate(() => { log.push(1); setImmediate(() => { log.push(2); end() }) })))`), 3],
    ['no immediate between two timers that one step has set', orders(`sleep(5).then(() => log.push('A')), sleep(5).then(() => log.push('B')), io(null).then(() => new Promise(setImmediate)).then(() => log.push('I'))`), 2],
  ])("time: 'race': %s", async (_, source, outcomes) => {
    const expected = (await enumerate(source, { limit: 1000, time: 'race' })).outcomes
    expect(expected).toHaveLength(outcomes)
    expect((await exploreBody(source, { scope: () => ({ io }), interleave: 'event-loop', time: 'race', skipsPlainRun: true })).outcomes).toEqual(expected)
  })

  test.each([
    ['answers of one call, and its caller', `const log = []; const f = async (n) => { await io(null); log.push(n); await io(null); log.push(n) }; await Promise.all([f(1), f(2)]); return log`, 6],
    ['a call that is waited for once it has asked', `const log = []; const f = async (n) => { for (let i = 0; i < n; i++) await io(null); log.push(n) }; const first = f(1), second = f(2); await first; log.push('first'); await second; return log`, 2],
    ['the last part of a whole goes on', `const log = []; const f = (n) => io(n).then(() => log.push(n)); const g = async () => { await Promise.all([f(1), f(2), f(3)]); log.push('all') }; await Promise.all([g(), io(4).then(() => log.push(4))]); return log`, 24],
    ['the first of a race', `const a = io(1), b = io(2); return [await Promise.race([a, b]), await Promise.any([io(3), b])]`, 3],
    ['two that settle one promise', `let done; const p = new Promise((resolve) => { done = resolve }); io(1).then(done); io(2).then(done); return await p`, 2],
    ['reactions in the order of their registration', `let done; const p = new Promise((resolve) => { done = resolve }); const log = []; const wait = async (n) => { await io(null); await p; log.push(n) }; setTimeout(done, 5); await Promise.all([wait(1), wait(2)]); return log`, 2],
    ['timers after answers, in the order in which they are due', `const log = []; const sleep = (ms) => new Promise((end) => setTimeout(end, ms)); const f = async () => { await sleep(5); await sleep(5); log.push('f') }; const g = async () => { await sleep(10); log.push('g') }; await Promise.all([f(), g(), io(null).then(() => log.push('io'))]); return log`, 1],
    ['ticks before microtasks after a timer, an immediate and an event, and behind them after an answer', `const log = []; const both = (name) => { queueMicrotask(() => log.push(name + ' microtask')); process.nextTick(() => log.push(name + ' tick')) }; const e = new EventEmitter(); both('body'); await io(1); both('answer'); setTimeout(() => { both('timer'); e.emit('event') }, 1); setImmediate(() => both('immediate')); e.on('event', () => both('event')); await new Promise((end) => setTimeout(end, 5)); return log`, 1],
    ['immediates in their order, with nothing between those that Node takes together', `const log = []; const turn = (n) => new Promise((end) => setImmediate(() => { log.push(n); end() })); await Promise.all([turn(1), turn(2), io(3).then((n) => log.push(n))]); return log`, 2],
    // What the second one logs tells whether the answer was there before it: then what comes of that is in no later turn.
    ['immediates that others set come in the turn after theirs', `const log = []; const x = { a: 0, b: 1 }; const first = async () => { void io(1).then(() => { setImmediate(() => { setImmediate(() => { log.push(x.b) }); setImmediate(() => { x.b = 4 }) }); setImmediate(() => { setImmediate(() => { x.b++ }); log.push(x.a) }) }) }; const second = async () => { void io(2).then(() => { x.a++; setImmediate(() => { setImmediate(() => { x.b = 4; log.push(x.b) }); x.a = 0 }) }) }; await Promise.all([first(), second()]); await new Promise((end) => setTimeout(end, 30)); return [log, x.a, x.b]`, 4],
  ])('%s', async (_, source, outcomes) => {
    const expected = (await enumerate(source, { scope, limit: 1000 })).outcomes
    expect(expected).toHaveLength(outcomes)
    expect((await exploreBody(source, { scope: () => ({ ...scope(), io }), interleave: 'event-loop', skipsPlainRun: true })).outcomes).toEqual(expected)
  })

  test('awaits of files that stand for I/O are answers, but for what has to come anyway', async () => {
    const source = `const log = []; let end; const p = new Promise((r) => { end = r })
const f = async (n) => { await null; log.push(n); await p; log.push(n) }
const all = Promise.all([f(1), f(2)]); setTimeout(end, 1); await all; return log`
    expect(await exploreBody(source, { interleave: 'event-loop', io: 'awaits', skipsPlainRun: true })).toMatchObject({ outcomes: ['[1,2,1,2]', '[2,1,2,1]'] })
    expect(await exploreBody(source, { interleave: 'event-loop' })).toMatchObject({ outcomes: ['[1,2,1,2]'], executions: 1 })
  })

  test('what an async function returns without awaiting anything is an answer, where its file is named', async () => {
    const source = `let n = 0; const ready = async () => {}; const add = async () => { await ready(); const found = n; await ready(); n = found + 1 }; await Promise.all([add(), add()]); return n`
    expect(await exploreBody(source, { interleave: 'event-loop', io: 'answers', skipsPlainRun: true })).toMatchObject({ verdict: 'holds', outcomes: ['1', '2'] })
    expect(await exploreBody(source, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', outcomes: ['1'], executions: 1 })
  })

  test('a rejection that is handled in the same event is no unhandled one, and a later one is', async () => {
    const source = `const failing = (async () => { throw 'e' })(); await null; await null; await failing.catch(() => {}); return 'handled'`
    expect((await exploreBody(source, { interleave: 'event-loop' })).outcomes).toEqual(['handled'].map((text) => JSON.stringify(text)))
    const late = source.replaceAll('await null', 'await io(null)')
    expect((await exploreBody(late, { scope: () => ({ io }), interleave: 'event-loop', skipsPlainRun: true })).outcomes).toEqual(['unhandled rejection e'])
  })

  test('one execution is the plain run, and shows nothing of the others', async () => {
    const source = `const log = []; await Promise.all([1, 2].map((n) => io(n).then(() => log.push(n)))); return log`
    const explored = await exploreBody(source, { scope: () => ({ io }), interleave: 'event-loop', limit: 1 })
    expect(explored).toMatchObject({ verdict: 'inconclusive', executions: 1, outcomes: ['[1,2]'] })
  })

  test('an event that never ends is a livelock, as on Node nothing else would run any more', async () => {
    const source = `let ready = false; setTimeout(() => { ready = true }, 1); while (!ready) await null; return 1`
    expect(await exploreBody(source, { interleave: 'event-loop' })).toMatchObject({ verdict: 'fails', outcomes: ['livelock'] })
  })
})

describe("what can happen where a step is an event can happen by `interleave: 'await'` too", () => {
  const lost = async (source: string): Promise<readonly string[]> => (await lostBetween(source, { interleave: 'event-loop' }, { interleave: 'await' })) ?? []

  test.each([
    ['an answer is later than what is there', `return await Promise.race([io(1), null])`, ['1', 'null']],
    ['two answers', `return await Promise.race([io(1), io(2)])`, ['1', '2']],
    ['an answer that fails is not the first', `return await Promise.any([io(Promise.reject('no')), io(1), io(2)])`, ['1', '2']],
    ['an answer that is passed on', `return await Promise.race([(async () => io(1))(), new Promise((end) => end(io(2)))])`, ['1', '2']],
    ['races of races', `return await Promise.race([Promise.race([io(1), io(2)]), Promise.any([io(3)])])`, ['1', '2', '3']],
    ['a race with one of an answer, and with what takes several microtasks', `return await Promise.race([Promise.race([io(1), 2]), io(3).finally(() => {})])`, ['1', '2', '3']],
    ['a race with all of several answers themselves', `class Special extends Promise {}; return String(await Promise.race([Special.resolve('s'), Promise.all([io(1), 2])]))`, ['"1,2"', '"s"']],
    ['the first of a class that extends Promise', `class Special extends Promise {}; return await Special.race([io(1), io(2)])`, ['1', '2']],
    ['the first of such a class that fails', `class Special extends Promise {}; return await Special.all([io(Promise.reject(1)), io(Promise.reject(2))]).catch((error) => error)`, ['1', '2']],
    ['what such a class passes on', `class Special extends Promise {}; return await Special.race([Special.resolve(1).then().then().then().then(), Special.resolve(io(2)).catch(() => 0)])`, ['1', '2']],
    ['what waits for a promise itself, and for an answer after it', `const log = []; let end; const p = new Promise((resolve) => { end = resolve }); const waits = (async () => { await io(p); log.push('answer') })(); const reacts = p.then(() => log.push('promise')); end('x'); await Promise.all([waits, reacts]); return log.join()`, ['"answer,promise"', '"promise,answer"']],
    ['what has won is the first all the same', `return await Promise.race([null, io(1)])`, ['null']],
  ])('%s', async (_, source, outcomes) => {
    expect(await lost(source)).toEqual([])
    expect((await exploreBody(source, { scope: () => ({ io }) })).outcomes).toEqual(outcomes)
  })

  test.each([
    // A decision comes behind one that has been taken already, in whatever order they are planned.
    ['1, 5', `class Special extends Promise {}; Promise.race([Special.all([io(5), Special.resolve(7)]).then(String)]); return await Promise.race([Special.resolve(5), Promise.race([Special.allSettled([0]), new Promise((resolve) => resolve(io(5)))])])`],
    ['1, 6', `class Special extends Promise {}; return await Promise.any([Special.race([Promise.race([new Promise((resolve) => resolve(Special.resolve(5))), Promise.reject('e'), Promise.resolve(3)]), Special.any([1, new Promise((resolve) => resolve(Special.resolve(4)))]).catch(() => 0)]).catch(() => 0), Promise.allSettled([io(6)]).finally(() => {})])`],
    ['a thenable', `const late = async (v) => { await io(null); return v }; const thenable = { then(resolve) { resolve(8) } }; Promise.race([(async () => late(2))(), io(3)]); return await Promise.race([Promise.race([(async () => late(2))(), new Promise((resolve) => resolve((async () => Promise.resolve(3))()))]).finally(() => {}), thenable])`],
  ])('races within races: %s', async (_, source) => expect(await lost(source)).toEqual([]))

  test('random bodies', async () => {
    const all = []
    for (const seed of [5041, 5042, 5058, 5059, ...Array.from({ length: 10 }, (_, i) => 200 + i)]) {
      const source = generate('mixed', seed)
      for (const outcome of await lost(source)) all.push({ seed, outcome, source })
    }
    expect(all).toEqual([])
  })

  test.each([1171, 52_240])('decisions whose order hangs on steps that do not conflict with theirs come in any order: %s', async (seed) => {
    validity.checked = false
    try {
      expect(await lost(generate('combining', seed))).toEqual([])
    } finally {
      validity.checked = true
    }
  })

  test('random bodies about combinators of combinators', async () => {
    const all = []
    for (const seed of [1439, 4338, ...Array.from({ length: 40 }, (_, i) => 300 + i)]) {
      const source = generate('combining', seed)
      for (const outcome of await lost(source)) all.push({ seed, outcome, source })
    }
    expect(all).toEqual([])
  })
})

describe("what can happen where time passes when nothing else can run can happen by `time: 'race'` too", () => {
  const lostBy = async (source: string, interleave: 'await' | 'event-loop'): Promise<readonly string[]> => (await lostBetween(source, { interleave }, { interleave, time: 'race' })) ?? []

  test.each([
    ['a tick before a microtask', `const log = []; process.nextTick(() => log.push('tick')); queueMicrotask(() => log.push('microtask')); await null; log.push('await')`],
    ['an immediate before a tick', `const log = []; setImmediate(() => log.push('immediate')); process.nextTick(() => log.push('tick')); await null; log.push('await')`],
    ['an immediate before a microtask', `const log = []; setImmediate(() => log.push('immediate')); queueMicrotask(() => log.push('microtask'))`],
  ])('%s', async (_, source) => {
    const body = `${source}; await new Promise((end) => setTimeout(end, 5)); return log.join()`
    expect([await lostBy(body, 'await'), await lostBy(body, 'event-loop')]).toEqual([[], []])
    expect((await exploreBody(body, { time: 'race' })).outcomes).not.toEqual([])
  })

  test('random bodies about ticks, immediates and timers', async () => {
    const lost = []
    for (const seed of [28, 78, ...Array.from({ length: 12 }, (_, i) => 100 + i)]) {
      const source = generate('mixed', seed)
      for (const outcome of [...(await lostBy(source, 'await')), ...(await lostBy(source, 'event-loop'))]) lost.push({ seed, outcome, source })
    }
    expect(lost).toEqual([])
  })
})
