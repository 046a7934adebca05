import { expect, test } from 'vitest'
import { exploreRecorded } from '../../src/runtime/index.ts'
import { load, loaded } from './uninstrumented/lazily-loaded.ts'

/** What it uses is loaded by its first run, for longer than the plain run of a test works that can be explored in its time. */
async function verdictWhereLoading(): Promise<string> {
  loaded(false)
  const exploration = await exploreRecorded(
    async () => {
      for (let i = 0; i < 10; i++) {
        load(120)
        await new Promise((resolve) => setImmediate(resolve))
      }
      loaded(true)
    },
    { maxTime: 500, plainTime: 600_000, interleave: 'event-loop' },
  )
  return exploration.result.verdict
}

test('the first plain run of a thread, which compiles and loads what it uses, may work for as long as it may wait; later ones may not', async () => {
  expect([await verdictWhereLoading(), await verdictWhereLoading()]).toEqual(['holds', 'inconclusive'])
})
