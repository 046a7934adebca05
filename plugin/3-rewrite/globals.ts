import { type Node, unwrap } from '../1-parse/node.ts'
import { ofModules } from '../2-analyse/analyse.ts'
import type { Binding } from '../2-analyse/binding.ts'
import { quote } from './names.ts'
import { isRepeatable } from './repeatable.ts'
import type { Rewriting } from './rewriting.ts'

/** Globals whose properties are constants and methods, never state that two processes share. */
const constantGlobals = new Set([
  'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'Boolean', 'Date', 'Function', 'Intl', 'JSON', 'Map', 'Math', 'Number',
  'Object', 'Promise', 'Proxy', 'Reflect', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet', 'console', 'arguments',
])

/** Globals whose methods touch nothing that is recorded, but for `String.raw`. */
const plainCallGlobals = new Set(['Math', 'console', 'Number', 'String', 'Symbol', 'BigInt', 'Boolean'])

const vitestGlobals = new Set([
  'expect', 'vi', 'vitest', 'jest', 'it', 'test', 'describe', 'suite', 'bench', 'assertType', 'expectTypeOf',
])

/** Modules whose exports a test framework knows by their text, as it does those globals. */
const ofTesting = new Set(['vitest', 'vitest-dpor', '@jest/globals', 'vitest-dpor/jest'])

/**
 * Whether a name is that of a property which tests or the code under test may have put on the global object, or put another in
 * the place of. Those of the platform are taken to stay, but for `fetch`.
 */
export function isSharedGlobal(identifier: Node, r: Rewriting): boolean {
  const name = identifier.name as string
  if (!r.analysis.readsGlobal(identifier) || vitestGlobals.has(name) || ofModules.has(name) || name.startsWith('__')) return false
  return name === 'fetch' || !r.platform.has(name)
}

/** Whether a name is that of a property which the platform has put on the global object, and which a body may replace. */
export function isReplaceableGlobal(identifier: Node, r: Rewriting): boolean {
  const name = identifier.name as string
  return r.analysis.readsGlobal(identifier) && r.platform.has(name) && !ofLanguage.has(name) && !ofModules.has(name) && !name.startsWith('__')
}

/** What stands before such a name: `__dpor.isReplaced && __dpor.builtIn(globalThis, 'fetch', site)`. */
export const looksAtReplaced = (identifier: Node, r: Rewriting): string => `__dpor.isReplaced && __dpor.builtIn(globalThis, ${quote(identifier.name as string)}, ${r.site(identifier.start, identifier.name as string)})`

/** Of the language, which nobody replaces as a whole, and what Vite looks for in the text. */
const ofLanguage = new Set([
  'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Float32Array', 'Float64Array', 'Function', 'Infinity', 'Int16Array',
  'Int32Array', 'Int8Array', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'Symbol', 'Uint16Array', 'Uint32Array',
  'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError',
  'URIError', 'global', 'globalThis', 'process',
])

export const isGlobal = (node: Node, names: ReadonlySet<string>, r: Rewriting): boolean =>
  node.type === 'Identifier' && names.has(node.name as string) && !r.analysis.binding(node)

/** What a tool gives is looked at like anything else: `vi.mocked(f)`, which is `f` for a reader of types, `expect.getState()`, promises. */
const giving = new Set(['mocked', 'getState', 'waitFor', 'waitUntil', 'importActual', 'importMock', 'io', 'at'])

function gives(call: Node, r: Rewriting): boolean {
  const callee = unwrap(call.callee)
  if (callee.type === 'Identifier') return giving.has(vitestName(callee, r) ?? '')
  return callee.type === 'MemberExpression' && !callee.computed && giving.has(callee.property.name as string)
}

/** The leftmost expression of a chain of accesses and calls. */
function rootOf(node: Node, r: Rewriting): Node {
  let root = unwrap(node)
  for (;;) {
    if (root.type === 'MemberExpression') root = unwrap(root.object)
    else if (root.type === 'CallExpression' && !gives(root, r)) root = unwrap(root.callee)
    else if (root.type === 'ChainExpression') root = unwrap(root.expression)
    else return root
  }
}

const isOfTesting = ({ source }: Binding): boolean => source !== undefined && ofTesting.has(source)

/** A name that stands for something of Vitest. */
export function isOfVitest(identifier: Node, r: Rewriting): boolean {
  const binding = r.analysis.binding(identifier)
  if (binding) return isOfTesting(binding) || identifier.name === 'expect'
  return r.analysis.readsGlobal(identifier) && vitestGlobals.has(identifier.name as string)
}

