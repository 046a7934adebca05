import { type Node, unwrap } from '../1-parse/node.ts'
import { leavesReads } from './globals.ts'
import { quote } from './names.ts'
import { shorten } from './places.ts'
import { PrivateRead } from './privates.ts'
import type { Rewriting } from './rewriting.ts'

export const isPrivate = (member: Node): boolean => member.property.type === 'PrivateIdentifier'

/** What a reader recognises: `account.balance`, `rows[0].id`. */
export function memberSite(member: Node, r: Rewriting): string {
  return r.site(member.property.start, r.text(member))
}

interface Access {
  /** Put before the object. */
  open: string
  /** Put after the key. */
  close: string
  /** The member expression with the parentheses and type assertions around it, when there are any. */
  outer?: { start: number; end: number }
  /** Up to where the source is replaced by `close`: the end of an operator, say. */
  upTo?: number
  /** Put before a computed key. */
  keyPrefix?: string
}

/** Where errors of an access are shown: at the name or, as in JavaScript, at the bracket. */
export const accessPosition = (member: Node, r: Rewriting): number =>
  member.computed ? r.find('[', member.object.end, member.property.start) : member.property.start

/** `o.p` -> `open o, 'p' close`. */
export function access(member: Node, r: Rewriting, { open, close, outer = member, upTo = outer.end, keyPrefix = '' }: Access): void {
  r.insert(outer.start, open, accessPosition(member, r))
  // Targets of assignments come without nodes for their parentheses.
  const parens = ')'.repeat(r.count('(', outer.start, member.start))
  r.visit(member.object)
  accessKey(member, r, { close, parens, upTo, keyPrefix })
}

interface Key {
  close: string
  /** Closes the parentheses around the object whose other halves go. */
  parens?: string
  upTo?: number
  keyPrefix?: string
}

/** `.p` -> `, 'p' close`, when the object is already written. */
export function accessKey(member: Node, r: Rewriting, { close, parens = '', upTo = member.end, keyPrefix = '' }: Key): void {
  const { object, property } = member as { object: Node; property: Node } & Node
  if (!member.computed) {
    const start = r.find(member.optional ? '?.' : '.', object.end, property.start)
    return r.replace(start, upTo, `${parens}, ${quote(property.name)}${close}`)
  }
  const bracket = r.find('[', object.end, property.start)
  const sequence = property.type === 'SequenceExpression'
  r.replace(member.optional ? r.find('?.', object.end, bracket) : bracket, bracket + 1, `${parens}, ${keyPrefix}${sequence ? '(' : ''}`)
  r.visit(property)
  r.replace(r.find(']', property.end, member.end), upTo, `${sequence ? ')' : ''}${close}`)
}

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

/** The arguments of a call that is left as it is. `expect(a)` looks at all of `a`, which nothing else would record. */
export function visitNativeArguments(call: Node, r: Rewriting): void {
  const looks = call.callee.type === 'Identifier' && call.callee.name === 'expect'
  for (const argument of call.arguments as Node[]) {
    if (!looks || argument.type === 'SpreadElement' || argument.type === 'Literal') r.visit(argument)
    else r.wrap(argument, '__dpor.look(', `, ${r.site(argument.start, shorten(r.text(argument)))})`)
  }
}

export function MemberExpression(member: Node, r: Rewriting): void {
  if (isPrivate(member)) return PrivateRead(member, r)
  if (leavesReads(member, r)) {
    if (member.object.type === 'Super') return member.computed ? r.visit(member.property) : undefined
    return native(member, r)
  }
  access(member, r, { open: '__dpor.get(', close: `, ${memberSite(member, r)})` })
}
