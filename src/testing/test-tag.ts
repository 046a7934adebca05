/** A short name of a test, by its full name: `file > suite > test`. */
export function tagOfName(name: string): string {
  let hash = 2166136261
  for (const unit of name) hash = Math.imul(hash ^ unit.codePointAt(0)!, 16777619)
  return (hash >>> 0).toString(36).padStart(5, '0').slice(-5)
}
