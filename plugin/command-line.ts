import { isAccepted, type CommandLineOptions } from '../src/options/index.ts'
import { checkOptions, PluginOptionError } from './options.ts'

const flag = /^--dpor\.([a-z][a-z-]*)(?:=(.*))?$/s

/**
 * Options given on the command line, behind a `--`: `vitest run -- --dpor.max-executions=500 --dpor.replay=0x2.1`.
 * They win over those of a test and of the config.
 */
export function commandLineOptions(argv: readonly string[]): CommandLineOptions {
  const options: Record<string, unknown> = {}
  const start = argv.indexOf('--')
  for (const argument of start === -1 ? [] : argv.slice(start + 1)) {
    if (!argument.startsWith('--dpor')) continue
    const [, name, value] = flag.exec(argument) ?? []
    if (name === undefined) throw new PluginOptionError(`'${argument}' is not of the form --dpor.name=value`, 'commandLine')
    const option = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    options[option] = value === undefined ? true : (meanings(value).find((meaning) => isAccepted('commandLine', option, meaning)) ?? value)
  }
  checkOptions(options, 'commandLine')
  return options
}

/** All that a text can mean: a schedule is text even where it looks like a number. */
function meanings(text: string): unknown[] {
  return [...(text === 'true' || text === 'false' ? [text === 'true'] : []), ...(text.trim() === '' ? [] : [Number(text)]), text]
}
