import { expect, test } from 'vitest'
import type { Stages } from '../../src/runtime/index.ts'
import { Passes } from '../../src/testing/passes.ts'

const stages: Stages = { alone: async (_, work) => work(), explored: async (work) => typeof work === 'function' && work(), leaveState: () => {} }

test('the runner waits until an execution is asked for, and the exploration until the pass is over', async () => {
  const passes = new Passes()
  const log: string[] = []
  const explore = async (): Promise<void> => {
    for (const i of [1, 2]) log.push(`execution ${i}: ${(await passes.run(stages)).join()}`)
    passes.over()
  }
  const exploration = explore()
  const isAsked = [await passes.asked()]
  expect(passes.stages).toBe(stages)
  isAsked.push(await passes.ended(['failed']), await passes.ended([]))
  await exploration
  expect(isAsked).toEqual([true, true, false])
  expect(log).toEqual(['execution 1: failed', 'execution 2: '])
  expect(passes.stages).toBeUndefined()
})

test('a pass that is given up ends the exploration', async () => {
  const passes = new Passes()
  const exploration = passes.run(stages).finally(() => passes.over())
  const ended = expect(exploration).rejects.toThrow('skipped')
  expect(await passes.giveUp(new Error('skipped'))).toBe(false)
  await ended
})

test('an exploration that never asks', async () => {
  const passes = new Passes()
  const asked = passes.asked()
  passes.over()
  expect(await asked).toBe(false)
  expect(await passes.asked()).toBe(false)
})
