import { afterAll, beforeAll, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'
import { polyfills } from './uninstrumented/polyfills.ts'

const { prototype } = Array
const own = Object.getOwnPropertyDescriptor(prototype, 'push')!
beforeAll(() => void Object.defineProperty(prototype, 'push', { ...own, value: polyfills.push }))
afterAll(() => void Object.defineProperty(prototype, 'push', own))

test('what stands in the place of a method of the platform means the same', async () => {
  const subject = { setup: () => [] as string[], tasks: ['a', 'b'].map((name) => async (list: string[]) => { list.push(name); await null; return list.join() }) }
  expect(await outcomesOf(subject)).toEqual({ verdict: 'holds', executions: 4, outcomes: ['["a","a,b"]', '["a,b","a,b"]', '["b,a","b"]', '["b,a","b,a"]'] })
  expect((await explore(subject)).opaque).toEqual([])
})

test('lists of their own are in no conflict', async () => {
  const { verdict, executions } = await explore({ tasks: ['a', 'b'].map((name) => async () => [name].push(name)) })
  expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
})
