import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated } from './executed.ts'

const box = (rest: string): string => `
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  class Box {
    results = []
    type(query) { this.timer = setTimeout(() => this.search(query), 300) }
    async enter(query) { clearTimeout(this.timer); await this.search(query) }
    async search(query) { this.results = await find(query) }
  }
  const find = async (query) => ['vite', 'vitest'].filter((title) => title.startsWith(query))
  const box = new Box()
  box.type('vi')
  await sleep(300)
  ${rest}
  await sleep(300)
  expect(box.results).toEqual(['vitest'])`

async function storyOf(rest: string, interleave: 'await' | 'event-loop' = 'await'): Promise<{ headline: string; columns: string[] }> {
  const { explanation } = await investigated(box(rest), { interleave, io: () => 'awaits', given: { expect } })
  return { headline: stripVTControlCharacters(explanation.headline), columns: explanation.columns.map(({ name }) => name) }
}

describe('what the body does in one call alone is done by that, and not by the test', () => {
  test.for(['await', 'event-loop'] as const)('%s', async (interleave) => {
    const { headline, columns } = await storyOf(`await box.enter('vitest')`, interleave)
    expect(headline).toMatch(/^Last write wins on box\.results: \S+#1 wrote \["vite","vitest"\] over the \["vitest"\] of box\.enter\('vitest'\)\./)
    expect(columns).toContain("box.enter('vitest')")
  })

  test('without its arguments, where it is long', async () => {
    expect((await storyOf(`await box.enter(['vi', 'te', 'st'].map((part) => part).join(''))`)).columns).toContain('box.enter(…)')
  })

  test('but not what it does itself', async () => {
    expect((await storyOf(`box.results = await find('vitest')`)).columns).toContain('test')
  })

  test('nor in two calls', async () => {
    const { explanation } = await investigated(`
      const account = { balance: 100, async look() { await null; return this.balance }, async put(balance) { await null; this.balance = balance } }
      const fee = async () => { await null; account.balance -= 10 }
      const paid = fee()
      const balance = await account.look()
      await account.put(balance - 80)
      await paid
      if (account.balance !== 10) throw new Error('wrong')`)
    expect(explanation.headline).toMatch(/test wrote 20 from a value read before fee#1 /)
  })
})
