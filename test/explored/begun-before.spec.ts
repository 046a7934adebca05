import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

test.each([
  ['microtasks', (work: () => void) => void Promise.resolve().then(() => Promise.resolve()).then(() => queueMicrotask(work))],
  ['ticks', (work: () => void) => process.nextTick(() => void Promise.resolve().then(() => process.nextTick(work)))],
])('what was begun before an exploration and goes on by %s stays so', async (_, later) => {
  const state = { started: false }
  later(() => (state.started = true))
  const { verdict } = await explore(async () => {
    const wait = async () => {
      await null
      expect(state.started).toBe(true)
    }
    await Promise.all([wait(), wait()])
    state.started = true
  })
  expect({ verdict, ...state }).toEqual({ verdict: 'holds', started: true })
})
