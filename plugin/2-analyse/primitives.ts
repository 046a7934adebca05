import { forEachChild, type Node, unwrap } from '../1-parse/node.ts'
import type { Definition, Reference, Variable } from './scopes.ts'

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
export function isPrimitive({ definitions, references }: Variable, merged: ReadonlySet<unknown>): boolean {
  const [definition] = definitions
  if (!definition || definitions.length > 1 || !isDeclaredPlainly(definition)) return false
  return references.every((reference) => !reference.writes || givesPrimitive(reference, merged))
}

/** `let x = 1` and `let x`, not a part of a pattern and not what a loop goes through. */
function isDeclaredPlainly({ type, node, parent }: Definition): boolean {
  return type === 'Variable' && node.id.type === 'Identifier' && (node.init !== null || (parent.kind !== 'const' && parent.declarations.length > 0)) && !parent.declare
}

function givesPrimitive({ reads, identifier, written, isPart }: Reference, merged: ReadonlySet<unknown>): boolean {
  return reads ? !merged.has(identifier) : written !== null && !isPart && isPrimitiveExpression(written)
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
