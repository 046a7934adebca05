/** Which files, as globs or regular expressions. */
export type FilePattern = string | RegExp | readonly (string | RegExp)[]

/** Defaults for the explorations of all tests; each can be overridden per test. */
export interface ExplorationDefaults {
  maxExecutions?: number
  maxTime?: number
  maxSteps?: number
  preemptionBound?: number
  algorithm?: string
  search?: string
  seed?: number
  interleave?: 'await' | 'event-loop' | 'access'
  stopOnFirst?: boolean
  part?: string
  reproduce?: number
  onInconclusive?: 'pass' | 'warn' | 'fail'
}

export interface PluginOptions extends ExplorationDefaults {
  /** Files to instrument. Default: all JavaScript and TypeScript files outside `node_modules`. */
  include?: FilePattern
  /** Files not to instrument, whatever `include` says. WARNING: what they share between processes is not seen. */
  exclude?: FilePattern
  /** Packages in `node_modules` to instrument as well, by name. */
  inline?: readonly string[]
}

/** A mistake in `dpor({ ... })` in the Vitest config. */
export class PluginOptionError extends Error {
  override readonly name = 'PluginOptionError'

  constructor(message: string, advice = 'Correct dpor({ ... }) in the Vitest config.') {
    super(`vitest-dpor: ${message}. ${advice}`)
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isNaN(value)
const isString = (value: unknown): boolean => typeof value === 'string'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isPattern = (value: unknown): boolean =>
  isString(value) || value instanceof RegExp || (Array.isArray(value) && value.every((item) => isString(item) || item instanceof RegExp))

interface Rule {
  accepts: (value: unknown) => boolean
  expected: string
}

const number: Rule = { accepts: isNumber, expected: 'a number' }
const string: Rule = { accepts: isString, expected: 'a string' }
const boolean: Rule = { accepts: isBoolean, expected: 'true or false' }
const pattern: Rule = { accepts: isPattern, expected: 'a glob, a regular expression or an array of these' }

const rules: Record<keyof PluginOptions, Rule> = {
  maxExecutions: number,
  maxTime: number,
  maxSteps: number,
  preemptionBound: number,
  algorithm: string,
  search: string,
  seed: number,
  interleave: string,
  stopOnFirst: boolean,
  part: string,
  reproduce: number,
  onInconclusive: string,
  include: pattern,
  exclude: pattern,
  inline: {
    accepts: (value) => Array.isArray(value) && value.every((item) => isString(item) && item !== ''),
    expected: 'an array of package names',
  },
}

const ownOptions: ReadonlySet<string> = new Set(['include', 'exclude', 'inline'])

/** Throws one error that names everything that is wrong. */
export function checkOptions(options: PluginOptions, advice?: string): void {
  if (typeof options !== 'object' || options === null) throw new PluginOptionError(`the options must be an object, not ${String(options)}`)
  const problems: string[] = []
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name as keyof PluginOptions] as Rule | undefined
    if (!rule) problems.push(`there is no option '${name}' (there are ${Object.keys(rules).join(', ')})`)
    else if (value !== undefined && !rule.accepts(value)) problems.push(`'${name}' must be ${rule.expected}`)
  }
  if (problems.length > 0) throw new PluginOptionError(problems.join('; '), advice)
}

/** The options that are passed on to the tests. */
export function explorationDefaults(options: PluginOptions): ExplorationDefaults {
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => !ownOptions.has(name) && value !== undefined))
}
