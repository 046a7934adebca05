import { deprecate } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

const byCode = deprecate(() => 1, 'call something else', 'DEP_OF_A_TEST')
const byItself = deprecate(() => 2, 'call that instead')
const Class = deprecate(class { readonly value = 3 }, 'use another class')

/** What listeners hear while this goes on. */
async function heardOf(uses: readonly (() => unknown)[]): Promise<string[]> {
  const heard: string[] = []
  const listen = ({ name, message }: Error): void => void heard.push(`${name}: ${message}`)
  process.on('warning', listen)
  await Promise.all(uses.map(async (use) => {
    await null
    use()
  }))
  process.off('warning', listen)
  return heard
}

afterEach(() => void vi.restoreAllMocks())

describe('of what is deprecated the program hears in every execution, once', () => {
  test.each([
    ['a function with a code', 'call something else', () => byCode()],
    ['a function without one', 'call that instead', () => byItself()],
    ['a class', 'use another class', () => new Class()],
  ])('%s', async (_, text, use) => {
    const { verdict, executions } = await explore(async () => {
      let uses = 0
      const heard = await heardOf([0, 1].map(() => () => { uses++; use() }))
      expect({ heard, uses }).toEqual({ heard: [`DeprecationWarning: ${text}`], uses: 2 })
      // Its order is looked at, so that there is another execution.
      const order: number[] = []
      await Promise.all([0, 1].map(async (i) => { await null; order.push(i) }))
      expect(order.join('')).toMatch(/01|10/)
    })
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: expect.any(Number) as number })
    expect(executions).toBeGreaterThan(1)
  })
})

dporTest('of what calls back with its first warning nothing is left', () =>
  new Promise<void>((resolve) => {
    process.once('warning', ({ message }) => {
      expect(message).toBe('ask again')
      resolve()
    })
    asked()
  }))

const asked = deprecate(() => {}, 'ask again')

dporTest('a mock of the test hears what is to be warned of', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  await null
  process.emitWarning('so')
  expect(warn).toHaveBeenCalledWith('so')
})
