import { Random } from '../oracle/random.ts'
import { kinds } from './kinds.ts'

const imports = `import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { seen } from './seen.mjs'
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'suite-'))
afterAll(() => fs.rmSync(tmp, { recursive: true, force: true }))
const shared = { n: 0 }
async function add(key = 0) { await null; shared.n += 1; if (key) await null; shared['k' + key] = (shared['k' + key] ?? 0) + 1 }
const answered = async (work) => { await vi.fn(async () => 1)(); work() }
const timed = async () => { await new Promise((resume) => setTimeout(resume, 1)); shared.n++ }`

/** Two lines of control or more, which come to the same in each order: with them a test has several executions. */
const together = ['await Promise.all([add(), add()])', 'await Promise.all([add(1), add(2), add(1)])', 'await Promise.all([answered(() => shared.n++), answered(() => shared.n++)])', 'await Promise.all([timed(), timed()])']

/** What tests are apt to do besides, and changes nothing. */
const besides = ['await null', 'await vi.waitFor(() => expect(shared.n).toBeGreaterThanOrEqual(0))', 'await expect.poll(() => shared.n >= 0).toBe(true)', 'await expect(add()).resolves.toBeUndefined()']

/** The module that a suite imports, once or anew. */
export const imported = 'const counter = { n: 0 }\nexport default counter\nexport const bump = () => ++counter.n\n'

/** Writes down what each test sees where the plain run is asked to, and compares with that in all others. @param folder of what was seen */
export const seeing = (folder: string): string => `import fs from 'node:fs'
const folder = ${JSON.stringify(folder)}
fs.mkdirSync(folder, { recursive: true })
const { writeFileSync } = fs
const known = process.env.RECORD ? {} : Object.fromEntries(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(folder + '/' + name, 'utf8')]))
export function seen(key, value, expect) {
  if (process.env.RECORD) writeFileSync(folder + '/' + key, JSON.stringify(value))
  else expect(value).toEqual(JSON.parse(known[key]))
}
`

/** A test file whose tests share a few things. Whatever order a test is run in, it does the same, and leaves the same to the next one. */
export function suiteOf(seed: number): string {
  const random = new Random(seed)
  const names = [...new Set(Array.from({ length: 3 }, () => random.pick(Object.keys(kinds))))]
  const things = names.map((kind, i) => ({ ...kinds[kind]!, name: `v${i}` }))
  const filled = (text: string, name: string): string => text.replaceAll('$n', name).replaceAll('$k', () => String(random.between(1, 5)))
  const change = (): string => {
    const { changed, name } = random.pick(things)
    return `{ ${filled(random.pick(changed), name)} }`
  }
  const hook = (name: string, percent: number): string[] => (random.chance(percent) ? [`${name}(async () => ${change()})`] : [])
  const body = (key: string): string => {
    const lines = Array.from({ length: random.between(1, 4) }, change)
    if (random.chance(70)) lines.splice(random.below(lines.length + 1), 0, random.pick(together))
    if (random.chance(15)) lines.unshift(`onTestFinished(async () => ${change()})`)
    if (random.chance(60)) lines.push(random.pick(besides))
    return [`seen('${seed} ${key} before', see(), expect)`, ...lines, `seen('${seed} ${key} after', see(), expect)`].map((line) => `  ${line}`).join('\n')
  }
  const testOf = (i: number): string => {
    const key = `t${i}`
    const async = `async () => {\n  await null\n${body(key)}\n}`
    return random.pick([
      () => `test('${key}', ${async})`,
      () => `test('${key}', { retry: 1 }, ${async})`,
      () => `test.each([1])('${key} %i', ${async})`,
      () => `test('${key}', () => new Promise((resolve, reject) => { (${async})().then(resolve, reject) }))`,
      () => `test('${key}', () => { seen('${seed} ${key} before', see(), expect); shared.n += 1; seen('${seed} ${key} after', see(), expect) })`,
      () => `test.extend({ given: async ({}, use) => { ${change()} await use(1); ${change()} } })('${key}', async ({ given }) => {\n  expect(given).toBe(1)\n${body(key)}\n})`,
      () => `describe('in ${key}', () => {\n  beforeAll(async () => ${change()})\n  afterEach(async () => ${change()})\n  afterAll(() => { shared.n++ })\n  test('${key}', ${async})\n})`,
    ])()
  }
  return [
    imports,
    ...things.map(({ made, name }) => filled(made, name)),
    `const see = () => JSON.parse(JSON.stringify([shared.n, ${things.map(({ seen, name }) => filled(seen, name)).join(', ')}]))`,
    ...hook('beforeEach', 30),
    ...hook('afterEach', 30),
    ...hook('beforeAll', 20),
    ...Array.from({ length: random.between(4, 7) }, (_, i) => testOf(i)),
    '',
  ].join('\n')
}
