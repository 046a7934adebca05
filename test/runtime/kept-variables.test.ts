import { expect, test } from 'vitest'
import { findVariables, keepVariables, putVariablesBack } from '../../src/runtime/execution/kept-variables.ts'

test('variables are put back, and so are lists: those that are held, and those of what is held', () => {
  let next = 1
  const tasks = [{ n: 1 }]
  const shared: { errors: unknown[]; other: object | null } = { errors: [], other: null }
  keepVariables(() => [next], (value) => (next = value as number), () => [tasks, shared, undefined, () => tasks])
  tasks.push({ n: 2 })
  findVariables()
  const [first, second] = tasks
  next = 5
  tasks.shift()
  tasks.push({ n: 3 }, { n: 4 })
  shared.errors.push(new Error('given up'))
  putVariablesBack()
  expect(next).toBe(1)
  expect([tasks.length, tasks[0] === first, tasks[1] === second, shared.errors]).toEqual([2, true, true, []])
})

test('a list that has become frozen stays as it is', () => {
  const list = [1, 2]
  keepVariables(() => [], () => {}, () => [list])
  list.pop()
  findVariables()
  Object.freeze(list)
  expect(putVariablesBack).not.toThrow()
  expect(list).toEqual([1])
})
