import { type Node, unwrap } from '../1-parse/node.ts'
import type { Rewriting } from './rewriting.ts'

/** Globals whose properties are constants and methods, never state that two processes share. */
const constantGlobals = new Set([
  'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'Boolean', 'Date', 'Error', 'Function', 'Intl', 'JSON', 'Map', 'Math', 'Number',
  'Object', 'Promise', 'Proxy', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet', 'console', 'arguments',
])

/** Globals whose methods touch nothing that is recorded, but for `String.raw`. */
const plainCallGlobals = new Set(['Math', 'console', 'Number', 'String', 'Symbol', 'BigInt', 'Boolean', 'Intl'])

const vitestGlobals = new Set([
  'expect', 'vi', 'vitest', 'it', 'test', 'describe', 'suite', 'bench', 'assertType', 'expectTypeOf',
])

/**
 * Whether a name is that of a property which tests or the code under test may have put on the global object, or put another in
 * the place of. Those of the platform are taken to stay, but for `fetch`.
 */
export function isSharedGlobal(identifier: Node, r: Rewriting): boolean {
  const name = identifier.name as string
  if (!r.analysis.readsGlobal(identifier) || vitestGlobals.has(name) || ofModules.has(name) || name.startsWith('__')) return false
  return name === 'fetch' || !ofPlatform.has(name)
}

/** What is there before anybody's code has run. */
const ofPlatform = new Set(Object.getOwnPropertyNames(globalThis))

/** What modules are given, and what is no property of the global object. */
const ofModules = new Set(['require', 'module', 'exports', 'arguments', 'undefined', 'eval'])

export const isGlobal = (node: Node, names: ReadonlySet<string>, r: Rewriting): boolean =>
  node.type === 'Identifier' && names.has(node.name as string) && !r.analysis.binding(node)

/** `vi.mocked(f)`, which is `f` for a reader of types. */
function givesBack(call: Node): boolean {
  const callee = unwrap(call.callee)
  return callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'mocked'
}

/** The leftmost expression of a chain of accesses and calls. */
function rootOf(node: Node): Node {
  let root = unwrap(node)
  for (;;) {
    if (root.type === 'MemberExpression') root = unwrap(root.object)
    else if (root.type === 'CallExpression' && !givesBack(root)) root = unwrap(root.callee)
    else if (root.type === 'ChainExpression') root = unwrap(root.expression)
    else return root
  }
}

/** `expect(...)...`, `vi.mock(...)`, `test.each(...)`: Vitest recognises these by their text and by the stack. */
export function isVitest(node: Node, r: Rewriting): boolean {
  const root = rootOf(node)
  if (root.type !== 'Identifier') return false
  if (root.name === 'expect') return true
  const binding = r.analysis.binding(root)
  if (!binding) return vitestGlobals.has(root.name)
  return binding.source === 'vitest' || binding.source === 'vitest-dpor'
}

/** What a name is in Vitest: that of its export, whatever the file calls it; undefined of everything else. */
export function vitestName(node: Node, r: Rewriting): string | undefined {
  if (node.type !== 'Identifier') return undefined
  const binding = r.analysis.binding(node)
  if (binding?.source === 'vitest' || binding?.source === 'vitest-dpor') return binding.imported
  return node.name === 'expect' || (!binding && vitestGlobals.has(node.name as string)) ? (node.name as string) : undefined
}

/** `import.meta...`: replaced by Vite from its text. */
const isImportMeta = (node: Node): boolean => rootOf(node).type === 'MetaProperty'

export const isProcessEnv = (node: Node, r: Rewriting): boolean =>
  node.type === 'MemberExpression' && !node.computed && node.property.name === 'env' && isGlobal(node.object, new Set(['process']), r)

const isLiteral = (node: Node): boolean => node.type === 'Literal' || node.type === 'TemplateLiteral'

/** Reading this property needs no record, or must stay as it is written. */
export function leavesReads(member: Node, r: Rewriting): boolean {
  const object = unwrap(member.object)
  if (object.type === 'Super' || isLiteral(object) || isImportMeta(object)) return true
  if (isGlobal(object, constantGlobals, r) || (isProcessEnv(object, r) && !member.computed) || isProcessEnv(member, r)) return true
  if (object.type === 'Identifier' && r.analysis.binding(object)?.imported === '*') return true
  return isVitest(object, r)
}

/** Calling this method needs no record, or must stay as it is written. */
export function leavesCall(callee: Node, r: Rewriting): boolean {
  const object = unwrap(callee.object)
  return object.type === 'Super' || isImportMeta(object) || (isGlobal(object, plainCallGlobals, r) && callee.property.name !== 'raw') || isVitest(object, r)
}

/** `vi.hoisted(...)`, which Vitest moves to the top of the file when it stands where it expects it. */
export function isHoisted(node: Node, r: Rewriting): boolean {
  const call = node.type === 'AwaitExpression' ? (node.argument as Node) : node
  return call.type === 'CallExpression' && call.callee.type === 'MemberExpression' && call.callee.property.name === 'hoisted' && isVitest(call, r)
}

export { isImportMeta }
