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

/** `test('a', () => { ... })`, `it.each([1, 2])('%i', (n) => { ... })`: each test is over as soon as its function has returned, which returns nothing. */
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

function isOverAtOnce({ async, generator, body }: Node, r: Rewriting): boolean {
  if (async || generator) return false
  return body.type === 'BlockStatement' ? !returnsSomething(body) : atOnce.has(assertedBy(body, r) ?? '')
}

const returnsSomething = (node: Node): boolean => (node.type === 'ReturnStatement' ? node.argument !== null : !isFunction(node) && someChild(node, returnsSomething))
