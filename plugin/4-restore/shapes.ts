import type { Node } from '../1-parse/node.ts'

/** Shapes of what the rewriting puts into a text. */

export function withoutParentheses(node: Node): Node {
  let inner = node
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression as Node
  return inner
}

/** `__dporOn`, `__dporOn || __dporNames && ...` */
export function isFlag(node: Node): boolean {
  const test = withoutParentheses(node)
  if (test.type === 'LogicalExpression') return isFlag(test.left as Node)
  return test.type === 'Identifier' && test.name === '__dporOn'
}

/** The name of the function of the runtime that is called. */
export function nameOf(node: Node): string | undefined {
  const { type, callee } = node
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.computed || callee.object.name !== '__dpor') return undefined
  return callee.property.name as string
}

/** Whether that function is called there, or asked for. */
export function isCallOf(name: string, node: Node): boolean {
  const inner = withoutParentheses(node)
  return nameOf(inner) === name || (inner.type === 'MemberExpression' && inner.object.name === '__dpor' && inner.property.name === name)
}

const textOf = ({ type, expression }: Node): unknown => (type === 'ExpressionStatement' && expression.type === 'Literal' ? expression.value : undefined)

/** Whether a statement only says that its function was rewritten. */
export const isMark = (node: Node): boolean => textOf(node) === '__dpor' || hadNoBlock(node)

/** The same of an arrow function that had no block. */
export const hadNoBlock = (node: Node): boolean => textOf(node) === '__dpor=>'
