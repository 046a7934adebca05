/** Errors of a test may be ones of another realm, or what Vitest has made of them. */

export function nameOf(error: unknown): unknown {
  return partOf(error, 'name')
}

/** Its first line. */
export function messageOf(error: unknown): string {
  const text = textOf(partOf(error, 'message') ?? error)
  // What follows is advice for tests that have been made to be explored.
  return text.split(/\n|(?<=[^.]\.) (?=[A-Z])/, 1)[0]!
}

/** Tests may throw anything, also what throws when it is looked at. */
export function partOf(error: unknown, key: string): unknown {
  try {
    return typeof error === 'object' && error !== null && key in error ? (error as Readonly<Record<string, unknown>>)[key] : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'what was thrown has no text'
  }
}
