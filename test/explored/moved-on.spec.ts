import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

interface Source {
  next(): IteratorResult<string> | Promise<IteratorResult<string>>
}

function* values() {
  yield 'value'
}

async function* awaited() {
  await null
  yield 'value'
}

/** Of how far it has come nothing can be put back: what later executions find is not what the first one did. */
describe.each(['await', 'event-loop'] as const)('what is older than the test and can be gone through once (%s)', (interleave) => {
  const sources: Record<string, Source> = { 'a generator': values(), 'an async generator': awaited(), 'an iterator of a Map': new Map([['value', 1]]).keys() }

  test.each(Object.keys(sources))('%s: not what it has left is what fails', async (name) => {
    const { verdict, inconclusiveReason } = await explore(
      async () => {
        const log: number[] = []
        await Promise.all([1, 2].map(async (n) => {
          await null
          log.push(n)
        }))
        const { value } = await sources[name]!.next()
        expect(value).toBe('value')
        expect(log).toHaveLength(2)
      },
      { interleave },
    )
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/an iterator, or a generator, that is older than the test|older than the test could not be undone: the state of a generator/) })
  })

  test('one of the body is another one each time', async () => {
    const { verdict } = await explore(
      async () => {
        const own = [values(), awaited()]
        await Promise.all(own.map(async (source) => {
          await null
          expect((await source.next()).value).toBe('value')
        }))
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })
})
