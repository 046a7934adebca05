import { OptionError } from './errors.ts'
import type { Interleave } from './outcome.ts'
import { parsePart } from './parts/share.ts'

const algorithms = ['source', 'optimal', 'pop', 'trust', 'random', 'pct', 'naive'] as const
const available: readonly string[] = ['source', 'optimal', 'pop', 'naive']
const interleaves: readonly Interleave[] = ['await', 'event-loop', 'access']

export type AlgorithmName = (typeof algorithms)[number]

export interface SearchOptions {
  /** How to explore; the README of this folder compares them. Default `'optimal'`. */
  readonly algorithm?: AlgorithmName | undefined
  /** Complete and truncated executions after which to give up. Default: no bound. */
  readonly maxExecutions?: number | undefined
  /** Milliseconds after which no further execution starts. Default: no bound. */
  readonly maxTime?: number | undefined
  /** Steps after which one execution is cut short. Default 10,000. */
  readonly maxSteps?: number | undefined
  /** End at the first failing execution. Default `true`. */
  readonly stopOnFirst?: boolean | undefined
  /** Run this one schedule only. */
  readonly replay?: string | undefined
  /**
   * Explore this part of the executions only: `'1/4'` is the first of four. Parts have no execution in common, and all of
   * them together have every one. Not with `replay`. Default: everything.
   */
  readonly part?: string | undefined
  readonly seed?: number | undefined
  /** Printed in the result. Default `'access'`. */
  readonly interleave?: Interleave | undefined
}

export interface ResolvedOptions {
  readonly algorithm: AlgorithmName
  readonly maxExecutions: number
  readonly maxTime: number
  readonly maxSteps: number
  readonly stopOnFirst: boolean
  readonly replay: string | undefined
  readonly part: string | undefined
  readonly seed: number
  readonly interleave: Interleave
}

/** The names of all options, for those who refuse others. */
export const optionNames: readonly string[] = [
  'algorithm',
  'maxExecutions',
  'maxTime',
  'maxSteps',
  'stopOnFirst',
  'replay',
  'part',
  'seed',
  'interleave',
]

export function checkOptionNames(options: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) throw new OptionError(name, value, `no such option; there are ${names.join(', ')}`)
  }
}

export function resolveOptions(options: SearchOptions): ResolvedOptions {
  const { algorithm = 'optimal', stopOnFirst = true, replay, part, interleave = 'access' } = options
  checkAlgorithm(algorithm)
  if (typeof stopOnFirst !== 'boolean') throw new OptionError('stopOnFirst', stopOnFirst, 'give true or false')
  if (replay !== undefined && typeof replay !== 'string') {
    throw new OptionError('replay', replay, 'give the schedule that a failure printed, a string such as 0x2.1.2')
  }
  if (part !== undefined) parsePart(part)
  if (part !== undefined && replay !== undefined) throw new OptionError('part', part, 'leave it out where one schedule is replayed')
  if (!interleaves.includes(interleave)) throw new OptionError('interleave', interleave, oneOf(interleaves))
  return {
    algorithm,
    maxExecutions: bound('maxExecutions', options.maxExecutions ?? Infinity),
    maxTime: milliseconds(options.maxTime ?? Infinity),
    maxSteps: bound('maxSteps', options.maxSteps ?? 10_000),
    stopOnFirst,
    replay,
    part,
    seed: seedOf(options.seed ?? 0),
    interleave,
  }
}

function checkAlgorithm(algorithm: string): void {
  if (available.includes(algorithm)) return
  const known = (algorithms as readonly string[]).includes(algorithm)
  const accepted = known ? 'this algorithm is not available yet; give' : 'no such algorithm; give'
  throw new OptionError('algorithm', algorithm, `${accepted} ${available.map((name) => `'${name}'`).join(', ')}`)
}

function bound(option: string, value: number): number {
  if (value === Infinity || (Number.isSafeInteger(value) && value >= 1)) return value
  throw new OptionError(option, value, 'give a whole number of at least 1, or Infinity')
}

function milliseconds(value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new OptionError('maxTime', value, 'give a positive number of milliseconds, or Infinity')
}

function seedOf(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new OptionError('seed', value, 'give a whole number of at least 0')
}

function oneOf(names: readonly string[]): string {
  return `give one of ${names.map((name) => `'${name}'`).join(', ')}`
}
