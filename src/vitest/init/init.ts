import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import pc from 'picocolors'
import picomatch from 'picomatch'
import { help } from '../help.ts'
import { projectsIn, withPlugin } from './config-edit.ts'
import { lineDiff } from './line-diff.ts'
import { withScript } from './script-edit.ts'

/** A file as it is to be; `before` is undefined where there is none. */
interface Change {
  readonly file: string
  readonly before: string | undefined
  readonly after: string
}

/** What is to be changed, and what somebody has to do himself. */
interface Plan {
  readonly changes: readonly Change[]
  readonly byHand: readonly string[]
}

const script = { name: 'test:dpor', command: 'vitest-dpor run --dpor' }

const yes: ReadonlySet<string> = new Set(['--yes', '-y'])

/** `vitest-dpor init [--yes]`: adds the plugin to the Vitest config of a project, and a script; shows that first. Returns the exit code. */
export async function init(folder: string, args: readonly string[]): Promise<number> {
  if (args.some((argument) => argument === '--help' || argument === '-h')) {
    console.log(help)
    return 0
  }
  const unknown = args.find((argument) => !yes.has(argument))
  if (unknown !== undefined) {
    console.error(`vitest-dpor: init has no option ${unknown}, but --yes: to change the files without being asked`)
    return 1
  }
  const { changes, byHand } = planFor(folder)
  for (const line of byHand) console.log(line)
  if (changes.length === 0) {
    if (byHand.length === 0) console.log('vitest-dpor: the plugin and the script are there already.')
    return byHand.length === 0 ? 0 : 1
  }
  for (const change of changes) console.log(shown(change, folder))
  if (!args.some((argument) => yes.has(argument)) && !(await isWanted())) {
    console.log('vitest-dpor: nothing was changed. To do so: npx vitest-dpor init --yes')
    return 1
  }
  for (const { file, after } of changes) writeFileSync(file, after)
  console.log(byHand.length === 0 ? `vitest-dpor: done. Explore all tests: npm run ${script.name}` : `vitest-dpor: done, but for what is said above. Then explore all tests: npm run ${script.name}`)
  return byHand.length === 0 ? 0 : 1
}

async function isWanted(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Change these files? [y/N] ')
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

function planFor(folder: string): Plan {
  const root = configIn(folder) ?? path.join(folder, newConfigIn(folder))
  const named = existsSync(root) ? projectsIn(readFileSync(root, 'utf8'), root) : []
  const plans = [...new Set([root, ...configsOf(named, folder)])].map(planForConfig)
  return { changes: [...plans.flatMap(({ changes }) => changes), ...scriptChange(folder)], byHand: plans.flatMap(({ byHand }) => byHand) }
}

function planForConfig(file: string): Plan {
  if (!existsSync(file)) return { changes: [{ file, before: undefined, after: newConfig }], byHand: [] }
  const before = readFileSync(file, 'utf8')
  const after = withPlugin(before, file, { isDefault: vitestFor(file) >= 5 })
  if (after === before) return { changes: [], byHand: [] }
  if (after !== undefined) return { changes: [{ file, before, after }], byHand: [] }
  return { changes: [], byHand: [`vitest-dpor: the options of ${file} were not found. Add the plugin there yourself: import { dpor } from 'vitest-dpor/plugin', then plugins: [dpor()]`] }
}

/** The major version of the Vitest that a config is for; if there is none, of the one that would come. */
function vitestFor(file: string): number {
  try {
    const { version } = createRequire(file)('vitest/package.json') as { readonly version: string }
    return Number.parseInt(version)
  } catch {
    return 5
  }
}

const configName = /^(vitest|vite)\.config\.[mc]?[jt]s$/

/** Vitest's own config goes before that of Vite. */
function configIn(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => configName.test(name)).toSorted()
  const name = names.find((one) => one.startsWith('vitest')) ?? names[0]
  return name === undefined ? undefined : path.join(folder, name)
}

const matcher = (entry: string): RegExp => picomatch.makeRe(entry.replace(/^(?:<rootDir>|\.)\//, '').replace(/\/$/, ''))

/** The configs of the projects that the entries of `test.projects` name, which are folders, files, or patterns of such. A folder may have none yet. */
function configsOf(entries: readonly string[], root: string): string[] {
  const wanted = entries.filter((entry) => !entry.startsWith('!')).map(matcher)
  const unwanted = entries.filter((entry) => entry.startsWith('!')).map((entry) => matcher(entry.slice(1)))
  const isNamed = (found: string): boolean => {
    const relative = path.relative(root, found).replaceAll('\\', '/')
    return wanted.some((pattern) => pattern.test(relative)) && !unwanted.some((pattern) => pattern.test(relative))
  }
  return foldersBelow(root).flatMap((folder) => {
    const config = configIn(folder)
    if (config === undefined) return isNamed(folder) ? [path.join(folder, newConfigIn(folder))] : []
    return isNamed(folder) || isNamed(config) ? [config] : []
  })
}

/** All but those of packages. */
function foldersBelow(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
  return inside.flatMap(({ name }) => [path.join(folder, name), ...foldersBelow(path.join(folder, name))])
}

const newConfig = "import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\n\nexport default defineConfig({ plugins: [dpor()] })\n"

const newConfigIn = (folder: string): string => (existsSync(path.join(folder, 'tsconfig.json')) ? 'vitest.config.ts' : 'vitest.config.mjs')

function scriptChange(folder: string): Change[] {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) return []
  const before = readFileSync(file, 'utf8')
  const content = JSON.parse(before) as { scripts?: Record<string, string> }
  if (Object.values(content.scripts ?? {}).some((command) => command.includes('--dpor'))) return []
  return [{ file, before, after: withScript(before, script) }]
}

/** The lines that go and that come. */
function shown({ file, before, after }: Change, folder: string): string {
  const lines = lineDiff(before?.split('\n') ?? [], after.split('\n')).map(({ line, isNew }) => (isNew ? pc.green(`+ ${line}`) : pc.red(`- ${line}`)))
  return [pc.bold(`${path.relative(folder, file)}${before === undefined ? ' (new)' : ''}`), ...lines, ''].join('\n')
}
