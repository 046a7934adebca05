import type { Node } from '../1-parse/node.ts'
import { asyncExpression, isMadeMethod, withoutHead } from './async-kinds.ts'
import { Function } from './functions.ts'
import { classDefinition } from './literals.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Functions and classes whose identity may matter, as a listener in a Set or a key of a Map, are named where they are made:
 * `listeners.add(() => {})` -> `listeners.add(__dpor.closure(() => {}))`. Where a definition gives a function its name it stays
 * alone.
 */
export function FunctionExpression(node: Node, r: Rewriting): void {
  if (isText(node, r)) return
  if (isHandedOn(r.standing)) wrapped(node, r, functionExpression)
  else functionExpression(node, r)
}

/** `o[() => {}]`, `String(() => {})`: nobody calls it. Its text is what is used, and stays as it was written. */
function isText({ start, end }: Node, { source, parent, analysis }: Rewriting): boolean {
  if (source[end] === ']' && source[start - 1] === '[') return parent.type !== 'ArrayExpression'
  return parent.type === 'CallExpression' && parent.callee.name === 'String' && analysis.readsGlobal(parent.callee as Node)
}

function functionExpression(node: Node, r: Rewriting): void {
  const around = node.async && !isMethod(r) ? asyncExpression(node, r) : undefined
  r.insert(node.start, around?.before ?? '')
  Function(node, r)
  if (isMadeMethod(node)) withoutHead(node, r)
  r.insert(node.end, around?.after ?? '')
}

const isMethod = ({ parent }: Rewriting): boolean => parent.type === 'MethodDefinition' || (parent.type === 'Property' && (parent.method || parent.kind !== 'init'))


export function ClassExpression(node: Node, r: Rewriting): void {
  if (isHandedOn(r.standing)) wrapped(node, r, classDefinition)
  else classDefinition(node, r)
}

function wrapped(node: Node, r: Rewriting, visit: (node: Node, r: Rewriting) => void): void {
  // What is assigned to a property V8 calls by that, unless a variable has it before.
  const isPlain = r.isInTwin || !r.canKeep || r.parent.type === 'AssignmentExpression'
  const [before, after] = isPlain ? ['__dpor.closure(', ')'] : keptClosure(r.temporary())
  r.insert(node.start, before)
  visit(node, r)
  r.insert(node.end, after)
}

/** `($1 = (0, () => {}), __dporOn ? __dpor.closure($1) : $1)`: the variable gives the function no name. */
const keptClosure = (name: string): [before: string, after: string] => [`(${name} = (0, `, `), __dporOn ? __dpor.closure(${name}) : ${name})`]

/** Methods that call what they are given, and keep it no longer than that. */
const callers = new Set([
  'map', 'filter', 'forEach', 'reduce', 'reduceRight', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap',
  'sort', 'toSorted', 'then', 'catch', 'finally', 'replace', 'replaceAll', 'from', 'describe', 'test', 'it', 'expect', 'setTimeout',
  'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick', 'mock', 'hoisted', 'doMock', 'each', 'explore', 'dporTest',
])

function isHandedOn({ parent, value: node }: Rewriting['standing']): boolean {
  switch (parent.type) {
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee !== node && !callers.has(calleeName(parent.callee))
    case 'ArrayExpression':
    case 'ReturnStatement':
    case 'ConditionalExpression':
    case 'YieldExpression':
      return true
    case 'ArrowFunctionExpression':
      return parent.body === node
    case 'AssignmentExpression':
      return parent.right === node && parent.left.type === 'MemberExpression'
    default:
      return false
  }
}

function calleeName(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name as string
  return callee.type === 'MemberExpression' && !callee.computed ? (callee.property.name as string) : ''
}
