import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { assertionWithArguments, isSettledAssertion, vitestArguments } from './assertions.ts'
import { callsHelper, helperArguments } from './down-levelled.ts'
import { makesFunctions } from './function-makers.ts'
import { builtInLook, isConstant, isGlobal, isHoistedByJest, isImportMeta, isVitest, leavesCall, leavesReads } from './globals.ts'
import { liveRead } from './live-bindings.ts'
import { madeName } from './made-names.ts'
import { access, accessKey, accessPosition, isPrivate, memberSite } from './members.ts'
import { nativeChain, visitNativeArguments } from './native-chains.ts'
import { isGiven, isPrivateField, privateLook, privatePlace, withPrivateObject } from './privates.ts'
import { operand } from './operands.ts'
import { argumentsAreQuiet } from './order.ts'
import { isUnused, unusedArgument } from './results.ts'
import type { Rewriting } from './rewriting.ts'
import { shorten } from './places.ts'
import { isSuper, superRead } from './supers.ts'
import type { Around } from './twins.ts'

/** `[` ... `]` in place of the parentheses of a call, from `from` on. Spreads are visited like any other expression. */
export function openArguments(call: Node, from: number, r: Rewriting): number {
  const first = (call.arguments as Node[])[0]
  return r.find('(', from, first?.start ?? call.end) + 1
}

export function visitArguments(call: Node, r: Rewriting): void {
  for (const argument of call.arguments as Node[]) r.visit(argument)
  const more = helperArguments(call, r)
  if (more) r.insert((call.arguments as Node[]).at(-1)!.end, more)
}

/** The text of a call: with its arguments when they are short. */
export function callText(call: Node, callee: Node, r: Rewriting): string {
  const whole = r.text(call)
  return whole.length <= 60 ? whole : `${shorten(r.text(callee)).slice(0, 54)}(...)`
}

export function callSite(call: Node, member: Node, r: Rewriting): string {
  return r.site(member.property.start, callText(call, call.callee, r), madeName(call, r))
}

/** The place of `f(a)`. */
export const plainSite = (call: Node, r: Rewriting): string => r.site(call.start, callText(call, call.callee, r), madeName(call, r))

/** Where the source that `accessKey` replaces must end: after the parenthesis that opens the arguments. */
export const afterOpening = (call: Node, r: Rewriting): number =>
  openArguments(call, call.typeArguments?.end ?? call.callee.end, r)

export function CallExpression(call: Node, r: Rewriting): void {
  const recursion = r.recursions.get(call)
  if (recursion === undefined) return anyCall(call, r)
  r.insert(call.start, recursion)
  anyCall(call, r)
  r.insert(call.end, ')')
}

function anyCall(call: Node, r: Rewriting): void {
  const callee = unwrap(call.callee)
  if (isImportMeta(callee, r) || isHoistedByJest(call, r)) return
  if (callee.type !== 'MemberExpression') return makesFunctions(callee) ? makerCall(call, r) : plainCall(call, callee, r)
  if (isPrivate(callee)) return privateCall(call, callee, r)
  if (isSuper(callee)) return superCall(call, callee, r)
  if (makesMock(call, r)) r.insert(call.start, '__dpor.made(')
  if (leavesCall(callee, r)) {
    if (assertionWithArguments(call, r)) return
    const settles = isSettledAssertion(call, r) && !isUnused(r)
    if (settles) r.insert(call.start, '__dpor.settles(')
    const look = builtInLook(callee, r, { isCalled: true })
    if (look !== undefined) r.insert(call.start, look)
    nativeChain(callee, r)
    if (isGlobal(unwrap(callee.object), converting, r)) convertedArguments(call, r)
    else vitestArguments(call, r)
    if (look !== undefined) r.insert(call.end, ')')
    if (settles) r.insert(call.end, `, ${callSite(call, callee, r)})`)
    if (makesMock(call, r)) r.insert(call.end, `, ${callSite(call, callee, r)})`)
    return
  }
  const { open, close } = methodCall(call, r)
  r.insert(call.start, open, accessPosition(callee, r))
  r.visit(callee.object)
  accessKey(callee, r, { close: `, ${callSite(call, callee, r)}${close}, [`, parens: ')'.repeat(r.count('(', call.callee.start, callee.start)), upTo: afterOpening(call, r) })
  visitArguments(call, r)
  r.insert(call.end - 1, `]${unusedArgument(r)}`)
}

/** What stands before the object of `o.m(a)`, and what between the method and the arguments. */
export function methodCall(call: Node, r: Rewriting): { open: string; close: string } {
  return argumentsAreQuiet(call, r) ? { open: '__dpor.call(', close: '' } : { open: '__dpor.callFound(__dpor.found(', close: ')' }
}

