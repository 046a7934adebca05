import { isFunction, type Node, unwrap } from '../1-parse/node.ts'
import { quote } from './names.ts'
import type { Rewriting } from './rewriting.ts'

/** What stands for `super` in the body of an async generator, which is a function of its own: functions of the method around it. */
export interface SuperStandIns {
  readonly get: string
  readonly set: string
}

export const isSuper = (node: Node): boolean => node.type === 'MemberExpression' && node.object.type === 'Super'

/** The method or field whose `super` is meant. */
function standIns(r: Rewriting): SuperStandIns | undefined {
  const owner = r.ancestors.findLast((node) => (isFunction(node) && node.type !== 'ArrowFunctionExpression') || node.type === 'PropertyDefinition' || node.type === 'StaticBlock')
  return owner && r.superStandIns.get(owner)
}

const siteOf = (member: Node, r: Rewriting): string => r.site(member.property.start, r.text(member))

/** `super.p` as it is, with the key as an expression. */
function plainGet(key: string, r: Rewriting): string {
  const functions = standIns(r)
  return functions ? `${functions.get}(${key})` : `super[${key}]`
}

/** What assigns to `super.p`, as an argument. */
function setter(r: Rewriting): string {
  const functions = standIns(r)
  if (functions) return functions.set
  const [key, value] = [r.names.fresh(), r.names.fresh()]
  return `(${key}, ${value}) => super[${key}] = ${value}`
}

const getCall = (key: string, site: string, r: Rewriting): string => `__dpor.superGet(this, ${key}, __dpor.superLook(this, ${key}, ${site}), ${plainGet(key, r)})`

/** `super.p` -> `__dpor.superGet(this, 'p', __dpor.superLook(this, 'p', site), super['p'])`, `super[k]` -> `__dpor.given(__dpor.superKey((this, k)), ($1) => ...)`: `this` comes first. */
export function superRead(member: Node, r: Rewriting): void {
  const site = siteOf(member, r)
  if (!member.computed) return r.replace(member.start, member.end, getCall(quote(member.property.name), site, r))
  const key = r.names.fresh()
  around(member, r, '__dpor.given(__dpor.superKey((this, ', `)), (${key}) => ${getCall(key, site, r)})`)
}

/** Puts text in the place of what stands around a computed key. */
function around(member: Node, r: Rewriting, before: string, after: string, { from = member.start, upTo = member.end } = {}): void {
  const sequence = member.property.type === 'SequenceExpression'
  r.replace(from, member.property.start, `${before}${sequence ? '(' : ''}`)
  r.visit(member.property)
  r.replace(member.property.end, upTo, `${sequence ? ')' : ''}${after}`)
}

/** `super.p = v` -> `__dpor.superSet(this, 'p', site, v, ($1, $2) => super[$1] = $2)`, and the same for operators. */
export function superAssignment(node: Node, member: Node, upTo: number, r: Rewriting): void {
  const site = siteOf(member, r)
  const operator = (node.operator as string).slice(0, -1)
  const isLogical = operator === '??' || operator === '||' || operator === '&&'
  const key = member.computed ? r.temporary() : quote(member.property.name)
  // A key that is computed is computed once, and first.
  const first = member.computed ? `(${key} = ${operator === '' ? '(' : '__dpor.superKey('}(this, ` : ''
  const set = `__dpor.superSet(this, ${key}, ${site}, `
  const read = getCall(key, site, r)
  const [before, after] = operator === '' ? [set, ''] : isLogical ? [`(${read} ${operator} ${set}`, ')'] : [`${set}${read} ${operator} (`, ')']
  if (member.computed) around(member, r, first, `)), ${before}`, { from: node.start, upTo })
  else r.replace(node.start, upTo, before)
  r.visit(node.right)
  r.insert(node.right.end, `${operator !== '' && !isLogical ? after : ''}, ${setter(r)})${isLogical ? after : ''}${member.computed ? ')' : ''}`)
}

/** `super.p++` -> `__dpor.superIncrement(this, 'p', site, __dpor.superGet(...), 1, false, ...)`. */
export function superUpdate(node: Node, member: Node, r: Rewriting): void {
  const site = siteOf(member, r)
  const by = node.operator === '++' ? 1 : -1
  const increment = (key: string): string => `__dpor.superIncrement(this, ${key}, ${site}, ${getCall(key, site, r)}, ${by}, ${node.prefix}, ${setter(r)})`
  if (!member.computed) return r.replace(node.start, node.end, increment(quote(member.property.name)))
  const key = r.names.fresh()
  around(member, r, '__dpor.given(__dpor.superKey((this, ', `)), (${key}) => ${increment(key)})`, { from: node.start, upTo: node.end })
}

/** A place to assign to, inside patterns: `[super.p] = v` -> `[__dpor.superReference(this, 'p', site, ...).value] = v`. */
export function superTarget(node: Node, r: Rewriting): void {
  const member = unwrap(node)
  const site = siteOf(member, r)
  if (member.computed) around(member, r, '__dpor.superReference(this, ', `, ${site}, ${setter(r)}).value`, { from: node.start, upTo: node.end })
  else r.replace(node.start, node.end, `__dpor.superReference(this, ${quote(member.property.name)}, ${site}, ${setter(r)}).value`)
}
