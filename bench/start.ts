import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * What Vitest takes from its start to its end for one test file, beside what it takes without this package: CPU of the one process that
 * it is with `pool: 'threads'`.
 */

const root = path.resolve(import.meta.dirname, '..')
const count = 200

/** One of a tree of modules, of 85 lines. */
function moduleText(index: number): string {
  const children = [2 * index + 1, 2 * index + 2].filter((child) => child < count)
  const imports = children.map((child) => `import { total as total${child} } from './m${child}'`)
  const parts = Array.from({ length: 6 }, (_, i) => `
interface Row${i} { id: number; name: string; tags?: string[] }
const cache${i} = new Map<number, Row${i}>()
export async function load${i}(id: number, fetcher: (id: number) => Promise<Row${i}>): Promise<Row${i}> {
  if (cache${i}.has(id)) return cache${i}.get(id)!
  const row = await fetcher(id)
  cache${i}.set(id, row)
  count += row.tags?.length ?? 0
  return { ...row, name: row.name.trim() }
}
export class Store${i} {
  #rows: Row${i}[] = []
  version = 0
  add(row: Row${i}): this { this.#rows.push(row); this.version++; return this }
}`)
  return [...imports, 'let count = 0', ...parts, `export const total = (): number => [count, ${children.map((child) => `total${child}()`).join(', ')}].reduce((sum, n) => sum + n, 0)`].join('\n')
}

const useAll = "import './src/m0'\n"
const ordinary = (more: string): string => `${more}import { expect, test } from 'vitest'\ntest('ordinary', () => { expect(1).toBe(1) })\n`
const explored = (more: string): string => `${more}import { expect } from 'vitest'\nimport { dporTest } from 'vitest-dpor'\ndporTest('explored', () => { expect(1).toBe(1) })\n`

/** Test files, each run alone; `beside` is there as well. `isKept`: Vitest itself keeps on disk what modules have become, with this package and without. */
const cases: readonly { readonly name: string; readonly text: string; readonly beside?: string; readonly isKept?: true }[] = [
  { name: 'nothing', text: ordinary('') },
  { name: 'nothing, beside a file that explores', text: ordinary(''), beside: explored('') },
  { name: `${count} modules`, text: ordinary(useAll) },
  { name: `${count} modules, beside a file that explores`, text: ordinary(useAll), beside: explored('') },
  { name: `${count} modules, that are explored as well`, text: ordinary(useAll), beside: explored(useAll) },
  { name: `${count} modules, that are explored as well, kept by Vitest`, text: ordinary(useAll), beside: explored(useAll), isKept: true },
  { name: 'nothing, explored', text: explored('') },
  { name: `${count} modules, explored`, text: explored(useAll) },
]

/** Writes its CPU to a file as it ends. */
const meter = `data:text/javascript,import{isMainThread}from'node:worker_threads';import{writeFileSync}from'node:fs';if(isMainThread)process.on('exit',()=>{const{user,system}=process.cpuUsage();writeFileSync(process.env.BENCH_CPU,String((user+system)/1000))})`

const test = "test: { pool: 'threads', experimental: process.env.BENCH_KEEPS === 'true' ? { fsModuleCache: true } : {} }"

/** A project with this package as it is built, and with what stands beside it here. */
function makeProject(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-bench-')))
  const installed = path.join(folder, 'node_modules')
  mkdirSync(path.join(installed, 'vitest-dpor'), { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules'))) if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(installed, name), 'junction')
  for (const name of ['dist', 'package.json']) cpSync(path.join(root, name), path.join(installed, 'vitest-dpor', name), { recursive: true })
  mkdirSync(path.join(folder, 'src'))
  for (let i = 0; i < count; i++) writeFileSync(path.join(folder, `src/m${i}.ts`), moduleText(i))
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'plain.config.ts': `export default { ${test} }`,
    'vitest.config.ts': `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [dpor()], ${test} }`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

function run(folder: string, config: string, isKept = false): number {
  const cpu = path.join(folder, 'cpu')
  const env = { ...process.env, NODE_OPTIONS: `--import "${meter}"`, BENCH_CPU: cpu, BENCH_KEEPS: String(isKept) }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', config, 'measured.spec.ts'], { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout + stderr)
  return Number(readFileSync(cpu, 'utf8'))
}

const rounds = 5

/** The smallest of several runs, after one that fills what is kept on disk. `npm run bench -- start [name]`. */
export function benchStart(only = ''): void {
  const folder = makeProject()
  const rows: Record<string, Record<string, number>> = {}
  try {
    for (const { name, text, beside, isKept } of cases) {
      if (!name.includes(only)) continue
      writeFileSync(path.join(folder, 'measured.spec.ts'), text)
      rmSync(path.join(folder, 'beside.spec.ts'), { force: true })
      if (beside !== undefined) writeFileSync(path.join(folder, 'beside.spec.ts'), beside)
      const configs = ['vitest.config.ts', ...(text.includes('dporTest') ? [] : ['plain.config.ts'])]
      for (const config of configs) run(folder, config, isKept)
      const best = [Infinity, Infinity]
      for (let i = 0; i < rounds; i++) for (const [at, config] of configs.entries()) best[at] = Math.min(best[at]!, run(folder, config, isKept))
      rows[name] = { 'CPU ms': Math.round(best[0]!), ...(configs.length > 1 && { 'plain ms': Math.round(best[1]!), ratio: Math.round((best[0]! / best[1]!) * 100) / 100 }) }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log('\nVitest from start to end, one test file')
  console.table(rows)
}
