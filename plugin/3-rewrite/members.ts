import { type Node, unwrap } from '../1-parse/node.ts'
import { builtInLook, isProcessEnv, leavesReads } from './globals.ts'
import { liveMember } from './live-bindings.ts'
import { quote } from './names.ts'
import { native } from './native-chains.ts'
import { PrivateRead } from './privates.ts'
import type { Rewriting } from './rewriting.ts'
import { isSuper, superRead } from './supers.ts'

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

const isVariableOfEnvironment = (member: Node, r: Rewriting): boolean =>
  !member.computed && !member.optional && isProcessEnv(unwrap(member.object), r)

/** `process.env.X` -> `__dpor.privateGet(process.env, 'X', site, process.env.X)`: Vite may replace it by a constant, from its text. */
function environmentRead(member: Node, r: Rewriting): void {
  r.insert(member.start, `__dpor.privateGet(process.env, ${quote(member.property.name)}, ${memberSite(member, r)}, `, member.property.start)
  r.insert(member.end, ')')
}

function nativeRead(member: Node, r: Rewriting): void {
  const look = builtInLook(member, r, { isCalled: false })
  if (look === undefined) return native(member, r)
  r.insert(member.start, look)
  native(member, r)
  r.insert(member.end, ')')
}

export function MemberExpression(member: Node, r: Rewriting): void {
  if (isPrivate(member)) return PrivateRead(member, r)
  if (isSuper(member)) return superRead(member, r)
  if (isVariableOfEnvironment(member, r)) return environmentRead(member, r)
  const live = liveMember(member, r)
  if (live) {
    r.insert(member.start, live.before)
    return void r.insert(member.end, live.after)
  }
  if (leavesReads(member, r)) return nativeRead(member, r)
  access(member, r, { open: '__dpor.get(', close: `, ${memberSite(member, r)})` })
}
