import { type Node, unwrap } from '../1-parse/node.ts'
import { afterOpening, callSite, methodCall, plainSite, visitArguments } from './calls.ts'
import { isImportMeta, isVitest } from './globals.ts'
import { accessKey, isPrivate, memberSite } from './members.ts'
import { nativeChain } from './native-chains.ts'
import { asyncMethodRead, isPrivateField, privatePlace } from './privates.ts'
import { isRepeatable } from './repeatable.ts'
import { isUnused } from './results.ts'
import type { Rewriting } from './rewriting.ts'

/** One step of a chain: `.p`, `.m(a)` or `(a)`. */
interface Link {
  member?: Node
  call?: Node
}

/** Where a chain can end early: before a link whose object is null or undefined. */
const isGuarded = ({ member, call }: Link): boolean => !!member?.optional || (!member && !!call?.optional)

/** `.m?.(a)`: ends early when the method is null or undefined. */
const isOptionalMethod = ({ member, call }: Link): boolean => !!member && !!call?.optional

const withoutAssertion = (node: Node): Node => (node.type === 'TSNonNullExpression' ? withoutAssertion(node.expression) : node)

/** The links from the first optional one on, and what stands before them. */
function linksOf(expression: Node): { base: Node; links: Link[] } {
  const links: Link[] = []
  let node = withoutAssertion(expression)
  let base = node
  let count = 0
  for (;;) {
    const link: Link = {}
    if (node.type === 'CallExpression') {
      link.call = node
      const callee = withoutAssertion(node.callee)
      if (callee.type === 'MemberExpression' && !isPrivate(callee)) link.member = callee
    } else if (node.type === 'MemberExpression') link.member = node
    else break
    links.unshift(link)
    node = (link.member ? link.member.object : link.call!.callee) as Node
    if (isGuarded(link) || isOptionalMethod(link)) {
      base = node
      count = links.length
    }
    node = withoutAssertion(node)
  }
  return { base, links: links.slice(-count) }
}

export function ChainExpression(node: Node, r: Rewriting): void {
  emitChain(node.expression, r, { remove: false, unused: isUnused(r) })
}

/** `a?.b.c` -> `__dpor.optional(a, ($1) => __dpor.get(__dpor.get($1, 'b', site), 'c', site))`. */
export function emitChain(expression: Node, r: Rewriting, { remove, unused = false }: { remove: boolean; unused?: boolean }): void {
  const { base, links } = linksOf(expression)
  if (isUnusual(base, links, r)) {
    r.leave(expression, 'this kind of optional chain')
    if (remove) r.insert(expression.start, 'delete ')
    return nativeChain(expression, r)
  }
  if (isVitest(expression, r) || isImportMeta(expression, r)) {
    if (remove) r.insert(expression.start, 'delete ')
    return nativeChain(expression, r)
  }
  new Chain(base, links, expression, r, { remove, unused }).emit()
}

function isUnusual(base: Node, links: readonly Link[], r: Rewriting): boolean {
  if (base.type === 'Super') return true
  return links.some(({ member, call }, i) => {
    if (!call?.optional || member) return false
    const callee = unwrap(call.callee)
    if (callee.type === 'Super' || callee.type === 'ChainExpression') return true
    if (callee.type !== 'MemberExpression') return false
    return i > 0 || call.callee !== callee || !isPrivateField(callee, r) || !isRepeatable(callee.object, r)
  })
}

class Chain {
  /** Values are kept in variables: functions would capture what they use. */
  readonly #keeps: boolean
  #close = ''
  readonly base: Node
  readonly links: readonly Link[]
  readonly expression: Node
  readonly r: Rewriting
  readonly remove: boolean
  readonly unused: boolean

  constructor(base: Node, links: readonly Link[], expression: Node, r: Rewriting, { remove, unused }: { remove: boolean; unused: boolean }) {
    this.base = base
    this.links = links
    this.expression = expression
    this.r = r
    this.remove = remove
    this.unused = unused
    this.#keeps = r.canKeep
  }

  emit(): void {
    const { r, base, links, expression } = this
    const guarded = isGuarded(links[0]!)
    const names = guarded ? this.#newGuard() : undefined
    r.insert(expression.start, names ? names.open : this.#openers(0))
    r.visit(base)
    let subject = ''
    if (names) {
      subject = names.name
      r.insert(base.end, `${names.join}${this.#openers(0)}${subject}`)
    }
    for (let i = 0; i < links.length; i++) subject = this.#link(i, subject)
    r.insert(expression.end, this.#close)
  }

  /** The end of the part that begins with link `from`: the next link that can end the chain. */
  #end(from: number): number {
    const next = this.links.findIndex((link, i) => i > from && isGuarded(link))
    const method = this.links.findIndex((link, i) => i >= from && isOptionalMethod(link))
    if (method !== -1 && (next === -1 || method < next)) return method + 1
    return next === -1 ? this.links.length : next
  }

  readonly #guards = new Map<number, { open: string; join: string; name: string }>()

  #newGuard(): { open: string; join: string; name: string } {
    this.#close = `)${this.#close}`
    if (this.#keeps) {
      const name = this.r.temporary()
      return { name, open: `((${name} = `, join: ') == null ? void 0 : ' }
    }
    const name = this.r.names.fresh()
    return { name, open: '__dpor.optional(', join: `, (${name}) => ` }
  }

  readonly #methods = new Map<number, string>()

