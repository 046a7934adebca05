import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { explore, type Exploration } from 'vitest-dpor'

const results: Exploration[] = []

/** In the time of the test there are two executions, and none that would show the failure of the second one again. */
async function once(work: () => Promise<unknown>): Promise<void> {
  results.push(
    await explore(async () => {
      let last = ''
      const put = async (value: string): Promise<void> => {
        await null
        last = value
      }
      await Promise.all([put('a'), put('b')])
      await work()
      expect(last).toBe('b')
    }),
  )
}

test('of what is outside', { timeout: 5_000 }, () => once(() => promisify(execFile)(process.execPath, ['-e', 'setTimeout(() => {}, 1500)'])))

test('a failure that there was no time to run again is none where the body works with what is outside', () => {
  expect(results).toMatchObject([{ verdict: 'inconclusive', failures: [] }])
})
