import { isFunction, someChild, type Node, unwrap } from '../1-parse/node.ts'
import { assertedBy } from './assertions.ts'
import { isTestFunction } from './extended-tests.ts'
import type { Rewriting } from './rewriting.ts'

/** What is no test, though it is called on one: `test.describe(...)`, `test.beforeEach(...)`. */
const definesOthers = /^(?:describe|suite|extend|override|scoped|(?:before|after|around)(?:Each|All))$/

/** Matchers of Vitest that are done when they return. */
const atOnce = new Set([
  'toBe', 'toBeCloseTo', 'toBeDefined', 'toBeFalsy', 'toBeGreaterThan', 'toBeGreaterThanOrEqual', 'toBeInstanceOf', 'toBeLessThan', 'toBeLessThanOrEqual', 'toBeNaN', 'toBeNull', 'toBeTruthy', 'toBeTypeOf',
  'toBeUndefined', 'toContain', 'toContainEqual', 'toEqual', 'toHaveBeenCalled', 'toHaveBeenCalledTimes', 'toHaveBeenCalledWith', 'toHaveLength', 'toHaveProperty', 'toMatch', 'toMatchInlineSnapshot',
  'toMatchObject', 'toMatchSnapshot', 'toStrictEqual', 'toThrow', 'toThrowError',
])

/** `test('a', () => { ... })`, `it.each([1, 2])('%i', async (n) => { ... })`: each test is over as soon as its function has returned, which awaits nothing and returns nothing. */
export function definesTestsOverAtOnce(statement: Node, r: Rewriting): boolean {
  const call = unwrap(statement.expression as Node)
  if (call.type !== 'CallExpression' || !isCallOfTest(call, r)) return false
  const [body, ...others] = (call.arguments as Node[]).map(unwrap).filter(isFunction)
  return body !== undefined && others.length === 0 && isOverAtOnce(body, r)
}

function isCallOfTest(call: Node, r: Rewriting): boolean {
  let callee = unwrap(call.callee)
  for (;;) {
    if (callee.type === 'MemberExpression' && !callee.computed && !definesOthers.test(callee.property.name as string)) callee = unwrap(callee.object)
    else if (callee.type === 'CallExpression') callee = unwrap(callee.callee)
    else if (callee.type === 'TaggedTemplateExpression') callee = unwrap(callee.tag)
    else break
  }
  return isTestFunction(callee, r)
}

function isOverAtOnce({ generator, body }: Node, r: Rewriting): boolean {
  if (generator || waits(body)) return false
  return body.type === 'BlockStatement' || atOnce.has(assertedBy(body, r) ?? '')
}

/** Somebody else is waited for, or handed on to be waited for. */
function waits(node: Node): boolean {
  if (node.type === 'ReturnStatement') return node.argument !== null
  if (node.type === 'AwaitExpression' || node.await === true || node.kind === 'await using') return true
  return !isFunction(node) && someChild(node, waits)
}
