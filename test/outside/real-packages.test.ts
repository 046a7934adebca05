import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

/**
 * Bugs that packages were published with, each in the version that has it and in the one that mends it, installed as they are. These
 * four are small, have next to no dependencies, and are of four kinds: ESM that calls `then`, async generators, CommonJS of several
 * files, and ES5 that a compiler has made of async functions.
 */
const specs: Record<string, readonly [versions: readonly [string, string], spec: string]> = {
  'zustand': [['5.0.9', '5.0.10'], `import { createStore } from 'PACKAGE/vanilla'
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
  'p-map': [['7.0.3', '7.0.4'], `import { pMapIterable } from 'PACKAGE'
dporTest('NAME', { timeout: 30_000 }, async () => {
  let active = 0, most = 0
  async function* source() { for (let i = 0; i < 3; i++) { await null; yield i } }
  const mapper = async (x: number) => { active++; most = Math.max(most, active); await null; active--; return x }
  for await (const _ of pMapIterable(source(), mapper, { concurrency: 1, backpressure: 2 })) continue
  expect(most).toBe(1)
})`],
  'generic-pool': [['3.1.5', '3.1.6'], `import pools from 'PACKAGE'
dporTest('NAME', async () => {
  let made = 0
  const pool = pools.createPool({ create: async () => ({ id: made++ }), destroy: async () => {} }, { max: 1, min: 0 })
  const held = await pool.acquire()
  const waiting = (async () => { const next = await pool.acquire(); await pool.release(next); return next.id })()
  await null
  await pool.destroy(held)
  expect(await waiting).toBe(1)
})`],
  'async-mutex': [['0.2.4', '0.2.6'], `import { Mutex } from 'PACKAGE'
dporTest('NAME', async () => {
  const mutex = new Mutex()
  let n = 0
  const task = async () => { await mutex.acquire(); const seen = n; await null; n = seen + 1; mutex.release() }
  await Promise.all([task(), task(), task()])
  expect(n).toBe(3)
})`],
}

const head = "import { expect } from 'vitest'\nimport { dporTest } from 'vitest-dpor'\n"

describe('published bugs, with no option set', () => {
  let result: Run
  beforeAll(async () => {
    const installed = Object.entries(specs).flatMap(([name, [versions, spec]]) =>
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
    expect(result.test(`${name}, as it was`)).toMatchObject({ status: 'failed', dpor: { verdict: 'fails', packages: [`${name}-0`] } })
    expect(result.test(`${name}, mended`)).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', packages: [`${name}-1`] } })
  })
})
