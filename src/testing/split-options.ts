import { nameProblem, type DporOptions } from '../options/index.ts'

/** The options that a test framework takes beside ours. */
export interface OthersOptions {
  readonly names: ReadonlySet<string>
  /** For errors: `those of Vitest's test()`. */
  readonly called: string
}

/** Separates our options from those of a test framework; says nothing about their values. @throws OptionError for a name that is of neither */
export function splitOptions<Others extends object>(options: DporOptions & Others, { names, called }: OthersOptions): { readonly dpor: DporOptions; readonly others: Others } {
  const dpor: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    const isOther = names.has(name)
    const problem = isOther ? undefined : nameProblem('test', name, value, [`and ${called}`])
    if (problem) throw problem
    const side = isOther ? others : dpor
    side[name] = value
  }
  return { dpor, others: others as Others }
}
