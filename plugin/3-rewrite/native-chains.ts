import { type Node, unwrap } from '../1-parse/node.ts'
import { expectArguments, isExpectCall } from './assertions.ts'
import { operand } from './operands.ts'
import type { Rewriting } from './rewriting.ts'

/** Leaves the access itself as it is. */
export function native(member: Node, r: Rewriting): void {
  const object = member.object as Node
  if (object.type === 'MemberExpression' || object.type === 'CallExpression') nativeChain(object, r)
  else r.visit(object)
  if (member.computed) operand(member.property, r)
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

/** The arguments of a call that is left as it is. */
export function visitNativeArguments(call: Node, r: Rewriting): void {
  if (isExpectCall(call, r)) return expectArguments(call, r)
  for (const argument of call.arguments as Node[]) r.visit(argument)
}
