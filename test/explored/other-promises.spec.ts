import { afterAll, beforeAll, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const { Promise: ofPlatform } = globalThis
beforeAll(() => void (globalThis.Promise = class extends ofPlatform<unknown> {} as PromiseConstructor))
afterAll(() => void (globalThis.Promise = ofPlatform))

const counting = (add: (state: { n: number }) => Promise<void>) => explore({ setup: () => ({ n: 0 }), tasks: [add, add], invariant: ({ n }: { n: number }) => n === 2 })

test("where the global Promise is not the platform's, nothing holds", async () => {
  const { verdict, inconclusiveReason } = await counting(async (state) => void state.n++)
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining("the global Promise is not the platform's") })
})

test('but what fails does', async () => {
  const { verdict } = await counting(async (state) => {
    const { n } = state
    await null
    state.n = n + 1
  })
  expect(verdict).toBe('fails')
})
