import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { project, run, runBy } from './project.ts'

const stock = (isRight: boolean): string => `
export const stock = { left: 1 }
export async function take(ask: () => Promise<number>) {
  ${isRight ? 'const n = await ask(); if (stock.left < n) return 0' : 'if (stock.left < 1) return 0; const n = await ask()'}
  stock.left -= n
  return n
}
`

/** Of a module, two calls of which take what there is once. */
const takes = (module: string): string => `
import { expect, test, vi } from 'vitest'
import { stock, take } from '${module}'
const ask = vi.fn(async () => 1)
test('two take one', async () => { stock.left = 1; await Promise.all([take(ask), take(ask)]); expect(stock.left).toBe(0) })
test('nothing is left', async () => { expect(await take(ask)).toBe(0) })
`

test('what has held is not explored again, unless something has changed that it rests on', { timeout: 180_000 }, async () => {
  const folder = project('held', {
    'stock.ts': stock(true),
    'other.ts': stock(true),
    'far.ts': "export * from './other'",
    'stock.spec.ts': takes('./stock'),
    'far.spec.ts': takes('./far'),
    'race.spec.ts': `import { expect, test, vi } from 'vitest'
const ask = vi.fn(async () => 1)
test('a race stays one', async () => { const log: number[] = []; await Promise.all([1, 2].map(async (i) => { await ask(); log.push(i) })); expect(log).toEqual([1, 2]) })
test('beside it', async () => { expect(await ask()).toBe(1) })`,
    'files.spec.ts': `import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
const limit = JSON.parse(readFileSync('limit.json', 'utf8'))
test('below the limit', async () => { await null; expect(limit).toBe(3) })`,
    'limit.json': '3',
  })
  const explore = async (...args: string[]): Promise<string | undefined> => /DPOR +(.*)/.exec((await run(folder, '--', '--dpor', '--dpor.test-time=1m', ...args)).output)?.[1]
  expect(await explore()).toBe('7 tests: 1 race, 2 hold, 4 have no concurrency')
  // What reads a file may find another one.
  expect(await explore()).toBe('7 tests: 1 race, 5 hold as last time, 1 has no concurrency')

  writeFileSync(path.join(folder, 'stock.ts'), stock(false))
  // Here an import leads to another file than it did.
  writeFileSync(path.join(folder, 'other.js'), stock(true).replaceAll(': () => Promise<number>', ''))
  expect(await explore()).toBe('7 tests: 1 race, 1 holds, 1 holds as last time, 3 have no concurrency, 1 fails in the plain order')

  writeFileSync(path.join(folder, 'stock.ts'), stock(true))
  expect(await explore('--dpor.no-cache')).toBe('7 tests: 1 race, 2 hold, 4 have no concurrency')
})

test('a file whose tests have all held runs as if nothing were explored, until one of them fails or is new', { timeout: 180_000 }, async () => {
  const folder = project('held-whole', {
    'stock.ts': stock(true),
    'a.spec.ts': `import { afterAll, expect, test, vi } from 'vitest'
import { stock, take } from './stock'
const ask = vi.fn(async () => 1)
// No file says what day it is, and nobody can know that it counts.
const day = Reflect.get(process, 'env')['DPOR_DAY']
afterAll(() => console.log('explores: ' + (Reflect.get(globalThis, '__dporNames') !== null)))
test('two take one', async () => { stock.left = 1; await Promise.all([take(ask), take(ask)]); expect(stock.left).toBe(0) })
test('at once', () => { expect(1).toBe(1) })
test.skip('skipped', async () => {})
test('as the day is', async () => { await null; expect(day).not.toBe('bad') })
if (day === 'new') test('of this day', async () => { const log: number[] = []; await Promise.all([1, 2].map(async (i) => { await ask(); log.push(i) })); expect(log).toEqual([1, 2]) })`,
  })
  const explore = async (day: string, ...args: string[]): Promise<(string | undefined)[]> => {
    const { output } = await runBy({ env: { DPOR_DAY: day } }, folder, ...args, '--', '--dpor', '--dpor.test-time=1m')
    return [/DPOR +(.*)/.exec(output)?.[1], /explores: (\w+)/.exec(output)?.[1]]
  }
  // What a run leaves out it says nothing of.
  expect(await explore('good', '-t', 'two')).toEqual(['1 test: 1 holds', 'true'])
  expect(await explore('good')).toEqual(['3 tests: 1 holds as last time, 2 have no concurrency', 'true'])
  expect(await explore('good')).toEqual(['3 tests: 2 hold as last time, 1 has no concurrency', 'false'])
  expect(await explore('good', '-t', 'two')).toEqual(['1 test: 1 holds as last time', 'true'])
  expect(await explore('bad')).toEqual(['3 tests: 1 holds as last time, 1 has no concurrency, 1 fails in the plain order', 'false'])
  expect(await explore('good')).toEqual(['3 tests: 1 holds as last time, 2 have no concurrency', 'true'])
  expect(await explore('new')).toEqual(['4 tests: 2 hold as last time, 1 has no concurrency, 1 not explored', 'false'])
  expect(await explore('new')).toEqual(['4 tests: 1 race, 2 hold as last time, 1 has no concurrency', 'true'])
})