  /** What stands before the object of link `from`, up to where the chain can end again. */
  #openers(from: number): string {
    const end = this.#end(from)
    let text = ''
    const next = this.links[end]
    // What follows an optional method belongs to the rest of its call.
    if (next && isGuarded(next) && !isOptionalMethod(this.links[end - 1]!)) {
      const guard = this.#newGuard()
      this.#guards.set(end, guard)
      text += guard.open
    }
    for (let i = end - 1; i >= from; i--) text += this.#opener(i, from)
    return text
  }

  #opener(i: number, from: number): string {
    const link = this.links[i]!
    if (!link.member) return this.#keepsThis(i) ? '' : '__dpor.callee('
    if (isPrivate(link.member)) {
      if (this.#isCalledNext(i)) return ''
      if (!isPrivateField(link.member, this.r)) return asyncMethodRead(link.member, this.r)[0]
      return i === from && isGuarded(link) ? '__dpor.privateGet(' : '__dpor.given('
    }
    if (!link.call) return this.remove && i === this.links.length - 1 ? '__dpor.remove(' : '__dpor.get('
    if (!link.call.optional) return methodCall(link.call, this.r).open
    this.#close = `)${this.#close}`
    if (!this.#keeps) return '__dpor.callIf('
    const found = this.r.temporary()
    this.#methods.set(i, found)
    return `((${found} = __dpor.found(`
  }

  /** `o?.#m(a)`: the call of a private member, which stays as it is. */
  #keepsThis(i: number): boolean {
    return unwrap(this.links[i]!.call!.callee).type === 'MemberExpression'
  }

  #isCalledNext(i: number): boolean {
    const next = this.links[i + 1]
    return !!next?.call && !next.member
  }

  #link(i: number, subject: string): string {
    const guard = this.#guards.get(i)
    const link = this.links[i]!
    const { r } = this
    let object = subject
    if (guard) {
      object = guard.name
      r.insert((link.member ? link.member.object : link.call!.callee).end, `${guard.join}${this.#openers(i)}${object}`)
    }
    if (!link.member) this.#plainCall(link.call!, i)
    else if (isPrivate(link.member)) this.#privateMember(link.member, i, object)
    else if (!link.call) accessKey(link.member, r, { close: `, ${memberSite(link.member, r)})` })
    else if (link.call.optional) this.#optionalMethod(link.member, link.call, i)
    else {
      accessKey(link.member, r, { close: `, ${callSite(link.call, link.member, r)}${methodCall(link.call, r).close}, [`, upTo: afterOpening(link.call, r) })
      visitArguments(link.call, r)
      r.insert(link.call.end - 1, this.unused && i === this.links.length - 1 ? '], true' : ']')
    }
    return ''
  }

  #plainCall(call: Node, i: number): void {
    const { r } = this
    if (!this.#keepsThis(i)) {
      const use = this.unused && i === this.links.length - 1 ? ', true' : ''
      r.replace(call.callee.end, afterOpening(call, r), `, ${plainSite(call, r)}${use})(`)
      return visitArguments(call, r)
    }
    const callee = call.callee as Node
    const isMethod = callee.type === 'MemberExpression' && isPrivate(callee) && !!call.optional
    const receiver = isMethod ? `.call(${r.text(callee.object)}${(call.arguments as Node[]).length ? ', ' : ''}` : '('
    if (call.optional || call.typeArguments) r.replace(callee.end, afterOpening(call, r), receiver)
    visitArguments(call, r)
  }

  #privateMember(member: Node, i: number, object: string): void {
    const { r } = this
    const start = r.find(member.optional ? '?.' : '.', member.object.end, member.property.start)
    if (!isPrivateField(member, r) || this.#isCalledNext(i)) {
      if (member.optional) r.replace(start, start + 2, '.')
      if (!this.#isCalledNext(i)) r.insert(member.end, asyncMethodRead(member, r)[1])
      return
    }
    if (object) {
      const { place, field } = privatePlace(object, member, r)
      return r.replace(start, member.end, `${place.slice(object.length)}, ${field})`)
    }
    const name = r.names.fresh()
    r.replace(start, member.end, `, (${name}) => ${privatePlace(name, member, r).read})`)
  }

  #optionalMethod(member: Node, call: Node, i: number): void {
    const { r } = this
    const isLast = i === this.links.length - 1
    const found = this.#methods.get(i)
    const upTo = afterOpening(call, r)
    if (found) {
      const rest = isLast ? '' : this.#afterMethod(i + 1)
      accessKey(member, r, { close: `, ${callSite(call, member, r)})).fn == null ? void 0 : ${rest}__dpor.callFound(${found}, [`, upTo })
      visitArguments(call, r)
      return r.replace(call.end - 1, call.end, isLast && this.unused ? '], true)' : '])')
    }
    accessKey(member, r, { close: `, ${callSite(call, member, r)}, () => [`, upTo })
    visitArguments(call, r)
    if (isLast) return r.replace(call.end - 1, call.end, this.unused ? '], void 0, true' : ']')
    const name = r.names.fresh()
    r.replace(call.end - 1, call.end, `], (${name}) => ${this.#afterMethod(i + 1)}${name}`)
  }

  /** What stands before the result of a method that is called if it exists, when the chain goes on. */
  #afterMethod(i: number): string {
    if (!isGuarded(this.links[i]!)) return this.#openers(i)
    const guard = this.#newGuard()
    this.#guards.set(i, guard)
    return guard.open
  }
}
