const missing = new Set<string>()

/** A statement counts as a change of all that there is, since this package, a parser, is not installed. */
export function missesParser(name: string): void {
  missing.add(name)
}

/** By name: those that were missed since this was last asked. */
export function takeMissingParsers(): readonly string[] {
  const all = [...missing]
  missing.clear()
  return all
}
