import { completeRun, isAccepted, isRunOption, nameProblem, problemsOf, problemsOfRun, runTable, type CommandLineOptions, type RunSettings } from '../src/options/index.ts'
import { PluginOptionError } from './options.ts'

/** What `--dpor` and its like say. */
export interface CommandLine {
  /** They win over those of a test and of the config. */
  readonly options: CommandLineOptions
  /** If ordinary tests are explored: how. */
  readonly run: RunSettings | undefined
  /** Only what Vitest's `--changed` selects is run, and explored. */
  readonly isForChanged: boolean
  /** With Vitest's `--shard`: not the test files are divided among machines, but the executions of each exploration. */
  readonly isSplit: boolean
}

const split = '--dpor.split'
const changed = '--dpor=changed'

const form = /^--dpor(?:\.([a-z][a-z-]*))?(?:=(.*))?$/s

/** Where the command line of `vitest-dpor`, and of Vitest with `vitest-dpor/register`, is handed on: Vitest itself refuses to know such options. */
const handedOn = 'VITEST_DPOR'

/**
 * What is said of this package: behind a `--`, as in `vitest run -- --dpor --dpor.races=warn`; to `vitest-dpor`, which takes it anywhere;
 * or by the environment variable `DPOR`, which stands for `--dpor`.
 */
export function saidOnCommandLine({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): string[] {
  const start = argv.indexOf('--')
  const behind = (start === -1 ? [] : argv.slice(start + 1)).filter((argument) => argument.startsWith('--dpor'))
  const before = env[handedOn] ? (JSON.parse(env[handedOn]) as string[]) : []
  const variable = env['DPOR'] && !['0', 'false'].includes(env['DPOR']) ? ['--dpor'] : []
  return [...variable, ...before, ...behind]
}

/** The same where somebody starts Vitest by its API: `createVitest('test', { dpor: true })`. */
export function saidByApi(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value === undefined || value === false ? [] : ['--dpor']
  const all = Object.entries(value).map(([name, given]) => `--dpor.${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${String(given)}`)
  return ['--dpor', ...all]
}

/** @throws PluginOptionError with everything that is wrong */
export function commandLine(said: readonly string[]): CommandLine {
  const ofRun: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  let isOn = false
  const given = said.filter((argument) => argument !== split).map((argument) => {
    const [, name, value] = form.exec(argument) ?? []
    if (argument === '--dpor' || argument === changed) isOn = true
    else if (name === 'split') throw new PluginOptionError(`'${argument}' starts several processes, which the command vitest-dpor does: npx vitest-dpor run --dpor ${argument}`, 'commandLine')
    else if (name === undefined) throw new PluginOptionError(`'${argument}' is not of the form --dpor or --dpor.name=value`, 'commandLine')
    return { name: name?.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()), value }
  })
  for (const { name, value } of given) {
    if (name === undefined) continue
    const isOfRun = isOn && isRunOption(name)
    const options = isOfRun ? ofRun : others
    options[name] = value === undefined ? true : (meanings(value).find((meaning) => (isOfRun ? runTable[name].check.accepts(meaning) : isAccepted('commandLine', name, meaning))) ?? value)
  }
  const problems = [...problemsOfRun(ofRun).map(({ message }) => message), ...problemsOfOthers(others, { isOn })]
  if (problems.length > 0) throw new PluginOptionError(problems.join('; and '), 'commandLine')
  return { options: others, run: isOn ? completeRun(ofRun) : undefined, isForChanged: said.includes(changed), isSplit: said.includes(split) }
}

function problemsOfOthers(options: Readonly<Record<string, unknown>>, { isOn }: { readonly isOn: boolean }): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (isRunOption(name) && nameProblem('commandLine', name, value)) return [`option '${name}' is of a run with --dpor, which is not given`]
    if (isOn && name === 'interleave' && value === 'await') return ["with --dpor the interleave of ordinary tests is 'event-loop'; 'await' is for dporTest"]
    const known = isOn ? Object.keys(runTable) : []
    const unknown = nameProblem('commandLine', name, value, known)
    return unknown ? [unknown.message] : problemsOf('commandLine', { [name]: value }).map(({ message }) => message)
  })
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** All that a text can mean: a schedule is text even where it looks like a number. */
function meanings(text: string): unknown[] {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
  return [
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
    ...(text.trim() === '' ? [] : [Number(text)]),
    ...(unit === undefined ? [] : [Number(amount) * units[unit]!]),
    text,
  ]
}
