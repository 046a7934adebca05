import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { isVitest, vitestName } from './globals.ts'
import { quote } from './names.ts'
import { shorten } from './places.ts'
import type { Rewriting } from './rewriting.ts'

/** What assertions look at, nothing else would record: their code is not instrumented. */

/** Words between `expect(a)` and the matcher that mean nothing by themselves. */
const words = new Set(['not', 'to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of', 'same', 'but', 'does', 'still', 'also'])

/** Matchers that look at what they are given only to tell it from others. */
const byIdentity = new Set([
  'toBe', 'toContain', 'toBeInstanceOf', 'toHaveLength', 'toBeTypeOf', 'toBeGreaterThan', 'toBeGreaterThanOrEqual', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeCloseTo',
  'toThrow', 'toThrowError', 'toHaveBeenCalledTimes', 'toMatchSnapshot', 'toMatchInlineSnapshot', 'toMatchFileSnapshot', 'toThrowErrorMatchingSnapshot',
  'toThrowErrorMatchingInlineSnapshot', 'toSatisfy', 'a', 'an', 'equal', 'include', 'includes', 'contain', 'contains', 'lengthOf', 'instanceof', 'throw', 'throws',
])

/** Matchers for which the value that they compare with says what they look at. */
const byExpected = new Set(['toMatchObject', 'toHaveProperty', 'property'])

/** `expect(a)...` as far as it was found. */
interface Assertion {
  /** The call of `expect`. */
  readonly expected: Node
  /** The names behind it. */
  readonly names: readonly string[]
  /** The calls behind it. */
  readonly calls: readonly Node[]
}

/** `expect(a)` or `expect.soft(a)`. */
export function isExpectCall(call: Node, r: Rewriting): boolean {
  const callee = call.callee as Node
  if (callee.type !== 'MemberExpression') return vitestName(callee, r) === 'expect'
  return !callee.computed && callee.property.name === 'soft' && vitestName(callee.object, r) === 'expect'
}

/** The assertion that an expression is, if it is one. */
function assertionIn(expression: Node, r: Rewriting): Assertion | undefined {
  const names: string[] = []
  const calls: Node[] = []
  for (let node = unwrap(expression); ;) {
    if (node.type === 'MemberExpression' && !node.computed) {
      names.unshift(node.property.name as string)
      node = unwrap(node.object)
    } else if (node.type !== 'CallExpression') return undefined
    else if (isExpectCall(node, r)) return { expected: node, names, calls }
    else {
      calls.unshift(node)
      node = unwrap(node.callee)
    }
  }
}

const isSettled = ({ names }: Assertion): boolean => names[0] === 'resolves' || names[0] === 'rejects'

/** `expect(promise).resolves.toBe(a)`, the whole of it. */
export function isSettledAssertion(call: Node, r: Rewriting): boolean {
  const assertion = assertionIn(call, r)
  return assertion !== undefined && assertion.calls.length === 1 && isSettled(assertion)
}

/** The matcher, where there is one and its name alone says what it does. */
function matcherOf(assertion: Assertion): string | undefined {
  const [matcher, ...before] = (isSettled(assertion) ? assertion.names.slice(1) : assertion.names).toReversed()
  return matcher !== undefined && assertion.calls.length <= 1 && before.every((word) => words.has(word)) ? matcher : undefined
}

/** The matcher of `expect(a).toBe(b)`, if an expression is such an assertion and does not wait. */
export function assertedBy(expression: Node, r: Rewriting): string | undefined {
  const assertion = assertionIn(expression, r)
  return assertion?.calls.length === 1 && !isSettled(assertion) ? matcherOf(assertion) : undefined
}

/** `expect(a)` -> `expect(__dpor.look(a, site, 'toBe'))`, in an assertion that is being visited. */
export function expectArguments(call: Node, r: Rewriting): void {
  const outermost = r.ancestors.findLast(({ type }) => type !== 'Identifier')
  const assertion = outermost && assertionIn(outermost, r)
  const matcher = assertion?.expected === call ? matcherOf(assertion) : undefined
  const how = assertion?.expected === call && isSettled(assertion) ? `, ${matcher ? quote(matcher) : 'void 0'}, true` : matcher ? `, ${quote(matcher)}` : ''
  for (const argument of call.arguments as Node[]) {
    if (argument.type === 'SpreadElement' || argument.type === 'Literal') r.visit(argument)
    else r.wrap(argument, '__dpor.look(', `, ${site(argument, r)}${how})`)
  }
}

const site = (node: Node, r: Rewriting): string => r.site(node.start, shorten(r.text(node)))

