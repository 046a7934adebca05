import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import pc from 'picocolors'
import picomatch from 'picomatch'
import { projectsIn, withPlugin } from './config-edit.ts'

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

/** `vitest-dpor init [--yes]`: adds the plugin to the Vitest config of a project, and a script; shows that first. Returns the exit code. */
export async function init(folder: string, args: readonly string[]): Promise<number> {
  const { changes, byHand } = planFor(folder)
  for (const line of byHand) console.log(line)
  if (changes.length === 0) {
    if (byHand.length === 0) console.log('vitest-dpor: the plugin and the script are there already.')
    return byHand.length === 0 ? 0 : 1
  }
  for (const change of changes) console.log(shown(change, folder))
  if (!args.includes('--yes') && !(await isWanted())) {
    console.log('vitest-dpor: nothing was changed. To do so: npx vitest-dpor init --yes')
    return 1
  }
  for (const { file, after } of changes) writeFileSync(file, after)
  console.log(`vitest-dpor: done. Explore all tests: npm run ${script.name}`)
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
  const root = configIn(folder)
  const projects = root === undefined ? [] : projectsIn(readFileSync(root, 'utf8'), root).flatMap((pattern) => configsOf(pattern, folder))
  const plans = [...new Set(root === undefined ? [] : [root, ...projects])].map(planForConfig)
  const all = root === undefined ? [{ changes: [newConfig(folder)], byHand: [] }] : plans
  return { changes: [...all.flatMap(({ changes }) => changes), ...scriptChange(folder)], byHand: all.flatMap(({ byHand }) => byHand) }
}

function planForConfig(file: string): Plan {
  const before = readFileSync(file, 'utf8')
  const after = withPlugin(before, file)
  if (after === before) return { changes: [], byHand: [] }
  if (after !== undefined) return { changes: [{ file, before, after }], byHand: [] }
  return { changes: [], byHand: [`vitest-dpor: the options of ${file} were not found. Add the plugin there yourself: import { dpor } from 'vitest-dpor/plugin', then plugins: [dpor()]`] }
}

const configName = /^(vitest|vite)\.config\.[mc]?[jt]s$/

/** Vitest's own config goes before that of Vite. */
function configIn(folder: string): string | undefined {
  const names = readdirSync(folder).filter((name) => configName.test(name)).toSorted()
  const name = names.find((one) => one.startsWith('vitest')) ?? names[0]
  return name === undefined ? undefined : path.join(folder, name)
}

/** The configs of the projects that an entry of `test.projects` names, which is a folder, a file, or a pattern of such. */
function configsOf(pattern: string, root: string): string[] {
  const fits = picomatch.makeRe(pattern.replace(/^\.\//, '').replace(/\/$/, ''))
  const isNamed = (found: string): boolean => fits.test(path.relative(root, found).replaceAll('\\', '/'))
  return foldersBelow(root).flatMap((folder) => {
    const config = configIn(folder)
    return config !== undefined && (isNamed(folder) || isNamed(config)) ? [config] : []
  })
}

/** All but those of packages. */
function foldersBelow(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
  return inside.flatMap(({ name }) => [path.join(folder, name), ...foldersBelow(path.join(folder, name))])
}

function newConfig(folder: string): Change {
  const after = "import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\n\nexport default defineConfig({ plugins: [dpor()] })\n"
  return { file: path.join(folder, existsSync(path.join(folder, 'tsconfig.json')) ? 'vitest.config.ts' : 'vitest.config.mjs'), before: undefined, after }
}

function scriptChange(folder: string): Change[] {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) return []
  const before = readFileSync(file, 'utf8')
  const content = JSON.parse(before) as { scripts?: Record<string, string> }
  if (Object.values(content.scripts ?? {}).some((command) => command.includes('--dpor'))) return []
  const indentation = /^[ \t]+(?=")/m.exec(before)?.[0] ?? '  '
  const after = `${JSON.stringify({ ...content, scripts: { ...content.scripts, [script.name]: script.command } }, undefined, indentation)}${before.endsWith('\n') ? '\n' : ''}`
  return [{ file, before, after }]
}

/** The lines that go and that come. */
function shown({ file, before, after }: Change, folder: string): string {
  const [old, next] = [before?.split('\n') ?? [], after.split('\n')]
  const kept = new Set(old)
  const lost = new Set(next)
  const lines = [...old.filter((line) => !lost.has(line)).map((line) => pc.red(`- ${line}`)), ...next.filter((line) => !kept.has(line)).map((line) => pc.green(`+ ${line}`))]
  return [pc.bold(`${path.relative(folder, file)}${before === undefined ? ' (new)' : ''}`), ...lines, ''].join('\n')
}
