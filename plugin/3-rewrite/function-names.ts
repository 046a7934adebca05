import { type Node, unwrap } from '../1-parse/node.ts'
import { nameFrom } from './async-kinds.ts'
import { shorten } from './places.ts'
import type { Rewriting } from './rewriting.ts'

/** What a reader calls a function: its name, that of what it is assigned to, or whose callback it is. */
export function functionName(node: Node, r: Rewriting, parent: Node | undefined = r.parent): string {
  if (node.id) return node.id.name as string
  if (!parent) return 'anonymous'
  switch (parent.type) {
    case 'MethodDefinition':
    case 'Property':
    case 'PropertyDefinition': return keyText(parent, r)
    case 'VariableDeclarator': return parent.id.type === 'Identifier' ? parent.id.name : 'anonymous'
    case 'AssignmentExpression': return shorten(r.text(parent.left))
    case 'CallExpression':
    case 'NewExpression': return parent.callee === node ? nameOfResult(parent, r) : nameOfCallback(parent, r)
    case 'ExportDefaultDeclaration': return 'default'
    case 'ParenthesizedExpression': return functionName(parent, r, outside(parent, r))
    case 'ReturnStatement': return nameOfReturned(node, r, enclosing(parent, r))
    case 'ArrowFunctionExpression': return parent.body === node ? nameOfReturned(node, r, parent) : 'anonymous'
    default: return 'anonymous'
  }
}

/**
 * What a stack trace calls an asynchronous function when it goes on after it has waited: `f`, `Class.method`, `Object.key`; '' where it has no name.
 */
export function nameInStack(node: Node, r: Rewriting): string {
  const { parent, value } = r.standing
  const isMethod = parent.type === 'MethodDefinition'
  const own = node.id ? identifierName(node.id) : isMethod ? (parent.computed ? '' : keyText(parent, r)) : (nameFrom(parent, value) ?? '')
  if (isMethod || parent.type === 'PropertyDefinition' || parent.type === 'AccessorProperty') return owned(className(r), own)
  return parent.type === 'Property' ? owned('Object', own) : own
}

const identifierName = (target: Node | null): string => (target?.type === 'Identifier' ? (target.name as string) : '')

const owned = (owner: string, name: string): string => (owner && name ? `${owner}.${name}` : name)

/** That of the class around the member being visited. */
function className({ ancestors }: Rewriting): string {
  const at = ancestors.findLastIndex(({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression')
  const { id } = ancestors[at] as Node & { readonly id: Node | null }
  const around = ancestors[at - 1]!
  return identifierName(id ?? (around.type === 'VariableDeclarator' ? around.id : around.type === 'AssignmentExpression' ? around.left : null))
}

const outside = (node: Node, r: Rewriting): Node | undefined => r.ancestors[r.ancestors.lastIndexOf(node) - 1]

const enclosing = (node: Node, r: Rewriting): Node | undefined => r.ancestors.slice(0, r.ancestors.lastIndexOf(node)).findLast(({ type }) => /Function/.test(type))

/** What a function returns is called what a call of that is. */
function nameOfReturned(node: Node, r: Rewriting, maker: Node | undefined): string {
  const name = maker ? functionName(maker, r, outside(maker, r)) : 'anonymous'
  return name === 'anonymous' ? name : `${name}()`
}

/** A hook, or a mock, stands for the function that it is given: `const save = useCallback(async () => {})`, `{ save: vi.fn(async () => {}) }`. */
function nameOfCallback(call: Node, r: Rewriting): string {
  const callee = calleeText(call.callee, r)
  const result = /(?:^|\.)(?:use\p{Lu}|fn$)/u.test(callee) ? nameOfResult(call, r) : 'anonymous'
  return result === 'anonymous' ? `${callee} callback` : result
}

/** A function that is called where it stands is called what its result is, or what it stands in. */
function nameOfResult(call: Node, r: Rewriting): string {
  let value = call
  for (let i = r.ancestors.lastIndexOf(call) - 1; i >= 0; i--) {
    const around = r.ancestors[i]!
    if ((around.type === 'Property' || around.type === 'PropertyDefinition') && around.value === value) return keyText(around, r)
    if (around.type === 'VariableDeclarator') return around.init === value && around.id.type === 'Identifier' ? around.id.name : 'anonymous'
    if (around.type !== 'AwaitExpression' && around.type !== 'ParenthesizedExpression') return 'anonymous'
    value = around
  }
  return 'anonymous'
}

function keyText(property: Node, r: Rewriting): string {
  const { key } = property as { key: Node } & Node
  if (property.computed) return `[${shorten(r.text(key))}]`
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Identifier' ? key.name : String(key.value)
}

/** What is called has no name: the function in which that stands has one. */
function nameAround(r: Rewriting): string {
  const named = r.ancestors.findLast((node) => node.type === 'FunctionDeclaration' || node.type === 'MethodDefinition')
  if (named?.type === 'MethodDefinition') return keyText(named, r)
  return named?.id ? (named.id.name as string) : 'anonymous'
}

function calleeText(callee: Node, r: Rewriting): string {
  const inner = unwrap(callee)
  if (inner.type === 'CallExpression') return calleeText(inner.callee, r)
  if (inner.type === 'MemberExpression' && !inner.computed && inner.property.type === 'Identifier')
    return inner.object.type === 'Identifier' ? `${inner.object.name}.${inner.property.name}` : inner.property.name
  return inner.type === 'Identifier' ? shorten(r.text(inner)).slice(0, 30) : nameAround(r)
}
