import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { functionName } from './function-names.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Async functions that a compiler has turned into generators. The helper that drives those gives them to the runtime, which drives
 * them as the async functions that they were: `__awaiter` of TypeScript and `__async` of esbuild, whatever a bundler calls them.
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
  if (node.async || node.generator || parameters.length < 3 || parameters.length > 4 || parameters.some(({ type }) => type !== 'Identifier')) return undefined
  const names = parameters.map((parameter) => parameter.name as string)
  const [self, args, generator] = [names[0]!, names[1]!, names.at(-1)!]
  const promise = names.length === 4 ? names[2]! : ''
  if (!drivesGenerator(r.text(node.body), { self, args, generator })) return undefined
  const [name, site] = [r.names.fresh(), r.names.fresh()]
  r.insert(parameters.at(-1)!.end, `, ${name}, ${site}`)
  return { isAsked: `__dpor.drives(${promise})`, call: `__dpor.drive(() => ${generator}.apply(${self}, ${args} || []), ${name}, ${site})` }
}

/** `step((generator = generator.apply(self, args || [])).next())` in a new promise. */
function drivesGenerator(text: string, { self, args, generator }: Record<'self' | 'args' | 'generator', string>): boolean {
  const start = text.indexOf(`${generator}.apply(${self}`)
  if (start === -1 || !/\bnew\b[\s\S]*\bPromise\b/.test(text)) return false
  const [s, a, g] = [self, args, generator].map((name) => name.replaceAll('$', '\\$'))
  return new RegExp(`\\(${g}\\s*=\\s*${g}\\.apply\\(${s},\\s*${a}(?:\\s*\\|\\|\\s*\\[\\])?\\)\\)\\.next\\(\\)`).test(text)
}

/** The name of a helper, and the number of its arguments, the last of which is the function. */
const helpers: Readonly<Record<string, number>> = { __awaiter: 4, __async: 3 }

/** Where modules are joined, bundlers number what has one name in several: `__awaiter$1`, `__async2`. */
const numbered = /\$?\d+$/

/** By the name that it has unless a bundler has changed it otherwise: `__awaiter(...)`, `tslib_1.__awaiter(...)`, `(0, tslib_1.__awaiter)(...)`. */
export function callsHelper(call: Node): boolean {
  let callee = unwrap(call.callee)
  if (callee.type === 'SequenceExpression') callee = unwrap((callee.expressions as Node[]).at(-1)!)
  const name = callee.type === 'Identifier' ? callee : callee.type === 'MemberExpression' && !callee.computed ? (callee.property as Node) : undefined
  const given = call.arguments as Node[]
  if (name?.type !== 'Identifier') return false
  const helper = (name.name as string).replace(numbered, '')
  return Object.hasOwn(helpers, helper) && helpers[helper] === given.length && isFunction(given.at(-1)!)
}

/** The arguments that the call of a helper gets in addition. */
export function helperArguments(call: Node, r: Rewriting): string {
  if (!callsHelper(call)) return ''
  const depth = r.ancestors.findLastIndex((node) => isFunction(node))
  const node = r.ancestors[depth]
  if (!node) return ''
  // `Cache.prototype.get = function () { return __awaiter(...) }`
  const name = functionName(node, r, r.ancestors[depth - 1]!).replace(/^(?:exports|[\w$]+\.prototype|module\.exports)\./, '')
  return `, ${quote(name)}, ${r.site(node.start, name)}`
}

/** Whether a function is what a helper drives, so that its `yield` is an `await`. */
export function isDriven(node: Node | undefined, r: Rewriting): boolean {
  const call = node && r.ancestors[r.ancestors.indexOf(node) - 1]
  return call?.type === 'CallExpression' && (call.arguments as Node[]).at(-1) === node && callsHelper(call)
}
