import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

/**
 * Bugs that packages were published with, each in the version that has it and in the one that mends it, installed as they are: ESM that
 * calls `then`, async generators, CommonJS of several files, ES5 that a compiler has made of async functions, callbacks, files.
 */
const specs: Record<string, readonly [versions: readonly [string, string], cause: RegExp, spec: string]> = {
  'zustand': [['5.0.9', '5.0.10'], /^Last write wins on store\.getState\(\)\.n: .* wrote 1 over the 2 of .* vanilla\.mjs:8 /, `import { createStore } from 'PACKAGE/vanilla'
import { persist } from 'PACKAGE/middleware'
dporTest('NAME', async () => {
  const stored = { n: 1 }
  const storage = { getItem: async () => { const { n } = stored; await null; return { state: { n }, version: 0 } }, setItem: () => {}, removeItem: () => {} }
  const store: any = createStore(persist(() => ({ n: 0 }), { name: 'x', storage, skipHydration: true } as any) as any)
  const first = store.persist.rehydrate()
  stored.n = 2
  await Promise.all([first, store.persist.rehydrate()])
  expect(store.getState().n).toBe(2)
})`],
  'p-map': [['7.0.3', '7.0.4'], /^Check-then-act on runningMappersCount: .* index\.js:211 +read runningMappersCount -> 0 .* index\.js:222 +update runningMappersCount 1 -> 2 /, `import { pMapIterable } from 'PACKAGE'
dporTest('NAME', { timeout: 30_000 }, async () => {
  let active = 0, most = 0
  async function* source() { for (let i = 0; i < 3; i++) { await null; yield i } }
  const mapper = async (x: number) => { active++; most = Math.max(most, active); await null; active--; return x }
  for await (const _ of pMapIterable(source(), mapper, { concurrency: 1, backpressure: 2 })) continue
  expect(most).toBe(1)
})`],
  'generic-pool': [['3.1.5', '3.1.6'], /Lost wakeup on pool \(its _allObjects\.size\): .* Pool\.js:127 +remove pooledResource from pool \(its _allObjects\) /, `import pools from 'PACKAGE'
dporTest('NAME', async () => {
  let made = 0
  const pool = pools.createPool({ create: async () => ({ id: made++ }), destroy: async () => {} }, { max: 1, min: 0 })
  const held = await pool.acquire()
  const waiting = (async () => { const next = await pool.acquire(); await pool.release(next); return next.id })()
  await null
  await pool.destroy(held)
  expect(await waiting).toBe(1)
})`],
  'async-mutex': [['0.2.4', '0.2.6'], /Wrong-holder release on semaphore\._currentReleaser: .* index\.mjs:46 +update _currentReleaser \[function\] -> undefined /, `import { Mutex } from 'PACKAGE'
dporTest('NAME', async () => {
  const mutex = new Mutex()
  let n = 0
  const task = async () => { await mutex.acquire(); const seen = n; await null; n = seen + 1; mutex.release() }
  await Promise.all([task(), task(), task()])
  expect(n).toBe(3)
})`],
  'cache-manager': [['5.2.4', '5.3.1'], /^Double initialisation on \S*\.get\("k"\): wrap#2 read undefined, then wrap#1 wrote/, `import { caching } from 'PACKAGE'
dporTest('NAME', async () => {
  const cache = await caching('memory', { max: 10, ttl: 1000 })
  let loads = 0
  const load = async () => { loads++; await null; return 'v' }
  await Promise.all([cache.wrap('k', load), cache.wrap('k', load)])
  expect(loads).toBe(1)
})`],
  'lokijs': [['1.5.1', '1.5.2'], /^Lost update on \S*dirty: saveDatabase#1 wrote false over the true of insert#1\. .* lokijs\.js:2643 +write dirty = false /, `import Loki from 'PACKAGE'
dporTest('NAME', async () => {
  let saved = ''
  const adapter = { loadDatabase: (_: string, done: any) => done(null), saveDatabase: async (_: string, text: string, done: any) => { await null; saved = text; done(null) } }
  const db: any = new Loki('x', { adapter } as any)
  const items = db.addCollection('items')
  items.insert({ a: 1 })
  const save = () => new Promise<void>((resolve) => db.saveDatabase(() => resolve()))
  const insert = async () => { await null; items.insert({ a: 2 }) }
  await Promise.all([save(), insert()])
  if (db.autosaveDirty()) await save()
  expect(JSON.parse(saved).collections[0].data).toHaveLength(2)
})`],
  'p-memoize': [['6.0.2', '7.0.0'], /^Check-then-act on \S*\.get\("a"\): memoized#2 read false, .* index\.js:34 .* index\.js:44 /, `import memoize from 'PACKAGE'
dporTest('NAME', async () => {
  let calls = 0
  const f = memoize(async (key: string) => { calls++; await null; return key })
  await Promise.all([f('a'), f('a')])
  expect(calls).toBe(1)
})`],
  'tarn': [['1.1.5', '2.0.0'], /^Order violation on destroyed: .*Nothing makes test wait for destroy#1\. .* Pool\.js:257 +call destroy#1 /, `import { Pool } from 'PACKAGE'
dporTest('NAME', async () => {
  let made = 0, destroyed = 0
  const pool = new Pool<any>({ create: async () => ({ id: made++ }), destroy: async () => { await null; await null; destroyed++ }, validate: ({ id }: any) => id !== 0, min: 0, max: 2 } as any)
  for (let i = 0; i < 2; i++) pool.release(await pool.acquire().promise)
  await pool.destroy()
  expect(destroyed).toBe(2)
})`],
  'node-persist': [['3.1.0', '3.1.2'], /^Last write wins on file\[.*\]: writeFile#1 wrote .*local-storage\.js:323 /, `import persist from 'PACKAGE'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
const dir = path.join(tmpdir(), 'PACKAGE-' + process.pid)
dporTest('NAME', async ({ onTestFinished }) => {
  rmSync(dir, { recursive: true, force: true })
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const store = persist.create({ dir })
  await store.init()
  await Promise.all([store.setItem('k', 1), store.setItem('k', 2)])
  expect(await store.getItem('k')).toBe(2)
})`],
  'async-memoize-one': [['1.0.1', '1.1.0'], /^Double initialisation on calledOnce: memoizeOne\(\)#2 read false, .* index\.js:13 +read calledOnce .* index\.js:16 +write calledOnce = true /, `import memoizeOne from 'PACKAGE'
dporTest('NAME', async () => {
  let loads = 0
  const load = memoizeOne(async (id: number) => { loads++; await null; return 'user' + id })
  await Promise.all([load(1), load(1)])
  expect(loads).toBe(1)
})`],
  'final-form': [['4.18.2', '4.18.5'], /^Last write wins on formState\.errors: \S+ wrote \{"name":"taken"\} over the \{\} that \S+ had left there\. .* final-form\.cjs\.js:684 +update errors /, `import { createForm } from 'PACKAGE'
dporTest('NAME', async () => {
  const answers: Promise<unknown>[] = []
  const taken = async ({ name }: any) => { await null; return name === 'bob' ? { name: 'taken' } : {} }
  const form = createForm({ onSubmit: () => {}, validate: (values: any) => { const answer = taken(values); answers.push(answer); return answer } })
  form.registerField('name' as never, () => {}, { error: true })
  form.change('name' as never, 'bob' as never)
  form.change('name' as never, 'eve' as never)
  await Promise.all(answers)
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(form.getState().errors).toEqual({})
})`],
  'i18next': [['24.2.3', '25.0.0'], /^Last write wins on i18n\.language: \S+ wrote "de" over the "fr" of .* i18next\.js:1974 +write language = "de" /, `import i18next from 'PACKAGE'
dporTest('NAME', async () => {
  const i18n = i18next.createInstance()
  const read = async (language: string) => { await null; return { hello: 'hello in ' + language } }
  await i18n.use({ type: 'backend', init() {}, read: (language: string, _: string, done: any) => { read(language).then((data) => done(null, data)) } } as any).init({ lng: 'en', fallbackLng: 'en' })
  await Promise.all([i18n.changeLanguage('de'), i18n.changeLanguage('fr')])
  expect(i18n.language).toBe('fr')
})`],
  'lru-cache': [['7.16.1', '7.16.2'], /^Order violation on signal\.aborted: fetchMethod#1 read true after add#1 wrote true\. .* index\.mjs:694 +write aborted = true /, `import LRU from 'PACKAGE'
dporTest('NAME', async () => {
  const cache: any = new (LRU as any)({ max: 1, fetchMethod: async (key: string, _: any, { signal }: any) => { await null; return signal.aborted ? undefined : 'value of ' + key } })
  const add = async () => { await null; cache.set('b', 1) }
  const [fetched] = await Promise.all([cache.fetch('a').catch(() => 'aborted'), add()])
  expect(fetched).toBeDefined()
})`],
  'sequelize-pool': [['6.1.0', '7.1.0'], /^Lost wakeup on deferred\._resolve: test read pool \(its _count\) -> 1 .* then test decreased pool \(its _count\) to 0, and nobody has called what was left there\. .* Pool\.ts:534 /, `import { Pool } from 'PACKAGE'
dporTest('NAME', async () => {
  let made = 0
  const pool = new Pool({ create: async () => ({ id: made++ }), destroy: async () => { await null }, validate: () => true, max: 1, min: 0 } as any)
  const held: any = await pool.acquire()
  const waiting = pool.acquire()
  await pool.destroy(held)
  const next: any = await waiting
  expect(next.id).toBe(1)
  pool.release(next)
  await pool.drain()
})`],
  'random-access-storage': [['1.4.0', '1.4.1'], /^Order violation on done: io#2 pushed "write" after io#3 pushed "close"\. .* Called from index\.js:213 \(io#3\) and index\.js:196 \(io#2\)\. /, `import Storage from 'PACKAGE'
dporTest('NAME', async () => {
  const done: string[] = []
  const io = async (name: string, request: any) => { await null; done.push(name); request.callback(null) }
  const file = new Storage({ open: (request: any) => { io('open', request) }, write: (request: any) => { io('write', request) }, close: (request: any) => { io('close', request) } })
  const written = new Promise((resolve) => file.write(0, Buffer.from('x'), resolve))
  const closed = new Promise((resolve) => file.close(resolve))
  await Promise.all([written, closed])
  expect(done).toEqual(['open', 'write', 'close'])
})`],
  'opossum': [['4.2.0', '4.2.1'], /^Order violation on breaker\[reset-timeout\]: ask\.then#2 cleared (timer#\d), which ask\.then#1 had set, and nobody has set it again; .* circuit\.js:230 +clear timer#\d/, `import CircuitBreaker from 'PACKAGE'
dporTest('NAME', async () => {
  const ask = async () => { await null; throw new Error('down') }
  const breaker: any = new (CircuitBreaker as any)(ask, { errorThresholdPercentage: 1, resetTimeout: 100 })
  await Promise.allSettled([breaker.fire(), breaker.fire()])
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(breaker.halfOpen).toBe(true)
  breaker.shutdown()
})`],
  'metautil': [['3.5.1', '3.5.3'], /^Leaked permit on semaphore \(its queue\): test took out the entry of one who had given up when timer#1 fired, .* semaphore\.js:34 +update semaphore \(its queue\) 2 -> 1/, `import metautil from 'PACKAGE'
dporTest('NAME', async () => {
  const semaphore = new (metautil as any).Semaphore(1, 10, 5)
  await semaphore.enter()
  await semaphore.enter().catch(() => {})
  const third = semaphore.enter()
  semaphore.leave()
  await third
  semaphore.leave()
})`],
  'node-json-db': [['2.1.1', '2.1.2'], /^Double initialisation on db\.loaded: /, `import { JsonDB } from 'PACKAGE'
dporTest('NAME', async () => {
  let file: any = {}
  const adapter = { readAsync: async () => { await null; return structuredClone(file) }, writeAsync: async (data: any) => { await null; file = structuredClone(data) } }
  const db = new JsonDB({ adapter, separator: '/', saveOnPush: true } as any)
  await Promise.all([db.push('/a', 1), db.push('/b', 2)])
  expect(await db.getData('/')).toEqual({ a: 1, b: 2 })
})`],
}

const head = "import { expect } from 'vitest'\nimport { dporTest } from 'vitest-dpor'\n"

describe('published bugs, with no option set', () => {
  let result: Run
  beforeAll(async () => {
    const installed = Object.entries(specs).flatMap(([name, [versions, , spec]]) =>
      versions.map((version, i) => ({ alias: `${name}-${i}`, from: `npm:${name}@${version}`, spec: head + spec.replaceAll('PACKAGE', `${name}-${i}`).replace('NAME', i === 0 ? `${name}, as it was` : `${name}, mended`) })),
    )
    const folder = project('real-packages', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: Object.fromEntries(installed.map(({ alias, from }) => [alias, from])) }),
      ...Object.fromEntries(installed.map(({ alias, spec }) => [`${alias}.spec.ts`, spec])),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await run(folder)
  })

  test.each(Object.keys(specs))('%s', (name) => {
    const found = result.test(`${name}, as it was`)
    expect(found).toMatchObject({ status: 'failed', dpor: { verdict: 'fails', packages: expect.arrayContaining([`${name}-0`]) } })
    expect(found.message.replaceAll(/\s+/g, ' ').replace(/^dporTest: /, '')).toMatch(specs[name]![1])
    expect(result.test(`${name}, mended`)).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', packages: expect.arrayContaining([`${name}-1`]) } })
  })
})

const ids = (made: string): string => `
  const take = async () => { const all: string[] = []; for (let i = 0; i < 3; i++) { await null; all.push(${made}) } return all }
  const all = (await Promise.all([take(), take()])).flat()
  expect(new Set(all).size).toBe(6)
`

describe('packages that take random bytes out of a pool', () => {
  let result: Run
  beforeAll(async () => {
    const folder = project('random-pools', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: { uuid: '8.3.2', nanoid: '5.1.5' } }),
      'uuid.spec.ts': `${head}import { createRequire } from 'node:module'
import { v4 } from 'uuid'
const required = createRequire(import.meta.url)('uuid')
dporTest('uuid', async () => {${ids('v4()')}})
dporTest('uuid, required', async () => {${ids('required.v4()')}})`,
      'nanoid.spec.ts': `${head}import { customAlphabet, nanoid } from 'nanoid'
const short = customAlphabet('0123456789abcdef', 12)
dporTest('nanoid', async () => {${ids('nanoid()')}})
dporTest('nanoid, with an alphabet', async () => {${ids('short()')}})`,
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await run(folder)
  })

  test.each(['uuid', 'uuid, required', 'nanoid', 'nanoid, with an alphabet'])('%s: who draws first decides nothing', (name) => {
    expect(result.test(name)).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 1 } })
  })
})
