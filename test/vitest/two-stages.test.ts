import { expect, test } from 'vitest'
import type { Stages } from '../../src/runtime/index.ts'
import { TwoStages } from '../../src/vitest/passes/two-stages.ts'

const stages = (alone: Stages['alone']): Stages => ({ alone, explored: async (work) => typeof work === 'function' && work(), leaveState: () => {} })

test('what stands before the wait, then all else, then what comes after it', async () => {
  const log: string[] = []
  const parts = new TwoStages(stages(async (name, work) => (log.push(`stage ${name}`), work())), 'fixture')
  const done = parts.begin(
    async (wait) => {
      log.push('begins')
      await wait('made')
      log.push('goes on')
      return 'done'
    },
    (value) => log.push(`reached with ${value as string}`),
  )
  log.push('all else')
  await parts.end()
  expect(await done).toBe('done')
  expect(log).toEqual(['begins', 'reached with made', 'all else', 'stage fixture', 'goes on'])
})

test('what cannot go on in a stage goes on without', async () => {
  const parts = new TwoStages(stages(() => Promise.reject(new Error('no stage any more'))), 'fixture')
  const done = parts.begin(async (wait) => (await wait(), 'done'), () => {})
  await parts.end()
  expect(await done).toBe('done')
})

test('and if it cannot go on at all, nobody waits for it', async () => {
  const parts = new TwoStages(stages(() => Promise.reject(new Error('it waits for ever'))), 'fixture')
  const done = parts.begin(async (wait) => (await wait(), new Promise(() => {})), () => {})
  const given = expect(done).rejects.toThrow('it waits for ever')
  await parts.end()
  await given
})
