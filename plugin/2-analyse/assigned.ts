import { forEachChild, type Node, unwrap } from '../1-parse/node.ts'

/**
 * The names of properties that a file assigns somewhere, as far as it shows, but for what constructors give their objects. Whoever
 * looks at a property of another name need not expect it to change; where it does, that is noticed.
 */
export function assignedNames(program: Node): string[] {
  const names = new Set<string>()
  const add = (target: Node | null | undefined): void => {
    if (!target) return
    const found = unwrap(target)
    if (found.type === 'MemberExpression') {
      const name = nameOf(found)
      if (name !== undefined) names.add(name)
    } else if (found.type.endsWith('Pattern') || found.type === 'Property' || found.type === 'RestElement') forEachChild(found, add)
  }
  let isInConstructor = false
  const visitAs = (node: Node, isConstructor: boolean): void => {
    const before = isInConstructor
    isInConstructor = isConstructor
    forEachChild(node, visit)
    isInConstructor = before
  }
  const visit = (node: Node): void => {
    switch (node.type) {
      case 'AssignmentExpression':
        if (!(isInConstructor && node.operator === '=' && isOfThis(unwrap(node.left)))) add(node.left)
        break
      case 'UpdateExpression':
        add(node.argument)
        break
      case 'UnaryExpression':
        if (node.operator === 'delete') add(node.argument)
        break
      case 'ForInStatement':
      case 'ForOfStatement':
        add(node.left)
        break
      case 'MethodDefinition':
        if (node.kind !== 'constructor') break
        for (const parameter of node.value.params as Node[]) visitAs(parameter, false)
        return node.value.body && visitAs(node.value.body, true)
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return visitAs(node, false)
      default:
    }
    forEachChild(node, visit)
  }
  visit(program)
  return [...names]
}

const isOfThis = (target: Node): boolean => target.type === 'MemberExpression' && target.object.type === 'ThisExpression'

function nameOf({ property, computed }: Node): string | undefined {
  if (property.type === 'PrivateIdentifier') return `#${property.name as string}`
  if (!computed) return property.name as string
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}
