import { isBuiltin } from 'node:module'

/** The specifier of a package of the user's: no file, no module of Node, nothing of the test runner. */
export function isPackage(specifier: string): boolean {
  return /^(?:@[\w.-]+\/)?[a-z\d][\w.-]*(?:\/|$)/i.test(specifier) && !isTool(specifier)
}

/** A module of Node, or of the test runner. */
export function isTool(specifier: string): boolean {
  return isBuiltin(specifier) || /^(?:vitest|vitest-dpor|@vitest)(?:\/|$)/.test(specifier)
}
