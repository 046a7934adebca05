import type { TestOptions } from 'vitest'
import { nameProblem, type DporOptions } from '../options/index.ts'

export type DporTestOptions = DporOptions & TestOptions

const vitestNames = {
  timeout: true,
  retry: true,
  repeats: true,
  concurrent: true,
  sequential: true,
  skip: true,
  only: true,
  todo: true,
  fails: true,
  meta: true,
  tags: true,
} satisfies Record<keyof TestOptions, true>

/** `shuffle` is of a suite, but Vitest takes it here too. */
const vitestOptions: ReadonlySet<string> = new Set([...Object.keys(vitestNames), 'shuffle'])

/** Separates our options from those of Vitest's `test`; says nothing about their values. @throws OptionError for a name that is of neither */
export function splitOptions(options: DporTestOptions): { dpor: DporOptions; vitest: TestOptions } {
  const dpor: Record<string, unknown> = {}
  const vitest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    const isVitest = vitestOptions.has(name)
    const problem = isVitest ? undefined : nameProblem('test', name, value, ["and those of Vitest's test()"])
    if (problem) throw problem
    const side = isVitest ? vitest : dpor
    side[name] = value
  }
  return { dpor, vitest }
}
