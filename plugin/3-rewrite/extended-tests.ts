import { isFunction, someChild, type Node, unwrap } from '../1-parse/node.ts'
import { vitestName } from './globals.ts'
import type { Rewriting } from './rewriting.ts'

/** `test`, `it`, or a constant of this file that is one of them, extended by fixtures which wait for nothing: `const it = test.extend({ user: async ({}, use) => { await use('ada') } })`. */
export function isTestFunction(node: Node, r: Rewriting): boolean {
  const name = vitestName(node, r)
  if (name !== undefined) return name === 'test' || name === 'it'
  const value = node.type === 'Identifier' ? r.analysis.binding(node)?.value : undefined
  return value !== undefined && isExtension(unwrap(value), r)
}

function isExtension({ type, callee, arguments: args }: Node, r: Rewriting): boolean {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 'extend' || args.length !== 1) return false
  const fixtures = unwrap(args[0])
  return fixtures.type === 'ObjectExpression' && isTestFunction(unwrap(callee.object), r) && fixtures.properties.every((property: Node) => property.type === 'Property' && isAtOnce(unwrap(property.value)))
}

/** A fixture that is a value, or a function that waits for nothing but its `use`. Alone or with options, as `[fixture, { auto: true }]`. */
function isAtOnce(fixture: Node): boolean {
  if (fixture.type === 'ArrayExpression') return fixture.elements.length > 0 && fixture.elements[0] !== null && isAtOnce(unwrap(fixture.elements[0]))
  return isFunction(fixture) ? waitsForUseOnly(fixture) : fixture.type === 'Literal' || fixture.type === 'TemplateLiteral' || fixture.type === 'ObjectExpression'
}

function waitsForUseOnly({ params, body, generator }: Node): boolean {
  const use = params[1]
  if (generator || use?.type !== 'Identifier') return false
  const isUse = (node: Node): boolean => node.type === 'CallExpression' && unwrap(node.callee).type === 'Identifier' && unwrap(node.callee).name === use.name
  const waits = (node: Node): boolean => {
    if (isFunction(node)) return mentions(node)
    if (node.type === 'Identifier') return node.name === use.name
    if (isUse(node)) return node.arguments.some(waits)
    if (node.type === 'AwaitExpression') return !isUse(unwrap(node.argument)) || waits(unwrap(node.argument))
    return node.await === true || someChild(node, waits)
  }
  /** Who else calls it may do so at any time. */
  const mentions = (node: Node): boolean => (node.type === 'Identifier' ? node.name === use.name : someChild(node, mentions))
  return !waits(body)
}
