import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * `o.m(a)` looks for the method before it evaluates the arguments. Where these can neither do anything nor throw, nobody can tell,
 * and one call does both.
 */
export const argumentsAreQuiet = (call: Node, r: Rewriting): boolean => (call.arguments as Node[]).every((argument) => isQuiet(argument, r))

/** Whether it can neither do anything nor throw, and gives the same whenever it is evaluated in the expression that it is a part of. */
export function isQuiet(node: Node, r: Rewriting): boolean {
  const inner = unwrap(node)
  switch (inner.type) {
    case 'Literal':
    case 'ThisExpression':
      return true
    case 'Identifier':
      return r.analysis.binding(inner) !== undefined || inner.name === 'undefined' || inner.name === 'arguments'
    case 'TemplateLiteral':
      return (inner.expressions as Node[]).length === 0
    case 'UnaryExpression':
      return (inner.operator === '!' || inner.operator === 'void' || inner.operator === 'typeof') && isQuiet(inner.argument, r)
    case 'BinaryExpression':
      return (inner.operator === '===' || inner.operator === '!==') && isQuiet(inner.left, r) && isQuiet(inner.right, r)
    case 'LogicalExpression':
      return isQuiet(inner.left, r) && isQuiet(inner.right, r)
    case 'ConditionalExpression':
      return isQuiet(inner.test, r) && isQuiet(inner.consequent, r) && isQuiet(inner.alternate, r)
    case 'ArrayExpression':
      return (inner.elements as (Node | null)[]).every((element) => element === null || isQuiet(element, r))
    case 'ObjectExpression':
      return (inner.properties as Node[]).every((property) => property.type === 'Property' && !property.computed && (property.shorthand || isQuiet(property.value, r)))
    default:
      return isFunction(inner)
  }
}
