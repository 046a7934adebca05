import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldAt, type ResolvedConfig, type RestedOn } from '../../plugin/held.ts'

let root: string
const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text)
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'held-'))
  mkdirSync(path.join(root, 'node_modules'))
  write('node_modules/.package-lock.json', '{}')
  write('vitest.config.ts', '1')
  write('local.ts', '1')
})
afterAll(() => rmSync(root, { recursive: true }))

interface Changed {
  readonly config?: object
  readonly serialized?: object
  readonly resolve?: object
  readonly plugins?: readonly { readonly name: string }[]
  readonly provided?: object
}

const viteConfig = (changed: Partial<ResolvedConfig> = {}): ResolvedConfig => ({ configFileDependencies: [], resolve: {}, plugins: [], ...changed })

function heldOf({ config = {}, serialized = {}, resolve = {}, plugins = [], provided = {} }: Changed = {}): ReturnType<typeof heldAt> {
  const project: RestedOn = {
    name: 'unit',
    config: { root, isolate: true, pool: 'forks', sequence: {}, snapshotOptions: { updateSnapshot: 'new' }, ...config },
    serializedConfig: { retry: 0, sequence: { seed: 1 }, ...serialized },
    vite: { config: viteConfig({ resolve, plugins }) },
    getProvidedContext: () => ({ dporFailures: {}, ...provided }),
  }
  return heldAt(project, { folder: root, version: '4.1.0', options: '', rootConfig: viteConfig({ configFile: path.join(root, 'vitest.config.ts'), configFileDependencies: [path.join(root, 'local.ts')] }) })
}

const keyOf = (changed?: Changed): string | undefined => heldOf(changed)?.key

test.each<[string, Changed]>([
  ['an option of Vitest', { serialized: { retry: 1 } }],
  ['where an import leads', { resolve: { alias: [{ find: /^a$/, replacement: '/b' }] } }],
  ['a plugin', { plugins: [{ name: 'svelte' }] }],
  ['what tests are provided with', { provided: { url: 'x' } }],
])('%s is another key', (_, changed) => {
  expect(keyOf(changed)).not.toBe(keyOf())
})

test('an expression is another one by its text', () => {
  const aliasOf = (find: RegExp): Changed => ({ resolve: { alias: [{ find, replacement: '/b' }] } })
  expect(keyOf(aliasOf(/^a$/))).not.toBe(keyOf(aliasOf(/^b$/)))
})

test.each(['node_modules/.package-lock.json', 'vitest.config.ts', 'local.ts', 'package.json', 'tsconfig.json'])('so is a change of %s', (file) => {
  const before = keyOf()
  write(file, '{ "changed": true }')
  expect(keyOf()).not.toBe(before)
})

test.each<[string, Changed]>([
  ['the seed of a run', { serialized: { sequence: { seed: 2 } } }],
  ['which tests are run', { serialized: { testNamePattern: /a/ } }],
  ['what this package provides', { provided: { dporFailures: { a: '0.1' } } }],
])('%s is none', (_, changed) => {
  expect(keyOf(changed)).toBe(keyOf())
})

test.each<[string, object]>([
  ['without isolation', { isolate: false }],
  ['in contexts of node:vm', { pool: 'vmThreads' }],
  ['in a browser', { browser: { enabled: true } }],
  ['with global setup', { globalSetup: ['a.ts'] }],
  ['in random order', { sequence: { shuffle: { tests: true } } }],
  ['where snapshots are written anew', { snapshotOptions: { updateSnapshot: 'all' } }],
])('%s nothing is kept', (_, config) => {
  expect(heldOf({ config })).toBeUndefined()
})
