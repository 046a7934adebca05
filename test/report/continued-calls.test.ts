import * as timersPromises from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { investigated } from './executed.ts'

const sleeps = {
  'a promise': 'const sleep = (ms) => new Promise((done) => setTimeout(done, ms))',
  'one that a callback of its own settles': 'const sleep = (ms) => new Promise((done) => setTimeout(() => done(), ms))',
  'an async function': 'const sleep = async (ms) => { await new Promise((done) => setTimeout(done, ms)) }',
  'the one of Node': "const sleep = timers.setTimeout",
}

const headlineOf = async (code: string, interleave: 'await' | 'event-loop'): Promise<string> => (await investigated(code, { interleave, given: { timers: timersPromises } })).explanation.headline

describe.each(Object.keys(sleeps) as (keyof typeof sleeps)[])('where a call only waits for a timer, it goes on in its event: by %s', (name) => {
  test.each([
    ['once', `
      const account = { total: 0 }
      async function add(n) { const total = account.total; await sleep(10); account.total = total + n }
      await Promise.all([add(1), add(2)])
      if (account.total !== 3) throw new Error('lost')`, /^Lost update on account\.total: add#2 wrote 2 from a value read before add#1 wrote 1\.$/],
    ['again and again', `
      const account = { total: 0 }
      async function add(n) { await sleep(5); const total = account.total; await sleep(10); await sleep(10); account.total = total + n }
      await Promise.all([add(1), add(2)])
      if (account.total !== 3) throw new Error('lost')`, /^Lost update on account\.total: add#2 wrote 2 from a value read before add#1 wrote 1\.$/],
    ['in a call that another one awaits', `
      const account = { total: 0 }
      const later = async (n) => { await sleep(10); return n }
      async function add(n) { const total = account.total; account.total = total + await later(n) }
      await Promise.all([add(1), add(2)])
      if (account.total !== 3) throw new Error('lost')`, /^Lost update on account\.total: add#2 wrote 2 from a value read before add#1 wrote 1\.$/],
  ])('%s', async (_, code, expected) => {
    for (const interleave of ['await', 'event-loop'] as const) expect(await headlineOf(`${sleeps[name]}\n${code}`, interleave), interleave).toMatch(expected)
  })
})

test('a callback that does something is who does it', async () => {
  expect(await headlineOf(`
    const box = { shown: '' }
    async function show(text, ms) { await new Promise((done) => setTimeout(() => { box.shown = text; done() }, ms)) }
    await Promise.all([show('old', 20), show('new', 10)])
    if (box.shown !== 'new') throw new Error('old')`, 'event-loop')).toMatch(/timer#1 wrote "old"/)
})

test('where timers race, it is a timer that has fired', async () => {
  const { explanation } = await investigated(`
    let token = 'old'
    const save = async () => { await null; token = 'new' }
    const get = async () => { await Promise.race([save(), new Promise((done) => setTimeout(done, 50))]); return token }
    if ((await get()) !== 'new') throw new Error('old')`, { interleave: 'event-loop', time: 'race', io: () => 'awaits' })
  expect(explanation.headline).toContain('timer#1')
})
