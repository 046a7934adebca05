import type { Node } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * What an object is made for, as its reader calls it: the variable or property that gets the value of the expression being
 * visited. `const stock = new Map()`, `{ stock: new Map() }`, `this.#stock ??= new Map()`, `({ stock = new Map() })`: `stock`.
 */
export function madeName(node: Node, r: Rewriting): string | undefined {
  let value = node
  for (let i = r.ancestors.lastIndexOf(node) - 1; i >= 0; i--) {
    const parent = r.ancestors[i]!
    if (passesOn(parent, value)) value = parent
    else return takerName(parent, value)
  }
  return undefined
}

/** Whether the value of the parent is that of the child, or may be. */
function passesOn(parent: Node, value: Node): boolean {
  switch (parent.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return true
    case 'LogicalExpression':
      return parent.right === value
    case 'ConditionalExpression':
      return parent.test !== value
    default:
      return false
  }
}

function takerName(parent: Node, value: Node): string | undefined {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.init === value ? targetName(parent.id) : undefined
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return parent.right === value ? targetName(parent.left) : undefined
    case 'Property':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.value === value && !parent.computed ? keyName(parent.key) : undefined
    default:
      return undefined
  }
}

function targetName(target: Node): string | undefined {
  if (target.type === 'Identifier') return target.name as string
  return target.type === 'MemberExpression' && !target.computed ? keyName(target.property) : undefined
}

/** Without the `#` of a private name. */
function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name as string
  return typeof key.value === 'string' ? key.value : undefined
}
