import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { functionName } from './function-names.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Async functions that a compiler has turned into generators. The helper that drives those gives them to the runtime, which drives
 * them as the async functions that they were: `__awaiter` of TypeScript, `__async` of esbuild, `_asyncToGenerator` of Babel and SWC, whatever a bundler calls them.
 */

/** How a helper begins; its caller tells it in two more arguments what the function is called that was async, and where it stands. */
export interface Driving {
  readonly isAsked: string
  readonly call: string
}

/**
 * `(self, args, P, generator) => ...` -> `(self, args, P, generator, $1, $2) => ...`, and what stands before its body:
 * `if (__dpor.drives(P)) return __dpor.drive(() => generator.apply(self, args || []), $1, $2);`
 */
export function driving(node: Node, r: Rewriting): Driving | undefined {
  const parameters = node.params as Node[]
  const known = r.drivingInside.get(node)
  if (known) return known
  if (parameters.length === 1) drivingInside(node, r)
  if (node.async || node.generator || parameters.length < 3 || parameters.length > 4 || parameters.some(({ type }) => type !== 'Identifier')) return undefined
  const names = parameters.map((parameter) => parameter.name as string)
  const [self, args, generator] = [names[0]!, names[1]!, names.at(-1)!]
  const promise = names.length === 4 ? names[2]! : ''
  if (!drivesGenerator(r.text(node.body), { self, args, generator })) return undefined
  const [name, site] = [r.names.fresh(), r.names.fresh()]
  r.insert(parameters.at(-1)!.end, `, ${name}, ${site}`)
  return { isAsked: `__dpor.drives(${promise})`, call: `__dpor.drive(() => ${generator}.apply(${self}, ${args} || []), ${name}, ${site})` }
}

/**
 * `(generator) => function () { ... new Promise(...) }`, as Babel and SWC have it: what the helper returns drives the generators. The names come to the helper: `(generator, $1, $2) => ...`.
 */
function drivingInside(node: Node, r: Rewriting): void {
  const [parameter] = node.params as Node[]
  const inner = node.body.type === 'BlockStatement' ? (node.body.body as Node[]).findLast(({ type }) => type === 'ReturnStatement')?.argument : undefined
  if (node.async || node.generator || parameter?.type !== 'Identifier' || inner?.type !== 'FunctionExpression' || inner.async || inner.generator || inner.params.length > 0) return
  const generator = parameter.name as string
  const text = r.text(inner.body)
  if (!text.includes(`${generator}.apply(`) || !/\bnew\b[\s\S]*\bPromise\b/.test(text) || !/(['"])next\1/.test(text) || !/(['"])throw\1/.test(text)) return
  const [name, site] = [r.names.fresh(), r.names.fresh()]
  r.insert(parameter.end, `, ${name}, ${site}`)
  r.drivingInside.set(inner, { isAsked: '__dpor.drives()', call: `__dpor.drive(() => ${generator}.apply(this, arguments), ${name}, ${site})` })
}

/** `step((generator = generator.apply(self, args || [])).next())` in a new promise. */
function drivesGenerator(text: string, { self, args, generator }: Record<'self' | 'args' | 'generator', string>): boolean {
  const start = text.indexOf(`${generator}.apply(${self}`)
  if (start === -1 || !/\bnew\b[\s\S]*\bPromise\b/.test(text)) return false
  const [s, a, g] = [self, args, generator].map((name) => name.replaceAll('$', '\\$'))
  return new RegExp(`\\(${g}\\s*=\\s*${g}\\.apply\\(${s},\\s*${a}(?:\\s*\\|\\|\\s*\\[\\])?\\)\\)\\.next\\(\\)`).test(text)
}

/** The name of a helper, and the number of its arguments, the last of which is the function. */
const helpers: Readonly<Record<string, number>> = { __awaiter: 4, __async: 3, _asyncToGenerator: 1, asyncToGenerator: 1, _async_to_generator: 1 }

/** Where modules are joined, bundlers number what has one name in several: `__awaiter$1`, `__async2`. */
const numbered = /\$?\d+$/

/** By the name that it has unless a bundler has changed it otherwise: `__awaiter(...)`, `tslib_1.__awaiter(...)`, `(0, tslib_1.__awaiter)(...)`. */
export function callsHelper(call: Node): boolean {
  let callee = unwrap(call.callee)
  if (callee.type === 'SequenceExpression') callee = unwrap((callee.expressions as Node[]).at(-1)!)
  // `_asyncToGenerator2.default`, `_asyncToGenerator2["default"]`
  if (callee.type === 'MemberExpression' && (callee.property.name ?? callee.property.value) === 'default') callee = callee.object
  const name = callee.type === 'Identifier' ? callee : callee.type === 'MemberExpression' && !callee.computed ? (callee.property as Node) : undefined
  const given = call.arguments as Node[]
  if (name?.type !== 'Identifier') return false
  const helper = (name.name as string).replace(numbered, '')
  return Object.hasOwn(helpers, helper) && helpers[helper] === given.length && isGenerator(given.at(-1)!)
}

/** Or what an older Babel has made of one: `_regenerator().mark(function _callee() {})`. */
const isGenerator = (node: Node): boolean => isFunction(node) || (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && /^(?:mark|m)$/.test(String(node.callee.property.name)))

/** The arguments that the call of a helper gets in addition. */
export function helperArguments(call: Node, r: Rewriting): string {
  if (!callsHelper(call)) return ''
  // What is called where it is made stands for the function around.
  if ((call.arguments as Node[]).length === 1 && r.parent.callee !== call) return ''
  const depth = r.ancestors.findLastIndex((node) => isFunction(node))
  const node = r.ancestors[depth]
  if (!node) return ''
  // `Cache.prototype.get = function () { return __awaiter(...) }`
  const name = functionName(node, r, r.ancestors[depth - 1]!).replace(/^(?:exports|[\w$]+\.prototype|module\.exports)\./, '')
  return `, ${quote(name)}, ${r.site(node.start, name)}`
}

const namesHelper = /async_?to_?generator/i
const forwarding = /^\{\s*return _[\w$]+\.apply\(this,\s*arguments\);?\s*\}$/

/**
 * `function f() { return _f.apply(this, arguments) }`, as Babel and SWC put it before what a helper has made: says what that is called, which the helper is not told where it makes it.
 */
export function forwardedName(node: Node, r: Rewriting): string {
  if (!r.drivesGenerators || node.async || node.generator || !forwarding.test(r.text(node.body))) return ''
  const name = functionName(node, r, r.parent)
  return `if (__dporOn) __dpor.forwards(${quote(name)}, ${r.site(node.start, name)});`
}

/** Whether a file may have functions of that kind. */
export const mayDriveGenerators = (source: string): boolean => namesHelper.test(source)

/** Whether a function is what a helper drives, so that its `yield` is an `await`. */
export function isDriven(node: Node | undefined, r: Rewriting): boolean {
  const call = node && r.ancestors[r.ancestors.indexOf(node) - 1]
  return call?.type === 'CallExpression' && (call.arguments as Node[]).at(-1) === node && callsHelper(call)
}