/** The arguments of a call on something of Vitest. */
export function vitestArguments(call: Node, r: Rewriting): void {
  const assertion = assertionIn(call, r)
  const isMade = assertion !== undefined || isMatcherMaker(call, r)
  const isCompared = isMade && !(assertion && byIdentity.has(assertion.names.at(-1) ?? '') && !assertion.names.includes('deep'))
  for (const argument of call.arguments as Node[]) {
    if (namesMocked(argument, call)) continue
    if (!isCompared || showsNothing(argument, r)) r.visit(argument)
    else r.wrap(argument, '__dpor.look(', `, ${site(argument, r)})`)
  }
}

const mocking = new Set(['mock', 'unmock', 'doMock', 'doUnmock'])

/** `vi.mock(import('./a'))`, `vi.mock(await import('./a'))`: Vitest reads from the text which module that is, and imports nothing. */
function namesMocked(argument: Node, call: Node): boolean {
  const callee = unwrap(call.callee)
  if (argument !== call.arguments[0] || callee.type !== 'MemberExpression' || callee.computed || !mocking.has(callee.property.name as string)) return false
  return (argument.type === 'AwaitExpression' ? (argument.argument as Node) : argument).type === 'ImportExpression'
}

/** `expect.objectContaining(a)`, which an assertion is given. */
function isMatcherMaker(call: Node, r: Rewriting): boolean {
  const callee = unwrap(call.callee)
  const object = callee.type === 'MemberExpression' ? unwrap(callee.object) : undefined
  return object !== undefined && (vitestName(object, r) === 'expect' || (object.type === 'MemberExpression' && vitestName(unwrap(object.object), r) === 'expect'))
}

/** What no other process can have changed, or what tells itself what is looked at. */
function showsNothing(argument: Node, r: Rewriting): boolean {
  const inner = unwrap(argument)
  return inner.type === 'SpreadElement' || inner.type === 'Literal' || inner.type === 'TemplateLiteral' || isFunction(inner) || isVitest(inner, r)
}

/**
 * An assertion that cannot tell what it looks at before it has its arguments: because they say what that is, or because they
 * wait. Returns whether it was one.
 */
export function assertionWithArguments(call: Node, r: Rewriting): boolean {
  const callee = unwrap(call.callee)
  if (callee.type !== 'MemberExpression' || callee.computed) return false
  if (vitestName(unwrap(callee.object), r) === 'assert') {
    r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(`assert.${callee.property.name}`)}, ${site(call, r)}, [], [`)
    visitEach(call, r)
    return true
  }
  const assertion = assertionIn(call, r)
  const [value, ...others] = (assertion?.expected.arguments ?? []) as Node[]
  if (!assertion || !value || value.type === 'SpreadElement' || others.length > 0 || isSettled(assertion) || call.arguments.length === 0) return false
  const matcher = matcherOf(assertion) ?? ''
  const waits = r.analysis.suspends({ start: argumentsStart(call, r), end: call.end })
  if (!waits && !byExpected.has(matcher)) return false
  // In parentheses, or after other calls, it stays as it is.
  if (assertion.expected.start !== call.start || assertion.calls.length > 1) return false
  if (waits) {
    afterWaiting(call, assertion, r)
    return true
  }
  const name = r.names.fresh()
  r.replace(call.start, value.start, '__dpor.given(')
  r.wrap(value, value.type === 'SequenceExpression' ? '(' : '', value.type === 'SequenceExpression' ? ')' : '')
  r.replace(value.end, assertion.expected.end, `, (${name}) => ${r.text(assertion.expected.callee as Node)}(${name})`)
  r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(matcher)}, ${site(value, r)}, [${name}], [`)
  visitEach(call, r)
  r.insert(call.end, ')')
  return true
}

/** `expect(a).toEqual(await b)`: what `a` is then is what is looked at. */
function afterWaiting(call: Node, assertion: Assertion, r: Rewriting): void {
  const [value] = assertion.expected.arguments as Node[]
  const name = r.temporary()
  r.wrap(value!, `${name} = (`, ')')
  r.insert(argumentsStart(call, r), `...__dpor.asserted(${quote(matcherOf(assertion) ?? '')}, ${site(value!, r)}, [${name}], [`)
  visitEach(call, r)
}

function visitEach(call: Node, r: Rewriting): void {
  for (const argument of call.arguments as Node[]) r.visit(argument)
  r.insert(call.end - 1, '])')
}

function argumentsStart(call: Node, r: Rewriting): number {
  const first = (call.arguments as Node[])[0]
  return r.find('(', (call.typeArguments?.end ?? call.callee.end) as number, first?.start ?? call.end) + 1
}
