import { getServers } from 'node:dns'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, inject, test as base, vi } from 'vitest'
import { Account, audit } from './account.ts'
import { open, opened } from './counter.ts'
import { source } from './excluded.ts'

const textAsRun = (f: object): string => Reflect.apply(Reflect.get(globalThis, Symbol.for('vitest-dpor: text of functions')) as () => string, f, [])

const mocks = vi.hoisted(() => ({ audited: [] as number[], nested: { calls: 0 } }))
const { late } = await vi.hoisted(async () => ({ late: { value: await Promise.resolve(1) } }))

vi.mock('./account.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./account.ts')>()
  mocks.nested.calls++
  return { ...original, twice: async (x: number) => x * 2 }
})

vi.mock(import('node:os'), async (importOriginal) => ({ ...(await importOriginal()), hostname: () => 'mocked' }))
// @ts-expect-error Vitest takes it, and its types do not.
vi.mock(await import('node:dns'), () => ({ getServers: () => ['mocked'] }))

const test = base.extend<{ account: Account; page: { url: string }; list: number[] }>({
  // oxlint-disable-next-line no-empty-pattern
  account: async ({}, use) => {
    const account = new Account(100)
    await use(account)
    account.balance = -1
  },
  page: [async ({ account }, use) => use({ url: `/${account.balance}` }), { scope: 'test' }],
  list: [1, 2],
})

let fresh: Account | undefined
beforeEach(() => {
  fresh = new Account(10)
})
beforeEach<{ account: Account }>(async ({ account }) => {
  account.balance += 1
})
afterEach(({ task }) => {
  expect(task.name).not.toBe('')
})

describe('fixtures', () => {
  test('are found in the parameters', async ({ account, page }) => {
    expect(await account.withdraw(1)).toBe(1)
    expect([account.balance, page.url, account.log]).toEqual([100, '/101', ['-1']])
  })

  test('are found in synchronous functions', ({ account, list: [first], task }) => {
    expect([account.balance, first, task.name]).toEqual([101, 1, 'are found in synchronous functions'])
  })

  test.for([[1, 2], [3, 4]])('are found in the second parameter %s', async ([a, b], { page, expect: local }) => {
    local([b! - a!, page.url]).toEqual([1, '/101'])
  })

  test.each([{ a: 1, b: 2 }, { a: 2, b: 4 }])('rows of a table $a', async ({ a, b }) => {
    await audit(0)
    expect(b).toBe(2 * a)
  })

  test('the context of a test', async ({ task, expect: local }) => {
    local(task.name).toBe('the context of a test')
  })
})

test('mocks and hoisted values', async () => {
  const { twice } = (await import('./account.ts')) as unknown as { twice: (x: number) => Promise<number> }
  expect(await twice(4)).toBe(8)
  expect([mocks.nested.calls, late.value]).toEqual([1, 1])
  const spy = vi.fn(async ({ id }: { id: number }) => id)
  await expect(spy({ id: 3 })).resolves.toBe(3)
  expect(spy).toHaveBeenCalledWith({ id: 3 })
})

test('inline snapshots are found', async () => {
  expect(await Promise.all([1, 2].map(async (n) => ({ n })))).toMatchInlineSnapshot(`
    [
      {
        "n": 1,
      },
      {
        "n": 2,
      },
    ]
  `)
})

test('variables of another module', () => {
  expect([open(), open(), opened]).toEqual([1, 2, 2])
  expect(fresh?.balance).toBe(10)
  fresh = undefined
})

test('values from the config and from global setup', () => {
  expect(inject('dpor' as never)).toEqual({ maxExecutions: 7 })
  expect([inject('mine' as never), inject('count' as never)]).toEqual([1, 1])
})

test('what is excluded stays as it is', () => {
  expect(textAsRun(source({ p: 1 }))).not.toContain('__dpor')
  expect(textAsRun(() => fresh?.balance)).toContain('__dpor')
  expect(readFileSync.name).toBe('readFileSync')
})

test('the module that is mocked may be named by an import', async () => {
  expect([hostname(), ...getServers()]).toEqual(['mocked', 'mocked'])
  vi.doMock(import('node:util'), () => ({ inspect: () => 'mocked' }) as never)
  expect((await import('node:util')).inspect({})).toBe('mocked')
  vi.doUnmock(import('node:util'))
})
