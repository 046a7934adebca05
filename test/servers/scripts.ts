import { Random } from '../reference/random.ts'

export type Level = 'read committed' | 'repeatable read' | 'serializable'

/** One statement; `$last` among its values is what the connection has read last. */
export interface Step {
  readonly text: string
  readonly values: readonly (number | '$last')[]
}

/** What one connection does: in a transaction of a level, or each statement by itself. */
export interface Script {
  readonly level: Level | undefined
  readonly steps: readonly Step[]
}

export type Program = readonly Script[]

/** A statement, and what its values are. */
export type Template = readonly [text: string, ...values: ('key' | 'number' | 'last')[]]

/** A random program: two connections, or three with less to do. */
export function randomProgram(seed: number, { levels, templates }: { readonly levels: readonly (Level | undefined)[]; readonly templates: readonly Template[] }): Program {
  const random = new Random(seed)
  const connections = random.below(4) === 0 ? 3 : 2
  const most = connections === 3 ? 2 : 3
  return Array.from({ length: connections }, () => randomScript(random, most, { levels, templates }))
}

/** What one connection does, in at most so many statements. */
export function randomScript(random: Random, most: number, { levels, templates }: { readonly levels: readonly (Level | undefined)[]; readonly templates: readonly Template[] }): Script {
  const level = random.one(levels)
  return { level, steps: Array.from({ length: 1 + random.below(most) }, () => randomStep(random, templates)) }
}

export function randomStep(random: Random, templates: readonly Template[]): Step {
  const [text, ...kinds] = random.one(templates)
  return { text, values: kinds.map((kind) => (kind === 'key' ? 1 + random.below(3) : kind === 'number' ? 5 * random.below(4) : '$last')) }
}

export const valuesOf = ({ values }: Step, last: number): readonly number[] => values.map((value) => (value === '$last' ? last : value))

export function print(program: Program): string {
  return program.map(({ level, steps }) => `${level ?? 'autocommit'}: ${steps.map(({ text, values }) => `${text} ${JSON.stringify(values)}`).join('; ')}`).join('\n')
}
