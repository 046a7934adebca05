import { expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'

const turn = () => new Promise((end) => setImmediate(end))

/** In the plain run a mock answers at once; in the others its answer is an event. Here the failing order reads as that of the plain run, 0.1.2. */
test('a failure that is told by the schedule of the plain run is not taken for one of that run', async () => {
  const ask = vi.fn(async () => 'answer')
  const found = await explore(
    async () => {
      const answers: string[] = []
      const asks = async () => {
        void (async () => answers.push(await ask()))()
        await turn()
        expect(answers).toEqual(['answer'])
        await turn()
      }
      await asks()
    },
    { interleave: 'event-loop' },
  )
  expect(found).toMatchObject({ verdict: 'fails', plainPasses: true })
  expect(found.failures[0]!.error).toMatchObject({ message: expect.stringContaining('expected [] to deeply equal') })
})