/** Globals whose functions make texts or numbers of what they are given. */
const converting = new Set(['Math', 'Number', 'String', 'Symbol', 'BigInt'])

function convertedArguments(call: Node, r: Rewriting): void {
  for (const argument of call.arguments as Node[]) {
    if (argument.type === 'SpreadElement') r.visit(argument)
    else operand(argument, r)
  }
}

/** `super.m(a)` -> `__dpor.invoke(__dpor.superGet(this, 'm', __dpor.superLook(this, 'm', site), super['m']), this, site, [a])`. */
function superCall(call: Node, member: Node, r: Rewriting): void {
  r.insert(call.start, '__dpor.invoke(')
  const parens = ')'.repeat(r.count('(', call.callee.start, member.start))
  superRead(member, r)
  r.replace(member.end, afterOpening(call, r), `${parens}, this, ${callSite(call, member, r)}, [`)
  visitArguments(call, r)
  r.insert(call.end - 1, `]${unusedArgument(r)}`)
}

/** `vi.fn()`, `vi.spyOn(o, 'm')`, and what is chained to them: `vi.fn().mockReturnValue(1)`. */
function makesMock(call: Node, r: Rewriting, makers = mockMakers): boolean {
  let inner = call
  for (;;) {
    const callee = unwrap(inner.callee)
    if (callee.type !== 'MemberExpression' || callee.computed) return false
    const object = unwrap(callee.object)
    if (object.type === 'Identifier') return makers.has(callee.property.name as string) && isVitest(object, r)
    if (object.type !== 'CallExpression') return false
    inner = object
  }
}

const mockMakers: ReadonlySet<string> = new Set(['fn', 'spyOn'])
const mockGivers: ReadonlySet<string> = new Set([...mockMakers, 'mocked'])

/** `f(a)` -> `__dpor.callee(f, site)(a)`. What `expect(a)` looks at is not seen otherwise. */
function plainCall(call: Node, callee: Node, r: Rewriting): void {
  if (callee.type === 'ChainExpression') nativeChain(callee, r)
  else if (callee.type !== 'Super') wrapCallee(call.callee, r, { before: '__dpor.callee(', after: `, ${plainSite(call, r)}${unusedArgument(r)})`, isDirect: staysDirect(call, callee, r) })
  if (callsHelper(call)) visitArguments(call, r)
  else visitNativeArguments(call, r)
}

/** `Function('a', text)` -> `__dpor.invoke(Function, void 0, site, ['a', text])`. */
function makerCall(call: Node, r: Rewriting): void {
  r.insert(call.start, '__dpor.invoke(')
  r.visit(call.callee)
  r.replace(call.callee.end, afterOpening(call, r), `, void 0, ${plainSite(call, r)}, [`)
  visitArguments(call, r)
  r.insert(call.end - 1, ']')
}

interface Wrapping {
  readonly before: string
  readonly after: string
  readonly isDirect: boolean
  /** What stands around it outside an exploration. */
  readonly plain?: Around
}

function wrapCallee(callee: Node, r: Rewriting, { before, after, isDirect, plain }: Wrapping): void {
  if (isDirect) return r.visit(callee)
  if (callee.type !== 'Identifier' || r.source[callee.end] !== '(' || r.recorded(callee)) return r.wrap(callee, before, after, plain)
  // A call of a name that throws is shown where the name stands, any other where its parenthesis does.
  r.uses(callee)
  const live = liveRead(callee, r)
  const text = live ? `${live.before}${r.text(callee)}${live.after}` : r.text(callee)
  r.replace(callee.start, callee.end + 1, `${before}${text}${after}(`)
}

/** Calls that must stay as they are written, and those of functions that are known to be instrumented. */
function staysDirect(call: Node, callee: Node, r: Rewriting): boolean {
  if (r.parent.type === 'Decorator' || (isVitest(callee, r) && !givesMock(callee, r)) || isGlobal(callee, directGlobals, r)) return true
  if (isFunction(callee)) return !callee.generator
  return callee.type === 'Identifier' && r.analysis.binding(callee)?.isOwnFunction === true
}

/** `vi.fn()()`: what is called is a mock, whoever else has that. */
const givesMock = (callee: Node, r: Rewriting): boolean => callee.type === 'CallExpression' && makesMock(callee, r, mockGivers)

/** Globals that know where they are called. */
const directGlobals = new Set(['eval', 'require'])

