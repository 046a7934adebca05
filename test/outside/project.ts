import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { inject } from 'vitest'

/** One test of a JSON report, as a user's tools see it. */
export interface TestReport {
  readonly status: string
  readonly message: string
  readonly dpor: Record<string, unknown> | undefined
  /** What a run with `--dpor` has found. */
  readonly found: { readonly found: string; readonly reason?: string; readonly waits?: true; readonly race?: object } | undefined
  readonly milliseconds: number
}

export interface Run {
  readonly code: number
  /** All that was printed, without colours. */
  readonly output: string
  /** The test whose full name ends so. */
  readonly test: (name: string) => TestReport
  readonly names: readonly string[]
}

interface JsonReport {
  testResults: { message: string; assertionResults: JsonTest[] }[]
}

interface JsonTest {
  fullName: string
  status: string
  duration?: number
  failureMessages: string[]
  meta: { dpor?: Record<string, unknown>; dporFound?: TestReport['found'] }
}

/** The configuration that the README gives. */
export const config = (options = ''): string => `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor(${options})] })
`

/** What is installed beside all projects: for one that needs it beside its own packages, as test environments do. */
export function own(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(path.join(inject('installed'), 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  return Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, version.replace(/^file:/, 'file:../')]))
}

/** Writes a project below the folder where the package is installed; returns its folder. Of what all projects have it lacks what is `missing`. */
export function project(name: string, files: Record<string, string>, missing: readonly string[] = []): string {
  const folder = path.join(inject('installed'), name)
  rmSync(folder, { recursive: true, force: true })
  const all = { 'package.json': '{ "private": true, "type": "module" }', 'vitest.config.ts': config(), ...files }
  for (const [file, text] of Object.entries(all)) {
    if (missing.includes(file)) continue
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  return folder
}

/** As if no test runner were around. */
export function environment(): Record<string, string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|VITE_|FORCE_COLOR|NODE_OPTIONS|CI$|GITHUB_|DPOR$)/.test(name)))
  return { ...env, NO_COLOR: '1' }
}

/** Runs the installed Vitest in a project, its own if it has one. */
export function run(folder: string, ...args: string[]): Promise<Run> {
  return runBy({}, folder, ...args)
}

/** How Vitest is started: by another Node, by a command of another package, with options for Node, with variables of the environment. */
export interface Start {
  readonly runtime?: string
  readonly command?: string
  readonly node?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A file of an installed package. */
export const installedFile = (file: string): string => path.join(inject('installed'), 'node_modules', file)

const vitestOf = (folder: string): string => [folder, inject('installed')].map((at) => path.join(at, 'node_modules/vitest/vitest.mjs')).find((file) => existsSync(file))!

/** Runs the installed Vitest as it is said. */
export async function runBy({ runtime = process.execPath, command, node = [], env: variables = {} }: Start, folder: string, ...args: string[]): Promise<Run> {
  const report = path.join(folder, 'report.json')
  rmSync(report, { force: true })
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      runtime,
      [...node, command ?? vitestOf(folder), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      { cwd: folder, env: { ...environment(), ...variables }, maxBuffer: 1e8 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stripVTControlCharacters(stdout + stderr) }),
    )
  })
  const tests = testsOf(report)
  const test = (name: string): TestReport => {
    const found = tests.filter(({ fullName }) => fullName.endsWith(name))
    if (found.length !== 1) throw new Error(`${found.length} tests named ${name} in:\n${output}`)
    const { status, failureMessages, meta, duration = 0 } = found[0]!
    return { status, message: failureMessages.join('\n'), dpor: meta.dpor, found: meta.dporFound, milliseconds: duration }
  }
  return { code, output, test, names: tests.map(({ fullName }) => fullName) }
}

function testsOf(report: string): JsonTest[] {
  let text
  try {
    text = readFileSync(report, 'utf8')
  } catch {
    return [] // Vitest did not start
  }
  return (JSON.parse(text) as JsonReport).testResults.flatMap(({ assertionResults }) => assertionResults)
}
