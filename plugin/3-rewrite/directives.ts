import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** The end of the directives at the start of a function body or file, or `start` when there are none; with `r`, ends them with a semicolon. */
export function afterDirectives(list: readonly Node[], start: number, r?: Rewriting): number {
  let end = start
  for (const statement of list) {
    if (typeof statement.directive !== 'string') break
    end = statement.end
  }
  if (end !== start && r && r.source[end - 1] !== ';') r.insert(end, ';')
  return end
}