/** `o.#m(a)`: a private field that holds a function is read; a private method is not state. */
function privateCall(call: Node, callee: Node, r: Rewriting): void {
  const name = callee.property.name as string
  if (!isPrivateField(callee, r) && call.callee === callee && isGiven(name, r.text(callee.object), r)) return givenCall(call, callee, r)
  if (!isPrivateField(callee, r) || call.callee !== callee) {
    nativeChain(callee.object, r)
    return visitArguments(call, r)
  }
  withPrivateObject(callee, call, r, (object, start) => {
    r.replace(start, afterOpening(call, r), `__dpor.invoke(${privatePlace(object, callee, r).read}, ${object}, ${callSite(call, callee, r)}, [`)
    visitArguments(call, r)
    r.insert(call.end - 1, `]${unusedArgument(r)}`)
  })
}

/** `o.#m(a)`, where a constructor may have made the object one that has the method -> `(__dpor.privateLook(o, '#m', site), o.#m).call(o, a)`. */
function givenCall(call: Node, callee: Node, r: Rewriting): void {
  withPrivateObject(callee, call, r, (object, start) => {
    const key = `#${callee.property.name}`
    const look = privateLook(object, key, r.site(callee.property.start, r.text(callee)))
    r.replace(start, afterOpening(call, r), `(${look}, ${object}.${key}).call(${object}${(call.arguments as Node[]).length > 0 ? ', ' : ''}`)
    visitArguments(call, r)
  })
}

/** Globals that make text of what they are given. */
const errors = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'])

const makesError = (callee: Node): boolean => callee.type === 'Identifier' && callee.name !== 'AggregateError' && /(?:Error|Exception)$/.test(callee.name as string)

/** `new C(a)` -> `__dpor.construct(C, site, [a])`. */
export function NewExpression(node: Node, r: Rewriting): void {
  const callee = node.callee as Node
  const hasArguments = r.source[node.end - 1] === ')' && node.end > callee.end
  if ((node.arguments as Node[]).some((argument) => isImportMeta(argument, r))) return visitArguments(node, r)
  const site = r.site(node.start, `new ${callText(node, callee, r).replace(/^new\s+/, '')}`, madeName(node, r))
  if (makesError(callee)) {
    // Errors keep the stack of the place that makes them.
    r.insert(node.start, '__dpor.made(')
    for (const [i, argument] of (node.arguments as Node[]).entries()) {
      if (i === 0 && argument.type !== 'SpreadElement' && isGlobal(callee, errors, r)) operand(argument, r)
      else r.visit(argument)
    }
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
  const tag = unwrap(node.tag)
  if (tag.type === 'ChainExpression') nativeChain(tag, r)
  else if (tag.type !== 'MemberExpression') {
    // V8 would show what chooses between the two.
    const around: Around = ['__dpor.callee(', `, ${r.site(node.start, r.text(node.tag))})`]
    wrapCallee(node.tag, r, { before: around[0], after: around[1], isDirect: staysDirect(node, tag, r), plain: around })
  } else if (node.tag !== tag || isPrivate(tag) || (leavesReads(tag, r) && !isConstant(tag, r))) nativeChain(node.tag, r)
  else access(tag, r, { open: '__dpor.method(', close: `, ${memberSite(tag, r)})` })
  r.visitOnly(node.quasi)
}

/** `import(e)` -> `__dpor.imported([e], ($1) => import($1[0]), site)`. Vite reads from the source what stands there: `import('a')` -> `__dpor.imported([], () => import('a'), site)`. */
export function ImportExpression(node: Node, r: Rewriting): void {
  const given = [node.source, ...(node.options ? [node.options] : [])] as Node[]
  const site = r.site(node.start, r.text(node))
  if (given.every(isLiteral)) {
    r.insert(node.start, '__dpor.imported([], () => ')
    return void r.insert(node.end, `, ${site})`)
  }
  const head = r.source.slice(node.start, r.find('(', node.start, node.source.start) + 1)
  const values = r.names.fresh()
  r.replace(node.start, node.start + head.length, '__dpor.imported([')
  for (const argument of given) r.visit(argument)
  r.replace(node.end - 1, node.end, `], (${values}) => ${head}${given.map((_, i) => `${values}[${i}]`).join(', ')}), ${site})`)
}

function isLiteral({ type, expressions, properties }: Node): boolean {
  if (type === 'ObjectExpression') return (properties as Node[]).every((property) => property.type === 'Property' && !property.computed && isLiteral(property.value))
  return type === 'Literal' || (type === 'TemplateLiteral' && (expressions as Node[]).length === 0)
}
