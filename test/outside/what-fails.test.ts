import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { project, run } from './project.ts'

const bodies = {
  'at once': 'await null',
  'answers of mocks': 'const ask = vi.fn(async (n: number) => n); const list: number[] = []; await Promise.all([1, 2].map(async (n) => list.push(await ask(n)))); expect(list).toHaveLength(2)',
  'a timer': 'await new Promise((done) => setTimeout(done, 2))',
}

const ways = {
  'throws': `throw new Error('thrown')`,
  'throws what has no text': 'throw Object.create(null)',
  'expects': 'expect(1).toBe(2)',
  'expects softly': 'expect.soft(1).toBe(2)',
  'rejects': `await Promise.reject(new Error('rejected'))`,
  'passes': '',
}

const places: Record<string, (way: string, body: string, name: string) => string> = {
  'behind the body': (way, body, name) => `test(${name}, async () => { ${body}; ${way} })`,
  'before the body': (way, body, name) => `test(${name}, async () => { ${way}; ${body} })`,
  'beforeEach': (way, body, name) => `beforeEach(async () => { ${way} }); test(${name}, async () => { ${body} })`,
  'afterEach': (way, body, name) => `afterEach(async () => { ${way} }); test(${name}, async () => { ${body} })`,
  'afterEach that is not async': (way, body, name) => `afterEach(() => { ${way.replace('await', 'return')} }); test(${name}, async () => { ${body} })`,
  'what beforeEach returns': (way, body, name) => `beforeEach(async () => async () => { ${way} }); test(${name}, async () => { ${body} })`,
  'aroundEach, after the test': (way, body, name) => `aroundEach(async (run) => { await run(); ${way} }); test(${name}, async () => { ${body} })`,
  'aroundEach, before the test': (way, body, name) => `aroundEach(async (run) => { ${way}; await run() }); test(${name}, async () => { ${body} })`,
  'onTestFinished': (way, body, name) => `test(${name}, async () => { onTestFinished(async () => { ${way} }); ${body} })`,
  'onTestFailed': (way, body, name) => `test(${name}, async () => { onTestFailed(async () => { ${way} }); ${body} })`,
  'a fixture that is taken down': (way, body, name) => `test.extend({ x: async ({}, use) => { await use(1); ${way} } })(${name}, async ({ x }) => { ${body}; expect(x).toBe(1) })`,
  'a fixture that is made': (way, body, name) => `test.extend({ x: async ({}, use) => { ${way}; await use(1) } })(${name}, async ({ x }) => { ${body}; expect(x).toBe(1) })`,
  'a fixture that nobody looks at': (way, body, name) => `test.extend({ x: [async ({}, use) => { ${way}; await use(1) }, { auto: true }] })(${name}, async () => { ${body} })`,
  'a fixture that another one uses': (way, body, name) => `test.extend({ x: async ({}, use) => { ${way}; await use(1) }, y: async ({ x }, use) => { await use(x) } })(${name}, async ({ y }) => { ${body} })`,
  'a fixture that returns what it has made': (way, body, name) => `test.extend('x', async () => { ${way}; return 1 })(${name}, async ({ x }) => { ${body} })`,
  'a fixture that returns and that nobody looks at': (way, body, name) => `test.extend('x', { auto: true }, async ({}, { onCleanup }) => { onCleanup(() => { throw new Error('was never made') }); ${way}; return 1 })(${name}, async () => { ${body} })`,
  'a fixture that returns and cleans up': (way, body, name) => `test.extend('x', async ({}, { onCleanup }) => { onCleanup(async () => { ${way} }); return 1 })(${name}, async ({ x }) => { ${body}; expect(x).toBe(1) })`,
  'a fixture that a hook uses': (way, body, name) => `const own = test.extend({ x: async ({}, use) => { ${way}; await use(1) } }); own.beforeEach(async ({ x }) => { await x }); own(${name}, async () => { ${body} })`,
  'expect of the context': (way, body, name) => `test(${name}, async ({ expect }) => { ${body}; ${way} })`,
}

const options = { once: '', fails: ', { fails: true }' }

function tests(): string {
  const all = Object.entries(places).flatMap(([place, written]) =>
    Object.entries(bodies).flatMap(([body, does]) =>
      Object.entries(ways).flatMap(([way, how]) => Object.entries(options).map(([option, given]) => `describe('${place}', () => { ${written(how, does, `'${body}, ${way}, ${option}'${given}`)} })`)),
    ),
  )
  return `import { afterEach, aroundEach, beforeEach, describe, expect, onTestFailed, onTestFinished, test, vi } from 'vitest'\n${all.join('\n')}\n`
}

interface Told {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string; readonly status: string; readonly failureMessages: readonly string[] }[] }[]
}

const told = (folder: string): string[] =>
  (JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Told).testResults.flatMap(({ assertionResults }) => assertionResults.map(({ fullName, status, failureMessages }) => `${fullName}: ${status}, ${failureMessages.length} errors`))

test('whatever fails in a test or around it fails in a run with --dpor as it does without, with as many errors', { timeout: 300_000 }, async () => {
  const folder = project('what-fails', { 'all.spec.ts': tests() })
  await run(folder)
  const plain = told(folder)
  expect(plain.filter((line) => line.includes('failed')).length).toBeGreaterThan(100)
  expect(plain.filter((line) => line.includes('passed')).length).toBeGreaterThan(100)
  await run(folder, '--', '--dpor')
  expect(told(folder)).toEqual(plain)
  // What has held the last time is not explored again.
  await run(folder, '--', '--dpor')
  expect(told(folder)).toEqual(plain)
})

test('tests go on after one whose error Vitest cannot read', { timeout: 120_000 }, async () => {
  const unreadable = `new Proxy({}, { get() { throw 1 }, has() { throw 1 }, getPrototypeOf() { throw 1 } })`
  const folder = project('what-fails-unreadable', {
    'all.spec.ts': `import { describe, expect, test } from 'vitest'
describe('left', () => { test.extend({ x: async ({}, use) => { await use(1); throw ${unreadable} } })('by Vitest', async ({ x }) => { await null; expect(x).toBe(1) }) })
describe('next', () => { test('one', async () => { await null }) })
`,
  })
  await run(folder, '--', '--dpor')
  expect(told(folder)).toEqual([expect.stringMatching(/^left by Vitest: failed, /), 'next one: passed, 0 errors'])
})
