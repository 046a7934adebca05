/** Code under test with a race: of two refreshes that overlap the one whose answer comes last decides. */
export const cache = `
export class Cache {
  readonly values = new Map<string, string>()
  constructor(private readonly load: (key: string) => Promise<string>) {}
  async refresh(key: string): Promise<void> {
    const value = await this.load(key)
    this.values.set(key, value)
  }
}
`

/** Ordinary tests: a race, one that holds, one of one order. */
export const racing = `
import { beforeEach, expect, test, vi } from 'vitest'
import { Cache } from './cache'
let cache: Cache
let version = 0
beforeEach(() => {
  version = 0
  cache = new Cache(vi.fn(async () => 'version ' + ++version))
})
test('the last refresh wins', async () => {
  await Promise.all([cache.refresh('a'), cache.refresh('a')])
  expect(cache.values.get('a')).toBe('version 2')
})
test('two keys', async () => {
  await Promise.all([cache.refresh('a'), cache.refresh('b')])
  expect(cache.values.size).toBe(2)
})
test('one refresh', async () => {
  await cache.refresh('a')
  expect(cache.values.get('a')).toBe('version 1')
})
`
