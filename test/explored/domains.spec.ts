import domain from 'node:domain'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const inDomain = <T>(work: (done: (value: T) => void) => void): Promise<T> => new Promise((resolve) => domain.create().run(() => work(resolve)))

const current = (): unknown => Reflect.get(process, 'domain')

test.each(['event-loop', 'await'] as const)("callbacks are called in the domain in which they were handed over, by '%s'", async (interleave) => {
  const found = await explore(async () => {
    const kept = () => inDomain<boolean>((done) => {
      const before = current()
      setTimeout(() => void Promise.resolve().then(() => done(before !== null && current() === before)), 1)
    })
    expect(await Promise.all([kept(), kept()])).toEqual([true, true])
  }, { interleave })
  expect(found.verdict).toBe('holds')
})

test('each execution begins outside of all domains as the first one did', async () => {
  Reflect.set(process, 'domain', null)
  const found = await explore(async () => {
    expect(current()).toBe(null)
    await Promise.all([1, 2].map(() => inDomain<void>((done) => setTimeout(done, 1))))
  })
  expect(found).toMatchObject({ verdict: 'holds', failures: [] })
})
