import { type Node, unwrap } from '../1-parse/node.ts'
import { isGlobal, isImportMeta, isVitest, leavesCall } from './globals.ts'
import { accessKey, accessPosition, isPrivate, nativeChain, visitNativeArguments } from './members.ts'
import { isPrivateField, privatePlace, withPrivateObject } from './privates.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'
import { shorten } from './places.ts'

/** `[` ... `]` in place of the parentheses of a call, from `from` on. Spreads are visited like any other expression. */
export function openArguments(call: Node, from: number, r: Rewriting): number {
  const first = (call.arguments as Node[])[0]
  return r.find('(', from, first?.start ?? call.end) + 1
}

export function visitArguments(call: Node, r: Rewriting): void {
  for (const argument of call.arguments as Node[]) r.visit(argument)
}

/** The text of a call: with its arguments when they are short. */
export function callText(call: Node, callee: Node, r: Rewriting): string {
  const whole = r.text(call)
  return whole.length <= 60 ? whole : `${shorten(r.text(callee)).slice(0, 54)}(...)`
}

export function callSite(call: Node, member: Node, r: Rewriting): string {
  return r.site(member.property.start, callText(call, call.callee, r))
}

/** Where the source that `accessKey` replaces must end: after the parenthesis that opens the arguments. */
export const afterOpening = (call: Node, r: Rewriting): number =>
  openArguments(call, call.typeArguments?.end ?? call.callee.end, r)

export function CallExpression(call: Node, r: Rewriting): void {
  const callee = unwrap(call.callee)
  if (isImportMeta(callee)) return
  if (callee.type !== 'MemberExpression') return plainCall(call, callee, r)
  if (isPrivate(callee)) return privateCall(call, callee, r)
  if (makesMock(call, r)) r.insert(call.start, '__dpor.made(')
  if (leavesCall(callee, r)) {
    nativeChain(callee, r)
    visitArguments(call, r)
    if (makesMock(call, r)) r.insert(call.end, `, ${callSite(call, callee, r)})`)
    return
  }
  r.insert(call.start, '__dpor.call(', accessPosition(callee, r))
  r.visit(callee.object)
  accessKey(callee, r, { close: `, ${callSite(call, callee, r)}, [`, parens: ')'.repeat(r.count('(', call.callee.start, callee.start)), upTo: afterOpening(call, r) })
  visitArguments(call, r)
  r.insert(call.end - 1, ']')
}

/** `vi.fn()`, `vi.spyOn(o, 'm')`, and what is chained to them: `vi.fn().mockReturnValue(1)`. */
function makesMock(call: Node, r: Rewriting): boolean {
  let inner = call
  for (;;) {
    const callee = unwrap(inner.callee)
    if (callee.type !== 'MemberExpression' || callee.computed) return false
    const object = unwrap(callee.object)
    if (object.type === 'Identifier') return mockMakers.has(callee.property.name as string) && isVitest(object, r)
    if (object.type !== 'CallExpression') return false
    inner = object
  }
}

const mockMakers = new Set(['fn', 'spyOn'])

/** `f(a)`. What `expect(a)` looks at is not seen otherwise. */
function plainCall(call: Node, callee: Node, r: Rewriting): void {
  if (isGlobal(callee, dispatchedGlobals, r)) return globalCall(call, callee, r)
  const isNamed = callee.type === 'Identifier'
  const isKept = callee.type !== 'Super' && (isNamed ? !unwrappable.has(r.parent.type) : !discards.has(r.parent.type)) && !isVitest(callee, r)
  if (isKept) r.insert(call.start, '__dpor.entered(')
  if (callee.type === 'ChainExpression') nativeChain(callee, r)
  else if (callee.type !== 'Super') r.visit(call.callee)
  visitNativeArguments(call, r)
  if (isKept) r.insert(call.end, isNamed ? `, ${callee.name as string})` : ')')
}

/** Globals whose calls the runtime must know from those of code that is not instrumented. */
const dispatchedGlobals = new Set(['queueMicrotask'])

/** `queueMicrotask(f)` -> `__dpor.call(globalThis, 'queueMicrotask', site, [f])`. */
function globalCall(call: Node, callee: Node, r: Rewriting): void {
  const site = r.site(call.start, callText(call, callee, r))
  const opening = openArguments(call, call.typeArguments?.end ?? call.callee.end, r)
  r.replace(call.start, opening, `__dpor.call(globalThis, ${quote(callee.name as string)}, ${site}, [`)
  visitArguments(call, r)
  r.insert(call.end - 1, ']')
}

/** Where the result of a call is no generator that anybody keeps. */
const discards = new Set(['ExpressionStatement', 'AwaitExpression', 'Decorator', 'ChainExpression'])
const unwrappable = new Set(['Decorator', 'ChainExpression'])

/** `o.#m(a)`: a private field that holds a function is read; a private method is not state. */
function privateCall(call: Node, callee: Node, r: Rewriting): void {
  if (!isPrivateField(callee, r) || call.callee !== callee) {
    nativeChain(callee.object, r)
    return visitArguments(call, r)
  }
  withPrivateObject(callee, call, r, (object, start) => {
    const { read, field } = privatePlace(object, callee, r)
    r.replace(start, callee.end, `(${read}, ${field}`)
    visitArguments(call, r)
    r.insert(call.end, ')')
  })
}

const makesError = (callee: Node): boolean => callee.type === 'Identifier' && /(?:Error|Exception)$/.test(callee.name as string)

/** `new C(a)` -> `__dpor.construct(C, site, [a])`. */
export function NewExpression(node: Node, r: Rewriting): void {
  const callee = node.callee as Node
  const hasArguments = r.source[node.end - 1] === ')' && node.end > callee.end
  if ((node.arguments as Node[]).some((argument) => isImportMeta(argument))) return visitArguments(node, r)
  const site = r.site(node.start, `new ${callText(node, callee, r).replace(/^new\s+/, '')}`)
  if (makesError(callee)) {
    // Errors keep the stack of the place that makes them.
    r.insert(node.start, '__dpor.made(')
    visitArguments(node, r)
    r.insert(node.end, `, ${site})`)
    return
  }
  r.replace(node.start, node.start + 3, '__dpor.construct(')
  r.visit(callee)
  if (!hasArguments) {
    r.insert(node.end, `, ${site}, [])`)
    return
  }
  r.replace(callee.end, openArguments(node, node.typeArguments?.end ?? callee.end, r), `, ${site}, [`)
  visitArguments(node, r)
  r.insert(node.end - 1, ']')
}

/** The tag keeps its object as `this`, and its template keeps its identity. */
export function TaggedTemplateExpression(node: Node, r: Rewriting): void {
  if (unwrap(node.tag).type === 'MemberExpression') nativeChain(node.tag, r)
  else r.visit(node.tag)
  r.visit(node.quasi)
}

/** Vite reads the options from the source. */
export function ImportExpression(node: Node, r: Rewriting): void {
  r.visit(node.source)
}
