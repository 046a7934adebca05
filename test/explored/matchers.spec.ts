import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

/** Three tasks that push onto one log, and an assertion on it. */
async function pushing(assertion: (log: string[]) => void): Promise<number> {
  const { verdict, executions } = await explore(async () => {
    const log: string[] = []
    const add = async (name: string) => {
      await null
      log.push(name)
    }
    await Promise.all(['a', 'b', 'c'].map(add))
    assertion(log)
  }, { stopOnFirst: false })
  expect(verdict).toBe('holds')
  return executions
}

test('toHaveLength looks at how many there are: 1 execution of 3 pushes', async () => {
  expect(await pushing((log) => expect(log).toHaveLength(3))).toBe(1)
  expect(await pushing((log) => expect(log).not.toHaveLength(4))).toBe(1)
})

test('toEqual looks at the order: 3! executions', async () => {
  expect(await pushing((log) => expect(log).toEqual(expect.arrayContaining(['a', 'b', 'c'])))).toBe(6)
})

test('nothing looks: 1 execution', async () => {
  expect(await pushing(() => {})).toBe(1)
})
