import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { imported, seeing, suiteOf } from './suite.ts'

/**
 * `npm run oracle:suites -- --path some/project --suites 100 --seed 1`: random test files, the tests of which share state and depend on the order of nothing, with `--dpor` against a run without. No test may be
 * red, have a race, or have become what only exploring made of it. Vitest and this package are those of the project.
 */
const { values } = parseArgs({ options: { path: { type: 'string' }, suites: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' }, show: { type: 'string', default: '10' } } })
if (!values.path || !existsSync(path.join(values.path, 'node_modules/vitest-dpor'))) throw new Error('--path must name a project in which this package is installed')

interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Test[] }[]
}

interface Test {
  readonly fullName: string
  readonly status: string
  readonly meta: { readonly dporFound?: { readonly found: string; readonly reason?: string } }
}

const root = path.resolve(values.path)
const folder = path.join(root, 'random-suites')
const [first, suites] = [Number(values.seed), Number(values.suites)]

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (let seed = first; seed < first + suites; seed++) writeFileSync(path.join(folder, `s${seed}.test.js`), suiteOf(seed))
writeFileSync(path.join(folder, 'dep.js'), imported)
writeFileSync(path.join(folder, 'seen.mjs'), seeing(path.join(folder, 'seen')))
writeFileSync(path.join(folder, 'vitest.config.mjs'), "import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig({ plugins: [dpor()], test: { testTimeout: 2500, hookTimeout: 2500 } })\n")

/** All tests by file and name. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ReadonlyMap<string, Test> {
  const report = path.join(folder, 'report.json')
  spawnSync(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`, ...args], { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return new Map(testResults.flatMap(({ name, assertionResults }) => assertionResults.map((test): [string, Test] => [`${path.basename(name)} > ${test.fullName}`, test])))
}

run([], { RECORD: '1' })
const plain = run([])
const flagged = run(['--', '--dpor', '--dpor.no-cache'])
const counts = new Map<string, number>()
const wrong: string[] = []
for (const [name, { status }] of plain) {
  // What one run has seen another one has not.
  if (status !== 'passed') continue
  const test = flagged.get(name)
  const { found = 'nothing', reason = '' } = test?.meta.dporFound ?? {}
  counts.set(found, (counts.get(found) ?? 0) + 1)
  if (test?.status !== 'passed' || ['race', 'fails', 'unexplored'].includes(found)) wrong.push(`${name}: ${test?.status ?? 'gone'}, ${found} ${reason}`)
}
for (const line of wrong.slice(0, Number(values.show))) console.log(line)
console.log(`${[...counts.values()].reduce((sum, count) => sum + count, 0)} tests of ${suites} suites: ${[...counts].map(([found, count]) => `${count} ${found}`).join(', ')}; ${wrong.length} wrong`)
if (wrong.length > 0) process.exitCode = 1
