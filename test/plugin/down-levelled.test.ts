import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { exploreRecorded, install, type Body } from '../../src/runtime/index.ts'
import { packageRoot } from './spawn.ts'

/** Bodies of tests, which a compiler turns into generators. */
const bodies: Record<string, string> = {
  'a lost update': `class Account { balance = 100; async withdraw(by: number) { const { balance } = this; await null; this.balance = balance - by; return this.balance } }
export const body = async () => { const a = new Account(); await Promise.all([a.withdraw(1), a.withdraw(2)]); if (a.balance !== 97) throw new Error('lost') }`,
  'none': `const state = () => ({ n: 0 }); const bump = async (s: { n: number }) => { await null; s.n += 1; return s.n }
export const body = async () => { const s = state(); await Promise.all([bump(s), bump(s)]); if (s.n !== 2) throw new Error('lost') }`,
  'an error that is thrown, caught and passed on': `const log: string[] = []
const fails = async (name: string) => { try { await Promise.reject(new Error(name)) } catch (error) { log.push((error as Error).message); throw error } finally { await null; log.push('end') } }
export const body = async () => { log.length = 0; const ends = await Promise.allSettled([fails('a'), fails('b')]); if (ends.some(({ status }) => status !== 'rejected') || log.length !== 4) throw new Error(log.join()) }`,
  'promises that are returned, nested calls, thenables': `const inner = async (n: number) => { await null; return n }
const outer = async (n: number) => inner(await inner(n))
const thenable = { then(done: (n: number) => void) { done(3) } }
export const body = async () => { const got = await Promise.all([outer(1), outer(2), (async () => (await thenable) as unknown as number)()]); if (got.join() !== '1,2,3') throw new Error(got.join()) }`,
}

