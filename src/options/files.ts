import type { Check } from '../engine/checks.ts'

/** Which files, as globs or regular expressions. */
export type FilePattern = string | RegExp | readonly (string | RegExp)[]

export const filePattern: Check<FilePattern> = {
  accepts: (value): value is FilePattern => isPattern(value) || (Array.isArray(value) && value.every(isPattern)),
  words: 'a glob, a regular expression or an array of these',
}

export const packageNames: Check<readonly string[]> = {
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== ''),
  words: 'an array of package names',
}

/** Packages to instrument: `'auto'` for all that explored tests reach. */
export const packagesOrAuto: Check<'auto' | readonly string[]> = {
  accepts: (value): value is 'auto' | readonly string[] => value === 'auto' || packageNames.accepts(value),
  words: "'auto' or an array of package names",
}

function isPattern(value: unknown): boolean {
  return typeof value === 'string' || value instanceof RegExp
}
