import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const isMarked = (statement: string): boolean => rewrite(`import { test, it as spec, describe, expect } from 'vitest'\nconst o = { p: 1 }; o.p;\n${statement}`, '/a.spec.ts')!.code.includes('__dpor.defined(')

test.each([
  `test('a', () => { o.p })`,
  `test('a', function () { return })`,
  `test('a', { timeout: 5 }, () => { o.p }, )`,
  `test('a', () => { o.p }, 5)`,
  `spec.only('a', ({ task }) => { const f = () => 1; const g = { m() { return 2 } }; class C { static m() { return 3 } } })`,
  `test.each([1, 2])('a', (n) => { o.p })`,
  'test.each`a | b\n${1} | ${2}`("a", ({ a }) => { o.p })',
  `test.skipIf(o.p > 1)('a', () => { o.p })`,
  `describe('suite', () => { test('a', () => { o.p }) })`,
  `test('a', () => expect(o.p).toBe(1))`,
  `test('a', () => expect(o).not.toEqual({ p: 2 }))`,
  `test('a', async () => {})`,
  `test('a', async () => { expect(o.p).toBe(1); const later = async () => { await o.p; return 1 } })`,
  `test('a', async () => expect(o.p).toBe(1))`,
  `test('a', async function ({ task }) { if (task) return })`,
  `for (const n of [1, 2]) test('a' + n, () => { o.p })`,
  `if (o.p) test('a', () => { o.p })\nelse test('b', () => {})`,
  `const own = test.extend({ n: 1, text: 'a', list: [{ p: 1 }, { auto: true }] }); own('a', ({ n }) => { o.p })`,
  `const own = test.extend({ page: async ({}, use) => { const page = { p: o.p }; await use(page); page.p = 2 } }); own('a', ({ page }) => { o.p })`,
  `const own = test.extend({ page: [({}, use) => use(o), { scope: 'file' }] }); const more = own.extend<{ p: number }>({ async p({ page }, use) { await use(page.p) } }); more.only('a', ({ p }) => { o.p })`,
])('a test that is over as soon as its function has returned: %s', (statement) => {
  expect(isMarked(statement)).toBe(true)
})

test.each([
  `test('a', async () => { await o.p })`,
  `test('a', async () => { if (o.p) { for await (const p of o) p } })`,
  `test('a', async () => { await using p = o })`,
  `test('a', async () => { try { return o.p } finally { o.p } })`,
  `test('a', async () => o.p)`,
  `test('a', async () => expect(o.p).resolves.toBe(1))`,
  `test('a', async () => expect(await o.p).toBe(1))`,
  `test('a', async function* () { o.p })`,
  `test('a', function* () { o.p })`,
  `test('a', () => o.p)`,
  `test('a', () => expect(o.p).resolves.toBe(1))`,
  `test('a', () => expect(o.p).toComeSoon())`,
  `test('a', () => expect.poll(() => o.p).toBe(1))`,
  `test('a', () => expect(o.p).toMatchFileSnapshot('a.txt'))`,
  `test('a', () => { if (o.p) return o.p })`,
  `test('a', body); function body() {}`,
  `test('a', wrapped(() => { o.p }))`,
  `test('a')`,
  `const own = (name, fn) => test(name, async () => fn()); own('a', () => { o.p })`,
  `function late(test) { test('a', () => { o.p }) }`,
  `describe('suite', () => { o.p })`,
  `test.describe('suite', () => { test('a', body) })`,
  `test.beforeEach(() => { o.p })`,
  `test.extend({ f: 1 })('a', () => { o.p })`,
  `let own = test.extend({ f: 1 }); own('a', () => { o.p })`,
  `const own = test.extend({ f: fixture }); own('a', () => { o.p })`,
  `const own = test.extend(o); own('a', () => { o.p })`,
  `const own = test.extend({ ...o }); own('a', () => { o.p })`,
  `const own = test.extend('f', () => 1); own('a', () => { o.p })`,
  `const own = test.extend({ f: () => 1 }); own('a', () => { o.p })`,
  `const own = test.extend({ f: async ({}, use) => { await null; await use(1) } }); own('a', () => { o.p })`,
  `const own = test.extend({ f: async ({}, use) => { await use(await o.p) } }); own('a', () => { o.p })`,
  `const own = test.extend({ f: async ({}, use) => { for await (const p of o.p) await use(p) } }); own('a', () => { o.p })`,
  `const own = test.extend({ f: ({}, use) => o.p.then(use) }); own('a', () => { o.p })`,
  `const own = test.extend({ f: ({}, use) => o.p.then((p) => use(p)) }); own('a', () => { o.p })`,
  `const own = test.extend({ f: async ({}, use) => { await use(1) } }).extend({ g: async ({ f }, use) => { await f; await use(1) } }); own('a', () => { o.p })`,
])('another statement: %s', (statement) => {
  expect(isMarked(statement)).toBe(false)
})

test('it stays one statement, where it was', () => {
  const { code } = rewrite(`import { test } from 'vitest'\nif (1) {\n  const a = 1\n  test('a', () => { a.b })\n  ;[1].map(String)\n}`, '/a.spec.ts')!
  expect(code.split('\n')[3]).toMatch(/^ {2}__dpor\.defined\(__dpor\.defining\(\), test\('a', \(\) => \{.*\}\)\)$/)
})
