import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { environment, own, project } from './project.ts'
import { cache, racing } from './racing-cache.ts'

/** A project of another package manager, which is fetched by npm. */
interface Manager {
  readonly tool: string
  /** What it needs to know. */
  readonly files: Readonly<Record<string, string>>
  readonly runs: readonly (readonly string[])[]
}

const managers: Readonly<Record<string, Manager>> = {
  // Packages are found by links, and only those that are named.
  pnpm: {
    tool: 'pnpm@10',
    files: { '.npmrc': "node-options=--import=data:text/javascript,try{process.getBuiltinModule('module').createRequire(process.cwd()+'/_')('vitest-dpor/register')}catch{}" },
    runs: [['exec', 'vitest-dpor', 'run', '--dpor'], ['test', '--dpor']],
  },
  // Packages stay in archives.
  'yarn without node_modules': { tool: '@yarnpkg/cli-dist@4', files: { 'yarn.lock': '' }, runs: [['vitest-dpor', 'run', '--dpor']] },
}

/** The Vite that this package is developed with: what a newer one asks for beside itself a registry may not have yet. */
const { version: vite } = createRequire(import.meta.url)('vite/package.json') as { readonly version: string }

test.each(Object.entries(managers))('%s', { timeout: 180_000 }, (name, { tool, files, runs }) => {
  const folder = project(`manager-${name.split(' ')[0]!}`, {
    'package.json': JSON.stringify({ name: 'application', private: true, type: 'module', scripts: { test: 'vitest run' }, devDependencies: own(), resolutions: { vite } }),
    'cache.ts': cache,
    'cache.spec.ts': racing,
    ...files,
  })
  const manage = (...args: readonly string[]): string => {
    try {
      return execFileSync('npx', ['-y', tool, ...args], { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32', stdio: 'pipe', env: { ...environment(), YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' } })
    } catch (error) {
      return String((error as { readonly stdout?: unknown }).stdout)
    }
  }
  manage('install')
  for (const run of runs) expect(stripVTControlCharacters(manage(...run))).toContain('DPOR  3 tests: 1 race, 1 holds, 1 has no concurrency')
})
