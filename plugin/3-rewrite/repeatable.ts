import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** An expression that may be written twice: it has no effect and always gives the same object. */
export function isRepeatable(object: Node, r: Rewriting): boolean {
  if (object.type === 'ThisExpression') return true
  if (object.type !== 'Identifier') return false
  const binding = r.analysis.binding(object)
  return !!binding && !binding.reassigned
}
