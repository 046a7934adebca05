import { checkOptions, PluginOptionError, type ExplorationDefaults } from './options.ts'

const advice = 'Correct the command line, behind the --.'
const flag = /^--dpor\.([a-z][a-z-]*)(?:=(.*))?$/s

/**
 * Options given on the command line, behind a `--`: `vitest run -- --dpor.max-executions=500 --dpor.replay=0x2.1`.
 * They win over those of a test and of the config.
 */
export function commandLineOptions(argv: readonly string[]): ExplorationDefaults & { replay?: string } {
  const options: Record<string, unknown> = {}
  const start = argv.indexOf('--')
  for (const argument of start === -1 ? [] : argv.slice(start + 1)) {
    if (!argument.startsWith('--dpor')) continue
    const [, name, value] = flag.exec(argument) ?? []
    if (name === undefined) throw new PluginOptionError(`'${argument}' is not of the form --dpor.name=value`, advice)
    const option = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    // A schedule is text even where it looks like a number.
    options[option] = option === 'replay' ? (value ?? '') : valueOf(value)
  }
  const { replay, ...others } = options
  checkOptions(others, advice)
  return { ...others, ...(typeof replay === 'string' && { replay }) }
}

function valueOf(text: string | undefined): unknown {
  if (text === undefined || text === 'true') return true
  if (text === 'false') return false
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
