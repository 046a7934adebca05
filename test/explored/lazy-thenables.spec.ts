import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { order } from './instrumented/thenable-order.ts'
import { lengthOf } from './uninstrumented/lazy.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

const here = import.meta.filename

const ways: Record<string, (lazy: () => PromiseLike<number>) => PromiseLike<number>> = {
  'await': async (lazy) => {
    const length = await lazy()
    return length
  },
  'return in an async function': async (lazy) => lazy(),
  'return of a reaction': (lazy) => Promise.resolve().then(() => lazy()),
  'Promise.resolve': (lazy) => Promise.resolve(lazy()),
  'Promise.race': (lazy) => Promise.race([lazy(), new Promise<never>(() => {})]),
  'new Promise': (lazy) => new Promise((resolve) => resolve(lazy())),
  'the body': (lazy) => lazy(),
}

test.each(Object.keys(ways))('%s: what begins something real only once it is waited for is waited for', async (way) => {
  const found = await outcomes(async () => (await ways[way]!(() => lengthOf(here))) > 0, { interleave: 'event-loop' })
  expect(found).toMatchObject({ verdict: 'holds', seen: ['true'] })
})

test('a body may return it', async () => {
  expect(await explore(() => lengthOf(here), { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', failures: [] })
})

test('two of them come in either order', async () => {
  const found = await outcomes(async () => {
    const came: string[] = []
    await Promise.all(['a', 'b'].map(async (name) => {
      await lengthOf(here)
      came.push(name)
    }))
    return came
  }, { interleave: 'event-loop' })
  expect(found).toMatchObject({ verdict: 'holds', seen: ['["a","b"]', '["b","a"]'] })
})

test('its error is that of whoever waits', async () => {
  const found = await explore(async () => {
    await expect((async () => lengthOf('/nowhere'))()).rejects.toThrow('ENOENT')
  }, { interleave: 'event-loop' })
  expect(found).toMatchObject({ verdict: 'holds', failures: [] })
})

test('what is settled within the step goes on in the microtask in which the platform goes on', async () => {
  const plain = await order()
  expect(plain.split(', ')).toHaveLength(14 + 18)
  expect(await outcomes(order, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', seen: [JSON.stringify(plain)] })
})
