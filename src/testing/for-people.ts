/** Reporters that print for people; beside any other one a summary would be in the way. */
const readable = new Set(['default', 'verbose', 'tree', 'dot', 'basic', 'hanging-process', 'agent', 'minimal', 'github-actions'])

/** Whether what Vitest prints is read by people. */
export function isForPeople({ config: { reporters } }: { readonly config: { readonly reporters: readonly unknown[] } }): boolean {
  const names = reporters.flatMap((reporter) => {
    const name: unknown = Array.isArray(reporter) ? reporter[0] : reporter
    return typeof name === 'string' ? [name] : []
  })
  return names.length === 0 || names.some((name) => readable.has(name))
}
