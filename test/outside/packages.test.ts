import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MagicString } from 'magic-string'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

/** A counter that loses an update, behind an await, and one that does not. */
const counter = `class Counter {
  constructor() { this.n = 0 }
  async lose() { const n = this.n; await null; this.n = n + 1 }
  async keep() { await null; this.n += 1 }
}`

const packages: Record<string, string> = {
  'esm/package.json': '{ "name": "esm", "type": "module", "exports": { "import": "./index.js", "require": "./other.cjs" } }',
  'esm/index.js': `import deep from 'cjs/three.js'\nexport ${counter}\nexport const conditions = 'import'\nexport { deep }\nexport let made = 0\nexport const make = () => { made++; return new Counter() }\n`,
  'esm/other.cjs': "exports.conditions = 'require'\n",
  'cjs/package.json': '{ "name": "cjs", "main": "./index.js" }',
  'cjs/index.js': `'use strict'
Object.defineProperty(exports, '__esModule', { value: true })
exports.begun = true
const a = require('./a'), data = require('./data.json'), { conditions } = require('esm')
exports.default = { cycle: a.cycle, data, conditions, cached: Object.keys(require.cache).some((name) => name.endsWith('a.js')) }
exports.deep = require('./three')
`,
  'cjs/a.js': "exports.cycle = () => require('./index').begun\n",
  'cjs/data.json': '{ "seven": 7 }',
  'cjs/three.js': "module.exports = require('./four').Counter\n",
  'cjs/four.js': `exports.Counter = ${counter}\n`,
  'live/package.json': '{ "name": "live", "type": "module", "exports": "./index.js" }',
  'live/index.js': "export let stock = 1\nexport let hidden = 1\nexport { hidden as shown }\nexport const take = () => { stock = 0; hidden = 0 }\nexport const put = () => { stock = 1; hidden = 1 }\n",
  'late/package.json': '{ "name": "late", "main": "index.js" }',
  'late/index.js': "const load = require\nexports.value = () => load('./value')()\n",
  'late/value.js': "let calls = 0\nmodule.exports = () => ++calls\nmodule.exports.more = { n: 7 }\n",
  'parts/package.json': '{ "name": "parts", "type": "module", "exports": "./index.js" }',
  'parts/index.js': "export const load = async (name) => (await import('./first.js')).parts[name] ?? (await import(`./${name}.js`)).default\n",
  'parts/first.js': 'export const parts = {}\n',
  'parts/second.js': `export default ${counter}\n`,
  'scheduler/package.json': '{ "name": "scheduler", "main": "./index.js" }',
  'scheduler/index.js': 'var next = 1;\n(function () { var claimed = 0; exports.claim = function () { claimed++; next = next > 4 ? 1 : next * 2; return next + " " + claimed } })()\n//# no line follows',
  'lean/package.json': '{ "name": "lean", "type": "module", "exports": "./index.js" }',
  'lean/index.js': 'export const f = (o) => o.p\n',
  'compiled/package.json': '{ "name": "compiled", "main": "index.js" }',
  'compiled/index.js': "exports.adder = (key) => new Function('o', 'o.' + key + ' += 1; return o.' + key)\nexports.addA = exports.adder('a')\n",
  'broken/package.json': '{ "name": "broken", "main": "index.js" }',
  'broken/index.js': 'function f(o) { return o.p }\nexports.text = globalThis[Symbol.for("vitest-dpor: text of functions")].call(f)\nif (exports.text.includes("__dpor")) throw new TypeError("I read my own source")\n',
}

const installed = Object.fromEntries(Object.entries(packages).map(([name, text]) => [`node_modules/${name}`, text]))

