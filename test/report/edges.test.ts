import { expect, test } from 'vitest'
import { investigated } from './executed.ts'

test('first parts of calls run in one step: who waits comes after the one who has taken what it waits for', async () => {
  const { explanation } = await investigated(`
    const held = [false, false, false], waiting = [[], [], []]
    const take = async (i) => { while (held[i]) await new Promise((wake) => waiting[i].push(wake)); held[i] = true }
    const both = async (i, j) => { await take(i); await null; await take(j) }
    await Promise.all([both(0, 1), both(1, 2), both(2, 0)])`)
  const { rows, edges } = explanation
  const textOf = (number: number): string => rows[number - 1]!.text
  expect(edges.map(({ from, to }) => `${textOf(from)}; ${textOf(to)}`)).toEqual([1, 2, 0].map((i) => `update held[${i}] false -> true; read held[${i}] -> true`))
})
