import { isFunction, type Node } from '../1-parse/node.ts'
import { afterDirectives } from './directives.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * What takes the place of an async function is none, and gets the prototype of one: `async () => {}` -> `__dpor.asynchronous(() => {})`,
 * and of an async generator `__dpor.asynchronous(fn, true)`. Private methods and those with computed keys do without.
 */

const wrappers = new Set(['ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'])

const call = (fn: string, node: Node): string => `__dpor.asynchronous(${fn}${node.generator ? ', true' : ''})`

/** What stands before and after an async function that is an expression. */
export function asyncExpression(node: Node, r: Rewriting): [before: string, after: string] | undefined {
  let depth = -2
  while (wrappers.has(r.ancestors.at(depth)!.type)) depth--
  const parent = r.ancestors.at(depth)!
  const inner = depth === -2 ? node : r.ancestors.at(depth + 1)!
  const isCalledAtOnce = parent.type === 'CallExpression' && parent.callee === inner && !node.id
  const name = node.id ? '' : nameFrom(parent, inner)
  if (isCalledAtOnce || name === undefined) return undefined
  const after = node.generator ? ', true)' : ')'
  // A function takes its name from its definition, which an argument of a call does not give it.
  return name ? [`__dpor.asynchronous({ [${quote(name)}]: `, ` }[${quote(name)}]${after}`] : ['__dpor.asynchronous(', after]
}

/** The name that a definition gives to a function without one; '' where it gives none, undefined where that is known only later. */
function nameFrom(parent: Node, value: Node): string | undefined {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.init === value && parent.id.type === 'Identifier' ? (parent.id.name as string) : ''
    case 'AssignmentPattern':
      return parent.right === value && parent.left.type === 'Identifier' ? (parent.left.name as string) : ''
    case 'AssignmentExpression':
      return parent.right === value && parent.left.type === 'Identifier' && ['=', '??=', '||=', '&&='].includes(parent.operator as string) ? (parent.left.name as string) : ''
    case 'Property':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      if (parent.value !== value) return ''
      return parent.computed ? undefined : keyName(parent.key)
    case 'ExportDefaultDeclaration':
      return 'default'
    default:
      return ''
  }
}

function keyName(key: Node): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  const name = key.type === 'Identifier' ? (key.name as string) : String(key.value)
  return name === '__proto__' ? '' : name
}

/** A declared function is there from the beginning of its block. */
export function asyncDeclaration(node: Node, r: Rewriting): void {
  const around = r.ancestors.slice(0, -1).findLast(({ type }) => !type.startsWith('Export'))!
  const text = `${call(node.id.name as string, node)};`
  if (around.type === 'Program') r.beginnings.push(text)
  else if (around.type === 'BlockStatement') r.insert(around.start + 1, text)
  else if (isFunction(around)) r.insert(afterDirectives(around.body.body, around.body.start + 1), text)
  else r.insert(node.end, ` ${text}`)
}

interface Method {
  readonly key: string
  readonly node: Node
  readonly isStatic: boolean
}

/** The async methods that nothing else in the class or object takes the place of. */
function asyncMethods(members: readonly Node[]): Method[] {
  if (members.some((member) => member.decorators?.length > 0)) return []
  const places = members.map((member) => `${member.static ? 'static ' : ''}${member.key && !member.computed ? keyText(member.key) : ''}`)
  return members.flatMap((member, i): Method[] => {
    const isMethod = member.type === 'MethodDefinition' ? member.kind === 'method' : member.type === 'Property' && member.method
    if (!isMethod || !member.value.async || !member.value.body || member.computed || member.key.type === 'PrivateIdentifier') return []
    if (places.lastIndexOf(places[i]!) > i || members.slice(i).some(mayReplace)) return []
    return [{ key: keyText(member.key), node: member.value as Node, isStatic: member.static === true }]
  })
}

/** A spread, or a key that is known only later and may be any text. */
function mayReplace(member: Node): boolean {
  if (member.type === 'SpreadElement') return true
  if (!member.computed) return false
  const key = member.key as Node
  const maker = key.type === 'CallExpression' ? (key.callee as Node) : key.type === 'MemberExpression' ? (key.object as Node) : key
  return !(maker.type === 'Identifier' && maker.name === 'Symbol')
}

const keyText = (key: Node): string => (key.type === 'Identifier' ? (key.name as string) : key.type === 'PrivateIdentifier' ? `#${key.name}` : String(key.value))

/** A static block that gives the async methods of a class their prototypes; '' where it has none. */
export function asyncMethodsOfClass({ body, decorators }: Node): string {
  if (decorators?.length > 0) return ''
  const methods = asyncMethods(body.body as Node[])
  if (methods.length === 0) return ''
  return `static{${methods.map(({ key, node, isStatic }) => call(`${isStatic ? 'this' : 'this.prototype'}[${quote(key)}]`, node)).join(';')}}`
}

/** The last argument of `__dpor.made` for an object with async methods: `, [['m'], ['g', true]]`. */
export function asyncMethodsOfObject(node: Node): string {
  const methods = asyncMethods(node.properties as Node[])
  if (methods.length === 0) return ''
  return `, [${methods.map((method) => `[${quote(method.key)}${method.node.generator ? ', true' : ''}]`).join(', ')}]`
}
