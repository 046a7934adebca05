import type { Access } from './accesses.ts'
import type { ExplainInput } from './input.ts'

/** Variables by the names that they have in the source: what a package is minified to has names of one letter. */
export function withOriginalNames(accesses: Access[], original: ExplainInput['original']): Access[] {
  if (!original) return accesses
  const names = new Map<number, string>()
  for (const { key, location, place } of accesses) {
    const name = key.kind === 'variable' && place && !names.has(location) ? original(place)?.name : undefined
    if (name !== undefined) names.set(location, name)
  }
  return names.size === 0 ? accesses : accesses.map((access) => (access.key.kind === 'variable' && names.has(access.location) ? { ...access, key: { ...access.key, name: names.get(access.location)! } } : access))
}
