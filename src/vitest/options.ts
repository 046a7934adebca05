import type { TestOptions } from 'vitest'
import type { DporOptions } from '../options/index.ts'
import { splitOptions } from '../testing/split-options.ts'

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

/** Separates our options from those of Vitest's `test`. @throws OptionError for a name that is of neither */
export function splitForVitest(options: DporTestOptions): { readonly dpor: DporOptions; readonly vitest: TestOptions } {
  const { dpor, others } = splitOptions<TestOptions>(options, { names: vitestOptions, called: "those of Vitest's test()" })
  return { dpor, vitest: others }
}
