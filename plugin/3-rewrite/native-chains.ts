import { type Node, unwrap } from '../1-parse/node.ts'
import { shorten } from './places.ts'
import type { Rewriting } from './rewriting.ts'

/** Leaves the access itself as it is. */
export function native(member: Node, r: Rewriting): void {
  const object = member.object as Node
  if (object.type === 'MemberExpression' || object.type === 'CallExpression') nativeChain(object, r)
  else r.visit(object)
  if (member.computed) r.visit(member.property)
}

/** Leaves a whole chain of accesses and calls as it is, but not its arguments. */
export function nativeChain(node: Node, r: Rewriting): void {
  const inner = unwrap(node)
  switch (inner.type) {
    case 'ChainExpression': return nativeChain(inner.expression, r)
    case 'MemberExpression':
      nativeChain(inner.object, r)
      return inner.computed ? r.visit(inner.property) : undefined
    case 'CallExpression':
      nativeChain(inner.callee, r)
      return visitNativeArguments(inner, r)
    case 'Identifier':
    case 'Super':
    case 'MetaProperty': return
    default: r.visit(inner)
  }
}

/** `expect(a).toHaveLength(n)` and `expect(a).not.toHaveLength(n)` look at how many there are, and at nothing else. */
function asksForLength(call: Node, r: Rewriting): boolean {
  const matcher = r.ancestors.findLast(({ type }) => type !== 'Identifier')
  const member = matcher?.type === 'CallExpression' ? (matcher.callee as Node) : undefined
  if (member?.type !== 'MemberExpression' || member.computed || member.property.name !== 'toHaveLength') return false
  const object = member.object as Node
  return object === call || (object.type === 'MemberExpression' && object.property.name === 'not' && object.object === call)
}

/** The arguments of a call that is left as it is. `expect(a)` looks at all of `a`, which nothing else would record. */
export function visitNativeArguments(call: Node, r: Rewriting): void {
  const looks = call.callee.type === 'Identifier' && call.callee.name === 'expect'
  for (const argument of call.arguments as Node[]) {
    if (!looks || argument.type === 'SpreadElement' || argument.type === 'Literal') r.visit(argument)
    else r.wrap(argument, '__dpor.look(', `, ${r.site(argument.start, shorten(r.text(argument)))}${asksForLength(call, r) ? ', true' : ''})`)
  }
}