const spec = `import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
import * as esm from 'esm'
import cjs, { deep } from 'cjs'
import Four from 'cjs/three.js'
import { value } from 'late'
import { claim } from 'scheduler'
import { load } from 'parts'
import { addA, adder } from 'compiled'

const require = createRequire(import.meta.url)
test('one instance, however it is reached', () => {
  const required = require('cjs')
  expect(cjs).toMatchObject({ data: { seven: 7 }, conditions: 'require', cached: true })
  expect(cjs.cycle()).toBe(true)
  expect([required.deep, deep, esm.deep, require('cjs/four.js').Counter]).toEqual([Four, Four, Four, Four])
  expect([required.default === cjs, esm.conditions]).toEqual([true, 'import'])
})
test('live bindings', () => {
  esm.make()
  expect(esm.made).toBe(1)
})
dporTest('required late', async () => {
  const values: number[] = []
  const add = async () => { await null; values.push(value()) }
  await Promise.all([add(), add()])
  expect(values.toSorted()).toEqual([1, 2])
})
for (const how of ['lose', 'keep'] as const) dporTest('imported late, ' + how, async () => {
  const Counter = await load('second')
  const counter = new Counter()
  await Promise.all([counter[how](), counter[how]()])
  expect(counter.n).toBe(2)
})
dporTest('functions made of texts', async () => {
  const sums = { a: 0, b: 0 }
  await Promise.all([(async () => { await null; addA(sums) })(), (async () => { await null; adder('b')(sums) })()])
  expect([sums.a, sums.b]).toEqual([1, 1])
})
dporTest('counters of a package that is merged', async () => {
  const seen: string[] = []
  const take = async () => { await null; seen.push(claim()) }
  await Promise.all([take(), take()])
  expect(seen).toEqual(['2 1', '4 2'])
})
for (const [name, Counter] of [['esm', esm.Counter], ['three levels down', Four]] as const) {
  for (const how of ['lose', 'keep'] as const) dporTest(name + ' ' + how, async () => {
    const counter = new Counter()
    await Promise.all([counter[how](), counter[how]()])
    expect(counter.n).toBe(2)
  })
}
`
const plain = `import { expect, test } from 'vitest'
import { f } from 'lean'
test('a file that does not explore', () => { expect(String(f)).not.toContain('__dp' + 'or') })
`

