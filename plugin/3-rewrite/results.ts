import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** Nothing can see what the expression being visited evaluates to, whatever that is. */
export function isUnused(r: Rewriting): boolean {
  for (let i = r.ancestors.length - 1; i > 0; i--) {
    const use = useIn(r.ancestors[i - 1]!, r.ancestors[i]!)
    if (use !== 'passed on') return use === 'none'
  }
  return false
}

/** What the parent does with the value of a part: nothing, something, or it makes it its own value. */
function useIn(parent: Node, part: Node): 'none' | 'some' | 'passed on' {
  switch (parent.type) {
    case 'ExpressionStatement': return parent.expression === part ? 'none' : 'some'
    case 'ForStatement': return parent.update === part || parent.init === part ? 'none' : 'some'
    case 'UnaryExpression': return parent.operator === 'void' ? 'none' : 'some'
    case 'SequenceExpression': return parent.expressions.at(-1) === part ? 'passed on' : parent.expressions.includes(part) ? 'none' : 'some'
    case 'ConditionalExpression': return parent.consequent === part || parent.alternate === part ? 'passed on' : 'some'
    case 'LogicalExpression': return parent.right === part ? 'passed on' : 'some'
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion': return parent.expression === part ? 'passed on' : 'some'
    default: return 'some'
  }
}

/** The last argument of calls whose result nothing sees. */
export const unusedArgument = (r: Rewriting): string => (isUnused(r) ? ', true' : '')