const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-down-levelled-'))
const byTypeScript = new Map<string, string>()
beforeAll(() => {
  install()
  const files = Object.entries(bodies).map(([name, text], i) => ({ name, file: path.join(folder, `${i}.ts`), text }))
  for (const { file, text } of files) writeFileSync(file, text)
  execFileSync(process.execPath, [path.join(packageRoot, 'node_modules/typescript/bin/tsc'), ...files.map(({ file }) => file), '--target', 'es2015', '--module', 'esnext', '--lib', 'es2022', '--ignoreConfig', '--types', ''])
  for (const { name, file } of files) byTypeScript.set(name, readFileSync(file.replace(/\.ts$/, '.js'), 'utf8'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const compilers: Record<string, (name: string) => string> = {
  TypeScript: (name) => byTypeScript.get(name)!,
  'TypeScript, joined with others by a bundler': (name) => byTypeScript.get(name)!.replaceAll('__awaiter', '__awaiter$1').replaceAll('this.__awaiter$1', 'this.__awaiter'),
  esbuild: (name) => transformSync(bodies[name]!, { loader: 'ts', target: 'es2016' }).code,
  'esbuild, minified': (name) => transformSync(bodies[name]!, { loader: 'ts', target: 'es2016', minify: true }).code,
}

async function explored(code: string) {
  const text = rewrite(code, '/body.js')!.code
  const { body } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { body: Body }
  const { result, recording } = await exploreRecorded(body, { stopOnFirst: false })
  return { result, recording, text }
}

describe.each(Object.keys(compilers))('%s', (compiler) => {
  test.each(Object.keys(bodies))('%s: executions as of the async functions that they were', async (name) => {
    const compiled = await explored(compilers[compiler]!(name))
    const { result } = await explored(transformSync(bodies[name]!, { loader: 'ts', target: 'es2022' }).code)
    expect(compiled.text).toMatch(/__dpor\.drive\(/)
    const { verdict, executions, steps } = compiled.result
    expect({ verdict, executions, steps }).toEqual({ verdict: result.verdict, executions: result.executions, steps: result.steps })
    expect(compiled.result.failures.map(({ schedule }) => schedule)).toEqual(result.failures.map(({ schedule }) => schedule))
  })

  test.skipIf(compiler.endsWith('minified'))('and their names', async () => {
    const { recording } = await explored(compilers[compiler]!('a lost update'))
    expect(recording!.names.slice(1, 3)).toEqual(['withdraw#1', 'withdraw#2'])
    expect(recording!.steps.map(({ place }) => place?.text)).toContain('yield null')
  })
})

/** Its helper returns a function, and is called where that is made: often before anything is explored. */
describe('as Babel and SWC have it', () => {
  const step = 'function step(generator, resolve, reject, onNext, onThrow, key, value) { let result, given; try { result = generator[key](value); given = result.value } catch (error) { reject(error); return } if (result.done) resolve(given); else Promise.resolve(given).then(onNext, onThrow) }'
  const helper = (name: string): string => `${step}
function ${name}(make) { return function () { const self = this, args = arguments; return new Promise(function (resolve, reject) {
  const generator = make.apply(self, args)
  function onNext(value) { step(generator, resolve, reject, onNext, onThrow, 'next', value) }
  function onThrow(error) { step(generator, resolve, reject, onNext, onThrow, 'throw', error) }
  onNext(void 0) }) } }`
  const program = (name: string): string => `class Account { balance = 100; withdraw(by) { const that = this; return ${name}(function* () { const { balance } = that; yield null; that.balance = balance - by; return that.balance })() } }
function spend(account, by) { return _spend.apply(this, arguments) }
function _spend() { _spend = ${name}(function* (account, by) { try { yield Promise.reject(new Error('busy')) } catch (error) { if (error.message !== 'busy') throw error } return account.withdraw(by) }); return _spend.apply(this, arguments) }
export const body = function () { var _ref = ${name}(function* () { const a = new Account(); yield Promise.all([a.withdraw(1), spend(a, 2)]); if (a.balance !== 97) throw new Error('lost') }); return function body() { return _ref.apply(this, arguments) } }()`
  const asItWas = `class Account { balance = 100; async withdraw(by) { const { balance } = this; await null; this.balance = balance - by; return this.balance } }
async function spend(account, by) { try { await Promise.reject(new Error('busy')) } catch (error) { if (error.message !== 'busy') throw error } return account.withdraw(by) }
export const body = async () => { const a = new Account(); await Promise.all([a.withdraw(1), spend(a, 2)]); if (a.balance !== 97) throw new Error('lost') }`

  test.each(['_asyncToGenerator', '_async_to_generator', 'asyncToGenerator$1'])('%s: executions as of the async functions that they were, and their names', async (name) => {
    const compiled = await explored(`${helper(name)}\n${program(name)}`)
    const { result, recording } = await explored(asItWas)
    const told = ({ verdict, executions, steps, failures }: typeof result): object => ({ verdict, executions, steps, schedules: failures.map(({ schedule }) => schedule) })
    expect(told(compiled.result)).toEqual(told(result))
    expect(recording!.names).toEqual(expect.arrayContaining(['withdraw#1', 'spend#1']))
    expect(compiled.recording!.names.slice(1)).toEqual(recording!.names.slice(1))
  })

  test('imported from a package, by the way of CommonJS', () => {
    const { code } = rewrite(`const _asyncToGenerator2 = require('@babel/runtime/helpers/asyncToGenerator'); exports.f = function () { return (0, _asyncToGenerator2["default"])(function* () { yield 1 })() }`, '/imported.js')!
    expect(code).toContain(`, 'f', `)
    expect(code).toContain('__dpor.waits((1)')
  })

  test('outside of explorations it is as it was written', async () => {
    const { body } = (await import(`data:text/javascript,${encodeURIComponent(rewrite(`${helper('_asyncToGenerator')}\n${program('_asyncToGenerator')}`, '/plain-babel.js')!.code)}`)) as { body: () => Promise<void> }
    await expect(body()).resolves.toBeUndefined()
  })
})

test('helpers without a call from instrumented code behave as they were written', async () => {
  for (const name of Object.keys(bodies)) {
    const { body } = (await import(`data:text/javascript,${encodeURIComponent(`${rewrite(byTypeScript.get(name)!, '/plain.js')!.code}\n// outside`)}`)) as { body: () => Promise<void> }
    if (name === 'a lost update') await expect(body()).rejects.toThrow('lost')
    else await body()
  }
})
