/** Errors of a test may be ones of another realm, or what Vitest has made of them. */

export function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined
}

/** Its first line. */
export function messageOf(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  // What follows is advice for tests that have been made to be explored.
  return text.split(/\n|(?<=[^.]\.) (?=[A-Z])/, 1)[0]!
}
