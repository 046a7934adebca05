import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { investigated, madeOf } from './executed.ts'

const testFile = '/app/unheard.spec.cjs'
const io = ({ file }: { file: string }): 'awaits' | 'nothing' => (file === testFile ? 'awaits' : 'nothing')

/** What is told in one mode: of what kind it is, and what is read first. */
async function toldOf(code: string, given: object, interleave: 'await' | 'event-loop'): Promise<{ kind: string; text: string }> {
  const { message, explanation } = await investigated(code, { given, testFile, interleave, ...(interleave === 'event-loop' && { io }) })
  return { kind: explanation.kind, text: stripVTControlCharacters(message).replaceAll(/\s+/g, ' ') }
}

/** Who comes to the limit waits for the first of all, and for what comes of that nobody does. */
const eachOf = madeOf(
  `return async (items, task, limit) => {
    const all = []
    let index = 0
    const one = async (item) => { try { await task(item) } finally { next() } }
    const next = () => {
      if (index >= items.length) return
      const item = items[index++]
      all.push(one(item))
      if (all.length >= limit) Promise.race(all).then(next)
      else next()
    }
    next()
    await Promise.all(all)
  }`,
  '/app/each.cjs',
)

describe.each(['await', 'event-loop'] as const)('by %s', (mode) => {
  test('a rejection that nobody handles is told as that, though what comes first decides whether it shows', async () => {
    const { kind, text } = await toldOf(
      `const work = async (item) => { await null; if (item === 'a') throw Object.assign(new Error('bad item'), { stack: 'Error: bad item\\n    at work (/app/unheard.spec.cjs:1:1)' }) }
      await eachOf(['a', 'b', 'c'], work, 2).catch(() => {})`,
      { eachOf },
      mode,
    )
    expect(kind).toBe('unhandled-rejection')
    expect(text).toMatch(/^A promise was rejected and nothing handled it; /)
    if (mode === 'await') expect(text).toMatch(/It is that of Promise\.race\(all\)\.then\(next\)\./)
  })

  test('of a chain it is the last promise that nothing handles', async () => {
    const { text } = await toldOf(
      `const locate = (error) => { throw new Error('at country: ' + error.message) }
      const field = () => {
        const result = (async () => { await null; throw new Error('no country') })()
        const completed = result.then((value) => value)
        return completed.then(undefined, locate)
      }
      try { [field(), JSON.parse('')] } catch {}
      await null`,
      {},
      mode,
    )
    expect(text).toMatch(/^A promise was rejected and nothing handled it; /)
    if (mode === 'await') expect(text).toMatch(/It is that of completed\.then\(.+?\)\. /)
  })

  test('what somebody throws because of what another one has taken away is a race', async () => {
    const { text } = await toldOf(
      `const kept = { user: { name: 'ann' } }
      const show = async () => { await null; return kept.user.name }
      const leave = async () => { await null; kept.user = undefined; await null }
      show()
      await leave()`,
      {},
      mode,
    )
    expect(text).toMatch(/^Order violation on kept\.user: \S+ read undefined after \S+ wrote undefined\./)
  })
})

test('what it is called stands first where it shows only once something takes time', async () => {
  const page = madeOf("return async (api) => { const pending = api.orders(); const user = await api.user(); return { user, orders: await pending } }", '/app/page.cjs')
  const { text } = await toldOf(`
    const api = { user: vi.fn(async () => 'ann'), orders: vi.fn(async () => { throw new Error('503') }) }
    let message
    try { await page(api) } catch (error) { message = error.message }
    if (message !== '503') throw new Error('wrong')`, { page, vi }, 'event-loop')
  expect(text).toMatch(/^Unhandled rejection once this takes time: mock api\.orders and mock api\.user\. In the plain order none of it does, and the test passes\./)
})