/** `expect(...)...`, `vi.mock(...)`, `test.each(...)`: Vitest recognises these by their text and by the stack. */
export function isVitest(node: Node, r: Rewriting): boolean {
  const root = rootOf(node, r)
  if (root.type !== 'Identifier') return false
  if (root.name === 'expect') return true
  const binding = r.analysis.binding(root)
  if (!binding) return vitestGlobals.has(root.name)
  return isOfTesting(binding)
}

/** What a name is in Vitest: that of its export, whatever the file calls it; undefined of everything else. */
export function vitestName(node: Node, r: Rewriting): string | undefined {
  if (node.type !== 'Identifier') return undefined
  const binding = r.analysis.binding(node)
  if (binding && isOfTesting(binding)) return binding.imported
  return node.name === 'expect' || (!binding && vitestGlobals.has(node.name as string)) ? (node.name as string) : undefined
}

/** `import.meta...`: replaced by Vite from its text. */
const isImportMeta = (node: Node, r: Rewriting): boolean => rootOf(node, r).type === 'MetaProperty'

export const isProcessEnv = (node: Node, r: Rewriting): boolean =>
  node.type === 'MemberExpression' && !node.computed && node.property.name === 'env' && isGlobal(node.object, new Set(['process']), r)

const isLiteral = (node: Node): boolean => node.type === 'Literal' || node.type === 'TemplateLiteral'

/** Reading this property needs no record, or must stay as it is written. */
export function leavesReads(member: Node, r: Rewriting): boolean {
  const object = unwrap(member.object)
  if (object.type === 'Super' || isLiteral(object) || isImportMeta(object, r)) return true
  if (isConstant(member, r) || (isProcessEnv(object, r) && !member.computed) || isProcessEnv(member, r)) return true
  if (object.type === 'Identifier' && !member.computed && r.analysis.binding(object)?.imported === '*') return true
  return isVitest(object, r)
}

/** `Math.PI`, `Array.from`; `arguments` however it is read. */
export function isConstant(member: Node, r: Rewriting): boolean {
  const object = unwrap(member.object)
  return isGlobal(object, constantGlobals, r) && (object.name === 'arguments' || keyText(member, r) !== undefined)
}

/** The key of a member as text that can be evaluated once more, to the same value. */
function keyText({ computed, property }: Node, r: Rewriting): string | undefined {
  if (!computed) return quote(property.name as string)
  return property.type === 'Literal' || isRepeatable(property, r) ? r.text(property) : undefined
}

/**
 * What stands in front of `Math.max`, and of `Math.max(a)` as it is called: the look at the property, should somebody have put another
 * value there. `undefined` where nobody can.
 */
export function builtInLook(member: Node, r: Rewriting, { isCalled }: { isCalled: boolean }): string | undefined {
  const object = unwrap(member.object)
  if (r.ancestors.some(({ type }) => type === 'Decorator')) return undefined
  if (!isGlobal(object, isCalled ? plainCallGlobals : constantGlobals, r) || object.name === 'arguments' || isFixed(object.name as string, member)) return undefined
  const site = r.site(member.property.start, r.text(member))
  return `(__dpor.isReplaced && __dpor.builtIn(${object.name}, ${keyText(member, r)}, ${site}${isCalled ? ', true' : ''}), `
}

/** `Math.PI`, `Symbol.iterator`, `Array.prototype`: it cannot be another. */
function isFixed(object: string, { computed, property }: Node): boolean {
  if (computed) return false
  const own = Reflect.getOwnPropertyDescriptor(Reflect.get(globalThis, object) as object, property.name as string)
  return own?.writable === false && !own.configurable
}

/** Calling this method needs no record, or must stay as it is written. */
export function leavesCall(callee: Node, r: Rewriting): boolean {
  const object = unwrap(callee.object)
  return object.type === 'Super' || isImportMeta(object, r) || (isGlobal(object, plainCallGlobals, r) && callee.property.name !== 'raw' && keyText(callee, r) !== undefined) || isVitest(object, r)
}

/** `jest.mock('./a', () => ...)`, which Jest's compilers move to the top of the file, and whose factory may name nothing of the file. */
export function isHoistedByJest(call: Node, r: Rewriting): boolean {
  const callee = unwrap(call.callee)
  return callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'mock' && vitestName(unwrap(callee.object), r) === 'jest'
}

/** `vi.hoisted(...)`, which Vitest moves to the top of the file when it stands where it expects it. */
export function isHoisted(node: Node, r: Rewriting): boolean {
  const call = node.type === 'AwaitExpression' ? (node.argument as Node) : node
  return call.type === 'CallExpression' && call.callee.type === 'MemberExpression' && call.callee.property.name === 'hoisted' && isVitest(call, r)
}

export { isImportMeta }
