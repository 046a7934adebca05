import { type Node, unwrap } from '../1-parse/node.ts'
import { isGlobal } from './globals.ts'
import { liveRead } from './live-bindings.ts'
import { shorten } from './places.ts'
import type { Rewriting } from './rewriting.ts'

/** Operators that make text or numbers of objects. */
const coercing = new Set(['+', '-', '*', '/', '%', '**', '<', '>', '<=', '>=', '==', '!=', '&', '|', '^', '<<', '>>', '>>>'])

const isEquality = (operator: string): boolean => operator === '==' || operator === '!='

/** An arithmetic operator, without the `=` of an assignment. */
export const isCoercing = (operator: string): boolean => coercing.has(operator)

const primitiveGlobals = new Set(['undefined', 'NaN', 'Infinity'])
/** Functions of the platform that return text and numbers. */
const primitiveFunctions = new Set(['Number', 'String', 'Boolean', 'BigInt', 'parseInt', 'parseFloat', 'isNaN', 'isFinite'])
/** Properties that are numbers of everything that has them. */
const numbers = new Set(['length', 'size', 'byteLength', 'byteOffset'])

/** Whether the value is certainly no object, so that nothing is looked at to make text or a number of it. */
export function isPrimitive(node: Node, r: Rewriting): boolean {
  const inner = unwrap(node)
  switch (inner.type) {
    case 'Literal': return !inner.regex
    case 'TemplateLiteral':
    case 'UnaryExpression':
    case 'UpdateExpression':
    case 'BinaryExpression': return true
    case 'LogicalExpression': return isPrimitive(inner.left, r) && isPrimitive(inner.right, r)
    case 'ConditionalExpression': return isPrimitive(inner.consequent, r) && isPrimitive(inner.alternate, r)
    case 'AssignmentExpression': return inner.operator === '=' ? isPrimitive(inner.right, r) : isCoercing((inner.operator as string).slice(0, -1))
    case 'Identifier': return r.analysis.binding(inner)?.primitive ?? isGlobal(inner, primitiveGlobals, r)
    case 'MemberExpression': return !inner.computed && numbers.has(inner.property.name as string)
    case 'CallExpression': return isGlobal(inner.callee, primitiveFunctions, r)
    default: return false
  }
}

const isNullish = (node: Node): boolean => {
  const inner = unwrap(node)
  return (inner.type === 'Literal' && inner.value === null && inner.raw === 'null') || (inner.type === 'Identifier' && inner.name === 'undefined')
}

/** Visits an expression of which an operator makes text or a number: `a` -> `__dpor.coerced(a, site)`. */
export function operand(node: Node, r: Rewriting): void {
  if (isPrimitive(node, r)) return r.visit(node)
  const inner = unwrap(node)
  const site = r.site(node.start, shorten(r.text(node)))
  // A test of a local variable costs less than a call.
  if (inner === node && inner.type === 'Identifier' && !r.recorded(inner) && !liveRead(inner, r)) {
    const name = inner.name as string
    r.replace(node.start, node.end, `(typeof ${name} === 'object' ? __dpor.coerced(${name}, ${site}) : ${name})`)
  } else r.wrap(node, '__dpor.coerced((', `), ${site})`)
}

/** Visits the operands of an operator. What it looks at, it looks at when both have their values. */
export function operands(node: Node, r: Rewriting): void {
  const operator = node.operator as string
  const { left, right } = node as unknown as { left: Node; right: Node }
  if (!isCoercing(operator) || (isEquality(operator) && (isNullish(left) || isNullish(right)))) return r.children(node)
  if (isPrimitive(left, r) || !r.analysis.suspends(right)) {
    operand(left, r)
    return operand(right, r)
  }
  const kept = r.temporary()
  r.wrap(left, `(${kept} = (`, '))')
  r.wrap(right, '__dpor.coerced((', `), ${r.site(node.start, shorten(r.text(node)))}, ${kept})`)
}
