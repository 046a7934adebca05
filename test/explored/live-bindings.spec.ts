import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { count, increment, read, replace, show, shown } from './instrumented/counter.ts'
import { outcomes } from './uninstrumented/outcomes.ts'
import * as counter from './instrumented/counter.ts'
import { passedOn, total, count as again } from './instrumented/re-exports.ts'

/** What the look finds while the change happens. */
async function seenWhile(change: () => void, look: () => unknown): Promise<readonly string[]> {
  const { verdict, seen } = await outcomes(async () => {
    let found: unknown
    const changing = async () => {
      await null
      change()
    }
    const looking = async () => {
      await null
      found = look()
    }
    await Promise.all([changing(), looking()])
    return found
  })
  expect(verdict).toBe('holds')
  return seen
}

describe('a variable of another file', () => {
  const looks: Record<string, () => unknown> = {
    'by its name': () => count,
    'in an operation': () => count + 0,
    'in a template': () => Number(`${count}`),
    'in an object': () => ({ count }).count,
    'by the namespace': () => counter.count,
    'by a key of the namespace': () => Reflect.get(counter, 'count'),
    'destructured from the namespace': () => (({ count: taken }) => taken)(counter),
    'by another file': () => again,
    'by another name': () => total,
    'as an argument': () => Math.max(count, 0),
    'by a function': () => [0].map(() => count)[0],
  }
  for (const [name, look] of Object.entries(looks)) {
    test(`${name} is seen before and after it changes`, async () => {
      expect(await seenWhile(increment, look)).toEqual(['0', '1'])
    })
  }

  test('that holds a function is seen before and after', async () => {
    expect(await seenWhile(replace, () => read())).toEqual(['"new"', '"old"'])
  })

  test('that holds a function is seen by the namespace', async () => {
    expect(await seenWhile(replace, () => counter.read())).toEqual(['"new"', '"old"'])
  })

  test('by the name under which it is exported', async () => {
    expect(await seenWhile(() => show(5), () => shown)).toEqual(['0', '5'])
  })

  test('by the name under which it is passed on', async () => {
    expect(await seenWhile(() => show(5), () => passedOn)).toEqual(['0', '5'])
  })

  test('of a module that is imported later', async () => {
    const later = await import('./instrumented/counter.ts')
    expect(await seenWhile(increment, () => later.count)).toEqual(['0', '1'])
  })

  test('that nobody looks at needs one execution', async () => {
    const { executions } = await explore(async () => {
      const task = async () => {
        await null
        increment()
      }
      await Promise.all([task(), task()])
    })
    expect(executions).toBe(1)
  })
})
