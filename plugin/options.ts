import { namesOf, problemsOf, type ExplorationDefaults, type Layer, type PluginOptions } from '../src/options/index.ts'

const advice = {
  plugin: 'Correct dpor({ ... }) in the Vitest config.',
  commandLine: 'Correct the command line.',
} satisfies Partial<Record<Layer, string>>

/** Where the plugin takes options from. */
export type Source = keyof typeof advice

/** A mistake in `dpor({ ... })` in the Vitest config, or on the command line. */
export class PluginOptionError extends Error {
  override readonly name = 'PluginOptionError'

  constructor(message: string, source: Source = 'plugin') {
    super(`vitest-dpor: ${message}. ${advice[source]}`)
  }
}

/** Throws one error that names everything that is wrong. */
export function checkOptions(options: object, source: Source = 'plugin'): void {
  if (typeof options !== 'object' || options === null) throw new PluginOptionError(`the options must be an object, not ${String(options)}`, source)
  const problems = problemsOf(source, options)
  if (problems.length > 0) throw new PluginOptionError(problems.map(({ message }) => message).join('; and '), source)
}

/** The options that are passed on to the tests. */
export function explorationDefaults(options: PluginOptions): ExplorationDefaults {
  const known = namesOf('test')
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => known.includes(name) && value !== undefined))
}
