import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot, runVitest, type Report } from './spawn.ts'

const files: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'node_modules/esm-lib/package.json': '{ "name": "esm-lib", "type": "module", "exports": "./index.js" }',
  'node_modules/esm-lib/index.js': `import { counter } from './counter.js'
export const bump = async (by) => { counter.n += await by; return counter.n }
`,
  'node_modules/esm-lib/counter.js': 'export const counter = { n: 0 }\n',
  'node_modules/@scope/cjs-lib/package.json': '{ "name": "@scope/cjs-lib", "main": "./index.js" }',
  'node_modules/@scope/cjs-lib/index.js': `'use strict'
Object.defineProperty(exports, '__esModule', { value: true })
const helper = require('./helper')
exports.total = 0
exports.same = helper.same
exports.add = async function add(x) { exports.total += await helper.same(x); return [arguments.length, this === undefined || this === exports, exports.total] }
exports.Cart = class Cart { constructor() { this.items = [] } async put(item) { this.items.push(item); return this.items.length } }
`,
  'node_modules/@scope/cjs-lib/helper.js': 'module.exports = { same: async (x) => x }\n',
  'node_modules/outside/package.json': '{ "name": "outside", "type": "module", "exports": "./index.js" }',
  'node_modules/outside/index.js': 'export const get = (o) => o.p\n',
  'view.tsx': `const h = (tag: string, props: object | null, ...children: unknown[]) => ({ tag, props, children })
/** @jsx h */
export const View = (props: { user: { name: string }; rest: object }) => <div title={props.user.name} {...props.rest}>{[1].map((n) => <b>{n}</b>)}</div>
`,
  'decorated.ts': `const calls: string[] = []
function logged(_target: object, key: string, descriptor: PropertyDescriptor) {
  const original = descriptor.value
  descriptor.value = async function (this: unknown, ...args: unknown[]) { calls.push(key); return original.apply(this, args) }
}
const settings = { prefix: 'p' }
const tag = (name: string) => (target: any) => { target.tag = name }
@tag(settings.prefix)
export class Service {
  static tag: string
  @logged async run(x: number): Promise<number> { return x + 1 }
  @logged
  async ['computed'](): Promise<string[]> { return calls }
}
`,
  'inline.spec.ts': `// Packages are instrumented where there is a dporTest.
import { expect, test } from 'vitest'
import { bump } from 'esm-lib'
import { add, Cart, same } from '@scope/cjs-lib'
import { get } from 'outside'
import { Service } from './decorated.ts'
const textAsRun = (f: object): string => Reflect.get(globalThis, Symbol.for('vitest-dpor: text of functions')).call(f)
import { View } from './view.tsx'

test('instrumented packages', async () => {
  expect([await bump(1), await bump(2)]).toEqual([1, 3])
  expect(await add(5)).toEqual([1, true, 5])
  expect(await new Cart().put('x')).toBe(1)
  expect([bump, add, Cart, same].map((f) => textAsRun(f).includes('__dpor'))).toEqual([true, true, true, true])
})
test('other packages', () => {
  expect(get({ p: 1 })).toBe(1)
  expect(textAsRun(get)).not.toContain('__dpor')
})
test('decorators', async () => {
  const service = new Service()
  expect([await service.run(1), await service.computed(), Service.tag]).toEqual([2, ['run', 'computed'], 'p'])
})
test('JSX', () => {
  expect(View({ user: { name: 'n' }, rest: { id: 1 } })).toEqual({ tag: 'div', props: { title: 'n', id: 1 }, children: [[{ tag: 'b', props: null, children: [1] }]] })
})
`,
}

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  for (const name of ['vitest', 'vite']) symlinkSync(path.join(packageRoot, 'node_modules', name), path.join(folder, 'node_modules', name))
})

const config = (options: string, rest = ''): void => writeFileSync(path.join(folder, 'vitest.config.ts'), `
import { defineConfig } from 'vitest/config'
import { dpor } from ${JSON.stringify(path.join(packageRoot, 'plugin/index.ts'))}
export default defineConfig({
  plugins: [dpor(${options})],
  oxc: { jsx: { runtime: 'classic', pragma: 'h', development: false }, decorator: { legacy: true } },
  test: { reporters: ['json'], setupFiles: [${JSON.stringify(path.join(packageRoot, 'test/plugin/project/use-inert.ts'))}], ${rest} },
})`)

describe('packages in node_modules', () => {
  let report: Report
  beforeAll(async () => {
    config("{ inline: ['esm-lib', '@scope/cjs-lib'] }")
    const run = await runVitest(folder)
    if (!run.report) throw new Error(run.output)
    report = run.report
  }, 120_000)

  test.each(['instrumented packages', 'other packages', 'decorators', 'JSX'])('%s', (title) => {
    const found = report.testResults[0]!.assertionResults.find((candidate) => candidate.title === title)
    expect(found?.failureMessages).toEqual([])
    expect(found?.status).toBe('passed')
  })
})

describe('what cannot work is refused', () => {
  test.each([
    ["{ includes: 'x', inline: 'p-map' }", '', ["option 'includes' is 'x': no such option", "option 'inline' is 'p-map': give 'auto' or an array of package names"]],
    ['{}', 'experimental: { viteModuleRunner: false }', ['experimental.viteModuleRunner: false']],
  ])('dpor(%s) %s', async (options, rest, messages) => {
    config(options, rest)
    const { output } = await runVitest(folder)
    for (const message of messages) expect(output).toContain(message)
  }, 120_000)
})
