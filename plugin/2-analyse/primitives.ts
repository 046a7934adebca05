import type { Definition, Reference, Variable } from 'eslint-scope'
import { forEachChild, type Node, unwrap } from '../1-parse/node.ts'

/** The names on the left of `??=`, `||=` and `&&=`, which may give them any value; other operators make text and numbers. */
export function mergedNames(program: Node): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  const visit = (node: Node): void => {
    if (node.type === 'AssignmentExpression' && /^(?:\?\?|\|\||&&)=$/.test(node.operator as string)) names.add(unwrap(node.left))
    forEachChild(node, visit)
  }
  visit(program)
  return names
}

/** Whether all that a variable is ever given is certainly no object. */
export function isPrimitive({ defs, references }: Variable, merged: ReadonlySet<unknown>): boolean {
  const [definition, ...others] = defs
  if (!definition || others.length > 0 || !isDeclaredPlainly(definition)) return false
  return references.every((reference) => !reference.isWrite() || givesPrimitive(reference, merged))
}

/** `let x = 1` and `let x`, not a part of a pattern and not what a loop goes through. */
function isDeclaredPlainly(definition: Definition): boolean {
  if (definition.type !== 'Variable') return false
  const { node, parent } = definition as unknown as { node: Node; parent: Node }
  return node.id.type === 'Identifier' && (node.init !== null || (parent.kind !== 'const' && parent.declarations.length > 0)) && !parent.declare
}

function givesPrimitive(reference: Reference, merged: ReadonlySet<unknown>): boolean {
  if (reference.isRead()) return !merged.has(reference.identifier)
  const value = reference.writeExpr as unknown as Node | null
  const isWhole = (reference as unknown as { partial: boolean }).partial !== true
  return value !== null && isWhole && isPrimitiveExpression(value)
}

function isPrimitiveExpression(node: Node): boolean {
  const inner = unwrap(node)
  switch (inner.type) {
    case 'Literal': return !inner.regex
    case 'TemplateLiteral':
    case 'UnaryExpression':
    case 'UpdateExpression':
    case 'BinaryExpression': return true
    case 'ConditionalExpression': return isPrimitiveExpression(inner.consequent) && isPrimitiveExpression(inner.alternate)
    case 'MemberExpression': return !inner.computed && inner.property.name === 'length'
    default: return false
  }
}
