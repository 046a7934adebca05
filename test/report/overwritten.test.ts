import { describe, expect, test } from 'vitest'
import { investigated, toldOf } from './executed.ts'

/** `handle` is told who asks, and says later who has asked. */
const requests = (handle: string): string => `
  let current
  const answers = await Promise.all(['ann', 'bob'].map(${handle}))
  if (answers.join() !== 'ann,bob') throw new Error(answers.join())`

describe('what a process has written is overwritten before it comes back', () => {
  test('by another call of the same function', async () => {
    expect(await toldOf(requests('async function handle(user) { current = user; await null; return current }'))).toEqual([
      'Last write wins on current: handle#2 wrote "bob" over the "ann" of handle#1, which then read "bob".',
      'handle#1: write current = "ann"',
      'handle#2: write current = "bob" <- overwrites 1',
      'handle#1: read current -> "bob" <- sees what 2 wrote',
    ])
  })

  test('which every order does: it passes when one call ends before the next begins', async () => {
    const { explanation } = await investigated(requests('async function handle(user) { current = user; await null; return current }'))
    expect(explanation).toMatchObject({ kind: 'last-write-wins', failing: { areAll: true, sequentially: 'passes' } })
    // The execution that passes is not part of the story, which goes from one process to another.
    expect(Object.keys(explanation.failing!).toSorted()).toEqual(['areAll', 'executions', 'sequentially'])
  })

  test('and turned round it passes', async () => {
    const { explanation } = await investigated(requests('async function handle(user) { await null; current = user; await null; return current }'))
    expect(explanation.kind).toBe('last-write-wins')
    expect(explanation.passesWith).toBeDefined()
  })

  test('a message to somebody else that is answered there is not', async () => {
    const { explanation } = await investigated(`
      let slot, done = 0
      const ask = async () => { slot = 'question'; await null; while (slot === 'question') await null; return slot }
      const answer = async () => { await null; slot = 'answer' }
      const count = async () => { await null; const n = done; await null; done = n + 1 }
      await Promise.all([ask(), answer(), count(), count()])
      if (done !== 2) throw new Error('lost')`)
    expect(explanation).toMatchObject({ kind: 'lost-update', headline: expect.stringContaining('done') })
  })
})

describe('where every order fails, and one call after the other passes', () => {
  test('what is looked at is something else then', async () => {
    // Both find it idle, whoever comes first; and only where they overlap, both find nothing sold.
    const { explanation } = await investigated(`
      const shop = { isIdle: true, isSold: false, shipped: 0 }
      const sell = async () => {
        const wasIdle = shop.isIdle, isFree = !shop.isSold
        await null
        shop.isIdle = false
        if (isFree) shop.isSold = true, shop.shipped++
        await null
        shop.isIdle = true
      }
      await Promise.all([sell(), sell()])
      if (shop.shipped !== 1) throw new Error('shipped twice')`)
    expect(explanation.headline).toContain('shop.isSold')
  })
})

test('what is told as overwritten is what the last one has found there, not what was there before that', async () => {
  const { explanation: { headline, rows } } = await investigated(`
    const online = new Map()
    const join = async (socket) => { online.set('ann', { socket }); await null }
    const leave = async () => { await null; online.delete('ann') }
    await join('s1')
    await Promise.all([leave(), join('s2')])
    if (!online.has('ann')) throw new Error('gone')`)
  expect(headline).toBe('Last write wins on online.get("ann"): leave#1 removed the {"socket":"s2"} of join#1, and test then read false.')
  expect(rows.map(({ text, note }) => [text, note])).toEqual([
    ['write online.get("ann") = {"socket":"s1"}', undefined],
    ['write online.get("ann") = {"socket":"s2"}', undefined],
    ['remove online.get("ann")', 'overwrites 2'],
    ['read online.get("ann") -> false', 'sees what 3 wrote'],
  ])
})
