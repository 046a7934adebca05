import { describe, expect, test } from 'vitest'
import { io } from '../../src/runtime/index.ts'
import { exploreBody } from './project.ts'
import { Random } from './random.ts'

/** Orders of two kinds of jobs that the platform has, and the reference does not. */

describe('callbacks of queueMicrotask, nextTick and setImmediate that put in others have the one order that Node gives them', () => {
  /** Callbacks in callbacks, at random, each of which writes down its letter. */
  const nested = (random: Random): string => {
    let count = 0
    const block = (depth: number): string => {
      let text = ''
      for (let left = depth === 0 ? 3 : random.below(3); left > 0 && count < 12; left--) {
        const letter = String.fromCharCode(97 + count++)
        const queue = random.one(['queueMicrotask', 'queueMicrotask', 'process.nextTick', 'process.nextTick', 'setImmediate'])
        text += `${queue}(() => { log += '${letter}'; ${depth < 3 ? block(depth + 1) : ''} }); `
      }
      return text
    }
    return block(0)
  }
  const modes = ['await', 'event-loop'] as const
  const places: Record<string, (text: string) => string> = {
    'in an async function': (text) => text,
    'in a callback of a timer': (text) => `setTimeout(() => { ${text} }, 1);`,
  }

  test.each(modes.flatMap((interleave) => Object.keys(places).map((place) => ({ interleave, place }))))('%o', async ({ interleave, place }) => {
    for (let seed = 1; seed <= 25; seed++) {
      const sourceUntil = (end: string): string => `let log = ''; ${places[place]!(nested(new Random(seed)))} ${end}; return log`
      const source = sourceUntil('await new Promise((resolve) => setTimeout(resolve, 20))')
      // Node may be held up for longer than any timer.
      const run = sourceUntil('await new Promise((resolve) => setTimeout(resolve, 5)); for (let i = 0; i < 9; i++) await new Promise(setImmediate)')
      // oxlint-disable-next-line no-eval
      const plain = await (globalThis.eval(`async () => { ${run} }`) as () => Promise<string>)()
      expect({ seed, source, outcomes: (await exploreBody(source, { interleave })).outcomes }).toEqual({ seed, source, outcomes: [JSON.stringify(plain)] })
    }
  })
})

test('an immediate comes after the ticks and after the microtasks of its step', async () => {
  const { outcomes } = await exploreBody(`
    let log = ''
    setImmediate(() => { log += 'i' })
    process.nextTick(() => { log += 't' })
    queueMicrotask(() => { log += 'm' })
    await new Promise((resolve) => setTimeout(resolve, 1))
    return log`)
  expect(outcomes).toEqual(['"mti"'])
})

test('a timer comes after those of its process, whatever others of its length were set between', async () => {
  const { outcomes } = await exploreBody(`
    let log = ''
    setTimeout(() => { log += 'a' }, 9)
    let open
    const gate = new Promise((resolve) => { open = resolve })
    const other = async () => { await new Promise((resolve) => setTimeout(resolve, 5)); setTimeout(() => { log += 'b' }, 4); open() }
    const done = other()
    await gate
    setTimeout(() => { log += 'c' }, 4)
    await done
    await new Promise((resolve) => setTimeout(resolve, 9))
    return log`)
  expect(outcomes).toEqual(['"abc"', '"bac"'])
})

describe('what two steps put into a queue comes as if one of them had put in all of its own first', () => {
  const log = `let log = ''; const note = (name) => () => { log += name }; let open; const gate = new Promise((resolve) => { open = resolve });`
  /** `one` puts in a and b, `other` d, in steps that nothing orders. */
  const outcomesOf = async (one: string, other: string, end = 'await new Promise((resolve) => setTimeout(resolve, 9))', options: { interleave?: 'await' | 'event-loop' } = {}) => {
    const { outcomes } = await exploreBody(`${log} await Promise.all([(async () => { await null; ${one} })(), (async () => { await null; ${other} })()]); ${end}; return log`, options)
    return outcomes
  }

  test.each([
    ['microtasks', 'queueMicrotask(note(_))'],
    ['ticks', 'process.nextTick(note(_))'],
    ['immediates', 'setImmediate(note(_))'],
    ['timers', 'setTimeout(note(_), 3)'],
    ['reactions', 'gate.then(note(_))'],
  ])('%s', async (_name, put) => {
    const of = (name: string): string => put.replace('_', `'${name}'`)
    expect(await outcomesOf(`${of('a')}; ${of('b')}`, of('d'), 'open(); await new Promise((resolve) => setTimeout(resolve, 9))')).toEqual(['"abd"', '"dab"'])
  })

  test('also what is let go on before them', async () => {
    const settled = 'Promise.resolve().then(note(_))'
    const outcomes = await outcomesOf(`${settled.replace('_', `'r'`)}; queueMicrotask(note('a'))`, `queueMicrotask(note('d'))`)
    // It may take its time.
    expect(outcomes).toEqual(['"adr"', '"ard"', '"dar"', '"dra"', '"rad"'])
  })
})

test('what an async function returns that has a then of its own is asked before callbacks that get into the queue later', async () => {
  const { outcomes } = await exploreBody(`
    let log = ''
    const thenable = { then(resolve) { log += 't'; resolve() } }
    void (async () => thenable)()
    queueMicrotask(() => { log += 'm' })
    await new Promise((resolve) => setTimeout(resolve, 1))
    return log`)
  expect(outcomes).toContain('"tm"')
})

test('nothing comes between immediates that are there at one time', async () => {
  const source = `let log = ''; const note = (name) => () => { log += name }
    await Promise.all([(async () => { await io(1); setImmediate(note('a')); setImmediate(note('b')) })(), (async () => { await io(2); note('q')() })()])
    await new Promise((resolve) => setTimeout(resolve, 9))
    return log`
  expect((await exploreBody(source, { interleave: 'event-loop', scope: () => ({ io }) })).outcomes).toEqual(['"abq"', '"qab"'])
})