describe.each([
  ['forks', []], ['threads', ['--pool=threads']], ['vmThreads', ['--pool=vmThreads']], ['vmForks', ['--pool=vmForks']], ['no isolation', ['--no-isolate']],
])('%s', (name, args) => {
  let result: Run
  beforeAll(async () => {
    result = await run(project(`packages-${name.replace(' ', '-')}`, { ...installed, 'packages.spec.ts': spec, 'plain.spec.ts': plain }), ...args)
  })

  test.each(['one instance, however it is reached', 'live bindings'])('%s', (title) => {
    expect(result.test(title)).toMatchObject({ status: 'passed', message: '' })
  })

  test.each(['esm', 'three levels down'])('%s: what it does is seen', (title) => {
    expect(result.test(`${title} lose`)).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    expect(result.test(`${title} lose`).message).toMatch(/^dporTest: Lost update on counter\.n: lose#2 wrote 1 from a value read before\s+lose#1\s+wrote\s+1\./)
    expect(result.test(`${title} keep`)).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
    expect(result.test(`${title} keep`).dpor).not.toHaveProperty('opaque')
    expect(result.test(`${title} keep`).dpor).toHaveProperty('packages', [title === 'esm' ? 'esm' : 'cjs'])
  })

  test('a module that a body has required stays what it is, and its state is put back', () => {
    expect(result.test('required late')).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds', packages: ['late'] } })
  })

  test('a module that a body imports is loaded between its steps', () => {
    expect(result.test('imported late, lose')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    expect(result.test('imported late, lose').message).toMatch(/^dporTest: Lost update on counter\.n: /)
    expect(result.test('imported late, keep')).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds', packages: ['parts'] } })
  })

  test('what is made of a text is seen, whenever it was made', () => {
    expect(result.test('functions made of texts')).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds', executions: 1, packages: ['compiled'] } })
    expect(result.test('functions made of texts').dpor).not.toHaveProperty('opaque')
  })

  test('variables of a package that is merged are put back, where it is one that counts', () => {
    expect(result.test('counters of a package that is merged')).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds', executions: 2 } })
  })

  test.runIf(['forks', 'threads'].includes(name))('a test file that does not explore loads its packages as ever', () => {
    expect(result.test('a file that does not explore')).toMatchObject({ status: 'passed' })
  })
})

test('what files have become is kept on disk, by their content', async () => {
  const folder = project('packages-cache', { ...installed, 'packages.spec.ts': spec })
  const kept = path.join(folder, 'node_modules/.vite/vitest-dpor')
  await run(folder)
  // What was asked of functions of the test stands beside them.
  const isOfFile = (name: string): boolean => name.endsWith('.js') && !readFileSync(path.join(kept, name), 'utf8').startsWith('async ()')
  const files = (): string[] => readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter(isOfFile)
  const first = files()
  expect(first).toHaveLength(13)
  // What is there is taken as it is.
  const four = first.find((name) => readFileSync(path.join(kept, name), 'utf8').includes('cjs/four.js'))!
  writeFileSync(path.join(kept, four), `throw new Error('taken from the disk')`)
  expect((await run(folder)).output).toContain('taken from the disk')
  // So it is whenever this package was installed.
  utimesSync(path.join(inject('installed'), 'node_modules/vitest-dpor/dist/plugin/index.js'), 0, 0)
  expect((await run(folder)).output).toContain('taken from the disk')
  writeFileSync(path.join(folder, 'node_modules/cjs/four.js'), `${packages['cjs/four.js']}// changed\n`)
  expect((await run(folder)).test('three levels down lose').dpor).toMatchObject({ verdict: 'fails' })
  expect(files()).toHaveLength(14)
  await run(folder, '--clearCache')
  expect(() => files()).toThrow('ENOENT')
})

/** Each way to read a variable that a package exports and changes. */
const liveLooks = ['stock', 'shown', 'live.stock', "live['stock']", 'live[key]', '(({ stock: taken }) => taken)(live)', '`${stock}`', 'Math.max(stock, 0)', 'later.stock', 'later[key]', '({ ...live }).stock', 'Object.values(live)[1]', '[0].map(() => stock)[0]']
const live = `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import * as live from 'live'
import { put, shown, stock, take } from 'live'
const later = await import('live')
const key = 'stock'
${liveLooks.map((look, i) => `dporTest('look ${i}', async () => {
  put()
  let seen
  await Promise.all([(async () => { seen = ${look} })(), (async () => { await null; take() })(), (async () => { await null; seen = ${look} })()])
  expect(String(seen)).toBe('0')
})
dporTest('apart ${i}', async () => {
  put()
  const own = []
  const task = async () => { await null; own.push(${look}) }
  await Promise.all([task(), task()])
  expect(own.length).toBe(2)
})`).join('\n')}
`

test('a variable that a package exports and changes is seen, by its name and by that of the module', async () => {
  const result = await run(project('packages-live', { ...installed, 'live.spec.ts': live }))
  for (const [i, look] of liveLooks.entries()) {
    expect(result.test(`look ${i}`), look).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    expect(result.test(`apart ${i}`), look).toMatchObject({ status: 'passed', dpor: { executions: 1 } })
  }
})

const merged = `import { dporTest } from 'vitest-dpor'
import Counter from 'cjs/three.js'
dporTest('called by two', { setup: () => new Counter(), tasks: [(counter) => counter.keep(), (counter) => counter.keep()], invariant: (counter) => counter.n === 2 })
`

test('a package that does not bear it is left by one line', async () => {
  const files = { ...installed, 'broken.spec.ts': "import { dporTest } from 'vitest-dpor'\nimport { text } from 'broken'\ndporTest('uses it', async () => { await text })\n" }
  expect((await run(project('packages-broken', files))).output).toContain('I read my own source')
  const left = await run(project('packages-left', { ...files, 'merged.spec.ts': merged, 'vitest.config.ts': config("{ opaque: ['broken', 'cjs'] }") }))
  expect(left.test('uses it')).toMatchObject({ status: 'passed' })
  expect(left.output).toMatch(/called by two .*\n +not instrumented, merged: .*dpor\({ inline: \['auto', .*'cjs'/)
})

test('linked packages and those of a store are one instance', async () => {
  const folder = project('packages-linked', {
    'packages.spec.ts': spec,
    ...Object.fromEntries(Object.entries(packages).map(([name, text]) => [`node_modules/.pnpm/${name.replace('/', '@1.0.0/node_modules/' + name.split('/')[0] + '/')}`, text])),
  })
  for (const name of ['esm', 'cjs', 'late', 'parts', 'scheduler', 'compiled']) {
    symlinkSync(path.join(folder, `node_modules/.pnpm/${name}@1.0.0/node_modules/${name}`), path.join(folder, 'node_modules', name), 'junction')
    const other = name === 'esm' ? 'cjs' : 'esm'
    mkdirSync(path.join(folder, `node_modules/.pnpm/${name}@1.0.0/node_modules`), { recursive: true })
    symlinkSync(path.join(folder, `node_modules/.pnpm/${other}@1.0.0/node_modules/${other}`), path.join(folder, `node_modules/.pnpm/${name}@1.0.0/node_modules/${other}`), 'junction')
  }
  const result = await run(folder)
  expect(result.test('one instance, however it is reached')).toMatchObject({ status: 'passed', message: '' })
  expect(result.test('three levels down lose')).toMatchObject({ dpor: { verdict: 'fails' } })
})

describe('a package made from other files, with its own source map', () => {
  const source = `/** A counter. */
export class Counter {
  // It loses an update.
  n = 0

  async lose() {
    const before = this.n

    // Others come first.
    await null
    this.n = before + 1
  }
}
`
  const built = new MagicString(source)
  for (const { 0: comment, index } of source.matchAll(/^ *\/[/*].*\n/gm)) built.remove(index, index + comment.length)
  const code = built.toString()
  const map = built.generateMap({ source: '../src/counter.js', hires: true })
  const files = (dist: Record<string, string>): Record<string, string> => ({
    'node_modules/mapped/package.json': '{ "name": "mapped", "type": "module", "exports": "./dist/index.js" }',
    ...dist,
    'mapped.spec.ts': `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { Counter } from 'mapped'
dporTest('loses', async () => {
  const counter = new Counter()
  await Promise.all([counter.lose(), counter.lose()])
  expect(counter.n).toBe(2)
})
`,
  })
  const inDist = code.split('\n').findIndex((line) => line.includes('before + 1')) + 1

  test.each([
    ['in a file beside it', { 'node_modules/mapped/dist/index.js': `${code}//# sourceMappingURL=index.js.map\n`, 'node_modules/mapped/dist/index.js.map': map.toString() }],
    ['in the file itself', { 'node_modules/mapped/dist/index.js': `${code}//# sourceMappingURL=data:application/json;base64,${btoa(map.toString())}\n` }],
  ])('is shown by its source: %s', async (how, dist) => {
    expect(inDist).toBe(8)
    const { output } = await run(project(`packages-mapped-${how.replaceAll(' ', '-')}`, files({ ...dist, 'node_modules/mapped/src/counter.js': source })))
    expect(output).toMatch(/counter\.js:7 +read n -> 0/)
    expect(output).toMatch(/counter\.js:11 +write n = 1/)
    expect(output).toMatch(/❯ .*mapped\/src\/counter\.js:11:\d+/)
  })

  test('without the source on disk, what ran is pointed to', async () => {
    const { output } = await run(project('packages-mapped-only', files({ 'node_modules/mapped/dist/index.js': `${code}//# sourceMappingURL=data:application/json;base64,${btoa(map.toString())}\n` })))
    expect(output).toMatch(/counter\.js:11 +write n = 1/)
    expect(output).toMatch(new RegExp(`❯ .*mapped/dist/index\\.js:${inDist}:\\d+`))
  })

  test('a map that cannot be read changes nothing', async () => {
    const { output } = await run(project('packages-mapped-broken', files({ 'node_modules/mapped/dist/index.js': `${code}//# sourceMappingURL=missing.map\n` })))
    expect(output).toMatch(new RegExp(`index\\.js:${inDist} +write n = 1`))
  })
})

test('what a package does in the next microtask comes before the event loop turns', async () => {
  const result = await run(project('packages-flush', {
    'node_modules/flush/package.json': '{ "name": "flush", "type": "module", "exports": "./index.js" }',
    'node_modules/flush/index.js': 'const settled = Promise.resolve()\nexport const later = (job) => settled.then(job)\n',
    'flush.spec.ts': `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { later } from 'flush'
const settled = Promise.resolve()
for (const [name, queue] of [['of a package', later], ['of ones own', (job: () => void) => settled.then(job)]] as const) dporTest(name, async () => {
  let shown = ''
  const change = async (text: string) => { await null; void queue(() => { shown += text }) }
  await Promise.all([change('a'), change('b')])
  await new Promise((resolve) => setImmediate(resolve))
  expect(shown).toHaveLength(2)
})
dporTest('awaited', async () => {
  let shown = ''
  const change = async (text: string) => { await null; void later(() => {}); await later(() => { shown += text }) }
  await Promise.all([change('a'), change('b')])
  await later(() => {})
  expect(shown).toHaveLength(2)
})
`,
  }))
  expect(result.test('awaited')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  expect(result.test('of a package')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
  // The project's own may stand for an answer, which takes any time.
  expect(result.test('of ones own')).toMatchObject({ status: 'failed' })
})

const exploredElsewhere = (specifier: string) => ({
  ...installed,
  'counter.ts': `export ${counter}\nexport let total = 0\nexport const add = async () => { const n = total; await null; total = n + 1 }\n`,
  'unforeseen.spec.ts': `import { expect, vi } from 'vitest'
import * as counters from './counter'
import { Counter } from './counter'
import { explored } from '${specifier}'
import Four from 'cjs/three.js'
for (const how of ['lose', 'keep'] as const) explored(how, async () => {
  const counter = new Counter()
  await Promise.all([counter[how](), counter[how]()])
  expect(counter.n).toBe(2)
})
explored('live', async () => {
  const called = vi.fn()
  await Promise.all([counters.add(), counters.add()])
  called()
  expect(called).toHaveBeenCalledTimes(1)
  expect(counters.total).toBe(2)
})
explored('merged', { setup: () => new Four(), tasks: [(counter) => counter.keep(), (counter) => counter.keep()], invariant: (counter) => counter.n === 2 })
`,
})

test.each([
  ['an alias', { 'package.json': '{ "private": true, "type": "module", "imports": { "#explored": "./explored.ts" } }', 'explored.ts': "import { dporTest } from 'vitest-dpor'\nexport const explored = dporTest\n" }, '#explored'],
  ['a setup file', { 'vitest.config.ts': config().replace('plugins:', "test: { setupFiles: ['./setup.ts'] }, plugins:"), 'setup.ts': "import { dporTest } from 'vitest-dpor'\nObject.assign(globalThis, { explored: dporTest })\n", 'global.ts': 'export const explored = (globalThis as any).explored\n' }, './global'],
])('a file that explores by %s: what its packages do is seen', async (way, files, specifier) => {
  const result = await run(project(`packages-${way.replaceAll(' ', '-')}`, { ...exploredElsewhere(specifier), ...files }))
  expect(result.test('merged')).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds' } })
  expect(result.test('merged').dpor).not.toHaveProperty('opaque')
})

test('a file that explores in a way that nobody could foresee is explored, with its packages merged', async () => {
  const support = { 'node_modules/support/package.json': '{ "name": "support", "type": "module", "exports": "./index.js" }', 'node_modules/support/index.js': "export { dporTest as explored } from 'vitest-dpor'\n" }
  const result = await run(project('packages-unforeseen', { ...exploredElsewhere('support'), ...support, 'vitest.config.ts': config("{ include: ['**/*.ts'] }") }))
  for (const name of ['lose', 'live']) expect(result.test(name)).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  for (const name of ['keep', 'merged']) expect(result.test(name)).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds' } })
  expect(result.test('merged').dpor).toMatchObject({ opaque: [expect.objectContaining({ packages: ['cjs'] })] })
})
