import { forEachChild, type Node } from '../1-parse/node.ts'
import { parse } from '../1-parse/parse.ts'
import type { FunctionState } from '../../src/runtime/calls/emitted.ts'
import { resolve } from './resolve.ts'

/** What has no state that two functions could share by using it. */
const stateless = new Set([
  'undefined', 'NaN', 'Infinity', 'Math', 'JSON', 'Object', 'Array', 'Number', 'String', 'Boolean', 'Symbol', 'BigInt', 'Function', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Date', 'RegExp', 'Promise', 'Proxy',
  'Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array', 'Float64Array',
  'BigInt64Array', 'BigUint64Array', 'ArrayBuffer', 'DataView', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'encodeURIComponent', 'decodeURIComponent', 'structuredClone', 'queueMicrotask', 'setTimeout', 'clearTimeout',
  'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController', 'Event', 'EventTarget', 'console',
])

/** Ways to what a class, or a function, is for all that it makes. */
const shared = new Set(['constructor', '__proto__', 'prototype', 'getPrototypeOf', 'caller', 'callee'])

/**
 * What a call of this function makes may share a state with others (`'shared'`), or has one of its own, as the text names nothing outside that could hold one (`'own'`): what two
 * instances of such a class do has nothing to do with each other, unless somebody hands one to the other. `'none'`: there are no functions in it either that could keep what it makes.
 */
export function stateOf(text: string): FunctionState {
  const program = (parse(`(${text})`, 'function.js') ?? parse(`({ ${text} })`, 'function.js'))?.program
  const root = program && rootOf(program)
  if (!program || !root || root.superClass) return 'shared'
  const { all, unresolved } = resolve(program)
  if (unresolved.some(({ identifier, writes }) => writes || !stateless.has(identifier.name as string))) return 'shared'
  // By its name it is one for all that it makes.
  if (all.some(({ variables }) => [...variables.values()].some(({ definitions, references }) => references.length > 0 && definitions.some(({ node, type }) => node === root && type !== 'Parameter')))) return 'shared'
  if (isShared(root, root, true)) return 'shared'
  return isFunction(root) && !hasFunctions(root) ? 'none' : 'own'
}

const isFunction = ({ type }: Node): boolean => type.startsWith('Function') || type === 'ArrowFunctionExpression'

function hasFunctions(node: Node): boolean {
  let found = false
  forEachChild(node, (child) => (found ||= isFunction(child) || child.type.startsWith('Class') || hasFunctions(child)))
  return found
}

function rootOf(program: Node): Node | undefined {
  let node: Node | undefined = program.body[0]?.expression
  while (node?.type === 'ParenthesizedExpression') node = node.expression as Node
  if (node?.type === 'ObjectExpression') node = node.properties.length === 1 ? (node.properties[0].value as Node) : undefined
  return node && /^(?:Arrow)?Function|^Class/.test(node.type) ? node : undefined
}

/** @param isOuter `this` is what the function is called with, and no object that it makes */
function isShared(node: Node, root: Node, isOuter: boolean): boolean {
  switch (node.type) {
    case 'ThisExpression': return isOuter && !root.type.startsWith('Class')
    case 'ImportExpression': case 'MetaProperty': case 'Super': case 'WithStatement': case 'StaticBlock': return true
    case 'MethodDefinition': case 'PropertyDefinition': case 'AccessorProperty': if (node.static) return true; break
    case 'Identifier': if (node.name === 'arguments' || node.name === 'eval') return true; break
    case 'MemberExpression': if (!node.computed && shared.has(node.property.name as string)) return true; break
    case 'Property': if (!node.computed && shared.has(node.key.name as string)) return true; break
    case 'Literal': if (shared.has(node.value as string)) return true; break
    default:
  }
  const isInner = node !== root && (node.type.startsWith('Function') || node.type.startsWith('Class'))
  let found = false
  forEachChild(node, (child) => (found ||= isShared(child, root, isOuter && !isInner)))
  return found
}
