import { inject } from 'vitest'

/** What the plugin makes of a glob, or of a regular expression. */
interface ProvidedPattern {
  readonly source: string
  readonly flags: string
}

/** Whether an option of the plugin names a file; undefined where it is not given. */
export function providedPatterns(name: 'dporIo' | 'dporInclude' | 'dporExclude'): ((file: string) => boolean) | undefined {
  const patterns = (inject(name as never) as readonly ProvidedPattern[] | undefined)?.map(({ source, flags }) => new RegExp(source, flags))
  return patterns && ((file) => patterns.some((pattern) => file.search(pattern) !== -1))
}
