import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { environment, project } from './project.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/node-test')
const register = ['--import', 'vitest-dpor/node-test/register']

/** Runs files by Node, as its own test runner does. */
function runByNode(folder: string, files: readonly string[], flags: readonly string[] = register): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--test', '--test-reporter=tap', ...files], { cwd: folder, encoding: 'utf8', env: environment(), timeout: 60_000 })
  return { code: status, output: stdout + stderr }
}

describe('node:test', () => {
  let folder: string

  beforeAll(() => {
    folder = project('node-test', {
      'counter.cjs': `exports.counter = { n: 0 }
exports.bump = async () => { const { n } = exports.counter; await null; exports.counter.n = n + 1 }`,
      'required.test.cjs': `const assert = require('node:assert')
const { counter, bump } = require('./counter.cjs')
import('vitest-dpor/node-test').then(({ dporTest }) => {
  dporTest('lost', async () => { counter.n = 0; await Promise.all([bump(), bump()]); assert.equal(counter.n, 2) })
  dporTest('two of them', { reproduce: 2 }, { setup: () => ({ n: 0 }), tasks: [async (s) => { s.n++ }, async (s) => { s.n++ }], invariant: (s) => s.n === 2 })
})`,
      'ends.test.js': `import { dporTest } from 'vitest-dpor/node-test'
dporTest('waits for ever', async () => { await new Promise(() => {}) })
dporTest('rejects', async () => { Promise.reject(new Error('nobody')); await null })
dporTest('prints', async () => { console.log('printed'); const list = []; await Promise.all([1, 2].map(async (n) => { await null; list.push(n) })); if (list[0] === 0) throw list })
dporTest.skip('left out', async () => {})
dporTest('is cut', { maxExecutions: 1, onInconclusive: 'fail' }, async () => { const o = { n: 0 }; await Promise.all([1, 2].map(async (n) => { await null; o.n = n })); if (o.n === 0) throw o })`,
      'packages.test.js': `import { dporTest } from 'vitest-dpor/node-test'
import { seen } from 'seen'
import { left } from 'typescript'
dporTest('packages', async () => { await Promise.all([seen('a'), seen('b')]); await Promise.all([1, 2].map(async (n) => { await null; left(n) })) })`,
      ...Object.fromEntries(['seen', 'typescript'].map((name) => [`node_modules/${name}/package.json`, `{ "name": "${name}", "type": "module", "exports": "./index.js" }`])),
      'node_modules/seen/index.js': `const all = []
export const seen = async (name) => { await null; all.push(name); return all.length }`,
      'node_modules/typescript/index.js': 'let last; export const left = (next) => { const before = last; last = next; return before }',
      'other.js': `import { register } from 'node:module'
register('data:text/javascript,export const load = (url, context, next) => next(url, context)')`,
      'cut.test.js': `import { dporTest } from 'vitest-dpor/node-test'
const options = { maxExecutions: 4, equivalence: 'trace', saveTo: 'kept', resumeFrom: 'kept' }
const writes = (count) => async () => { const o = { n: 0 }; await Promise.all(Array.from({ length: count }, async (_, i) => { await null; o.n = i })) }
dporTest('three', options, writes(3))
dporTest('two', { ...options, maxExecutions: 1 }, writes(2))`,
      'texts.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
const taking = async ({ n }) => { await null; return n.m }
test('texts', () => { assert.equal(String(taking), 'async ({ n }) => { await null; return n.m }') })`,
      'mistake.test.js': `import { dporTest } from 'vitest-dpor/node-test'
dporTest('mistake', { maxExecution: 1 }, async () => {})`,
    })
    cpSync(examples, folder, { recursive: true })
  })

  test('the example fails with its story, and the corrected version holds', () => {
    const { code, output } = runByNode(folder, ['account.test.js', 'account.fixed.test.js'])
    expect(code).toBe(1)
    expect(output).toContain('Lost update on account.balance')
    expect(output).toContain('AssertionError: The expression evaluated to a falsy value: assert.ok(paid[0] + paid[1] <= 100)')
    expect(output).toMatch(/account\.js:\d+ +read balance -> 100/)
    expect(output).toMatch(/# holds  two withdrawals never overdraw  2 executions, \d+ steps, switches at 'await', classes by observation/)
    expect(output).toMatch(/# pass 1\n# fail 1/)
  })

  test('the printed replay runs the failing order', () => {
    const { output } = runByNode(folder, ['account.test.js'])
    const [, replay] = /replay: '([^']+)'/.exec(output)!
    const replayed = project('node-test-replay', { 'account.js': readFileSync(path.join(folder, 'account.js'), 'utf8'), 'account.test.js': readFileSync(path.join(folder, 'account.test.js'), 'utf8').replace(', async', `, { replay: '${replay}' }, async`) })
    const again = runByNode(replayed, ['account.test.js'])
    expect(again.code).toBe(1)
    expect(again.output).toContain('Lost update on account.balance')
  })

  test('CommonJS, and tasks over a state', () => {
    const { code, output } = runByNode(folder, ['required.test.cjs'])
    expect(code).toBe(1)
    expect(output).toMatch(/counter\.cjs:2 +read n -> 0/)
    expect(output).toMatch(/# pass 1\n# fail 1/)
  })

  test('deadlocks, rejections, output, bounds', () => {
    const { output } = runByNode(folder, ['ends.test.js'])
    expect(output).toContain('Never-settled promise: test waits for ever')
    expect(output).toContain('A promise was rejected and nothing handled it')
    expect(output.match(/# printed/g)).toHaveLength(1)
    expect(output).toContain('left out # SKIP')
    expect(output).toContain('inconclusive after 1 execution')
  })

  test('the verdict says which packages were seen, and which were merged', () => {
    const { code, output } = runByNode(folder, ['packages.test.js'])
    expect(output).toMatch(/# holds  packages  \d+ executions/)
    expect(output).toMatch(/# packages seen: seen\n# not instrumented, merged: typescript \(2 calls by 2 processes\)\n/)
    expect(code).toBe(0)
  })

  test('a loader that comes after it sees what it has made', () => {
    const { output } = runByNode(folder, ['account.test.js'], [...register, '--import', './other.js'])
    expect(output).toContain('Lost update on account.balance')
  })

  test('what a budget has ended goes on the next time, each test by a file of its own', () => {
    const kept = path.join(folder, 'kept')
    const first = runByNode(folder, ['cut.test.js'])
    expect(first.output).toMatch(/# inconclusive  three  4 executions/)
    expect(first.output).toMatch(/# inconclusive  two  1 execution,/)
    expect(readdirSync(kept)).toHaveLength(2)
    const second = runByNode(folder, ['cut.test.js'])
    expect(second.output).toMatch(/# holds  three  6 executions/)
    expect(second.output).toMatch(/# holds  two  2 executions/)
    expect(readdirSync(kept)).toEqual([])
  })

  test('functions have the texts that they were written with', () => {
    expect(runByNode(folder, ['texts.test.js']).code).toBe(0)
  })

  test('a mistake in an option is told at once', () => {
    expect(runByNode(folder, ['mistake.test.js']).output).toMatch(/option 'maxExecution' is 1: no such option.*node:test/)
  })

  test('who forgets to register is told so', () => {
    const { code, output } = runByNode(folder, ['account.fixed.test.js'], [])
    expect(code).toBe(1)
    expect(output).toContain('node --import vitest-dpor/node-test/register --test')
  })
})
