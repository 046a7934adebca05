import type { Node } from '../1-parse/node.ts'
import { separateMembers } from './line-breaks.ts'
import { quote } from './names.ts'
import { nativeChain } from './native-chains.ts'
import { isRepeatable } from './repeatable.ts'
import type { PrivateKind, PrivateNames, Rewriting } from './rewriting.ts'

export function ClassBody(node: Node, r: Rewriting): void {
  const kinds = new Map<string, PrivateKind>()
  const asyncMethods = new Map<string, { isGenerator: boolean }>()
  const given = new Set<string>()
  for (const member of node.body as Node[]) {
    if (member.key?.type !== 'PrivateIdentifier') continue
    const name = member.key.name as string
    if (!member.static && r.parent.superClass) given.add(name)
    if (member.type === 'PropertyDefinition') kinds.set(name, 'field')
    else if (member.type === 'MethodDefinition' && member.kind === 'method') kinds.set(name, 'method')
    else kinds.set(name, 'accessor')
    if (kinds.get(name) === 'method' && member.value.async) asyncMethods.set(name, { isGenerator: member.value.generator as boolean })
  }
  r.privateNames.push({ kinds, given, asyncMethods })
  if (given.size > 0) {
    const names = [...given].map((name) => quote(`#${name}`)).join(', ')
    r.insert(node.start + 1, ` #${r.names.fresh()} = __dporOn ? __dpor.privatesGiven(this, [${names}], ${r.site(node.start, 'class')}) : void 0;`)
  }
  separateMembers(node.body as Node[], r)
  r.children(node)
  r.privateNames.pop()
}

function namesWith(name: string, r: Rewriting): PrivateNames | undefined {
  return r.privateNames.findLast(({ kinds }) => kinds.has(name))
}

/** Methods and accessors are code, not state. */
export function isPrivateField(member: Node, r: Rewriting): boolean {
  const name = member.property.name as string
  return namesWith(name, r)?.kinds.get(name) === 'field'
}

/** Whether objects that are there already may be given this member: by a class whose base returns them. */
export function isGiven(name: string, object: string, r: Rewriting): boolean {
  return object !== 'this' && namesWith(name, r)?.given.has(name) === true
}

export interface PrivatePlace {
  /** `this.#count`, an expression that can be read and assigned. */
  readonly field: string
  /** `__dpor.privateGet(this, '#count', site, this.#count)` */
  readonly read: string
  /** The arguments that calls about the field begin with. */
  readonly place: string
  /** What reads it of an object: it captures nothing. */
  readonly find: string
  /** What puts a value back into an object: it captures nothing. */
  readonly restore: string
  /** What assigns the field of this object. */
  readonly set: string
}

export function privatePlace(object: string, member: Node, r: Rewriting): PrivatePlace {
  const key = `#${member.property.name}`
  const site = r.site(member.property.start, r.text(member))
  const place = `${object}, ${quote(key)}, ${isGiven(member.property.name, object, r) ? privateLook(object, key, site) : site}`
  const field = `${object}.${key}`
  const [owner, value] = [r.names.fresh(), r.names.fresh()]
  return {
    field,
    place,
    read: `__dpor.privateGet(${place}, ${field})`,
    find: `(${owner}) => ${owner}.${key}`,
    restore: `(${owner}, ${value}) => { ${owner}.${key} = ${value} }`,
    set: `(${value}) => { ${field} = ${value} }`,
  }
}

/** A look at whether the object has the member: without one, what follows throws. Gives the place. */
export const privateLook = (object: string, key: string, site: string): string => `__dpor.privateLook(${object}, ${quote(key)}, ${site})`

/** `#p in o` -> `__dpor.privateHas(o, '#p', site, #p in o)` */
export function privateIn(node: Node, r: Rewriting): void {
  const name = node.left.name as string
  if (!isGiven(name, r.text(node.right), r)) return r.children(node)
  // The object comes after the name, which then has to go first.
  if (!isRepeatable(node.right, r)) r.replace(node.start, node.right.start, '')
  withPrivateObject({ object: node.right } as unknown as Node, node, r, (object, start) => {
    const has = `__dpor.privateHas(${object}, ${quote(`#${name}`)}, ${r.site(node.start, r.text(node))}, #${name} in ${object})`
    if (start < node.end) r.replace(start, node.end, has)
    else r.insert(start, has)
  })
}

/**
 * Names the object of a private member, so that it is evaluated once, and calls `emit` to write the
 * rest of `whole`, from the end of the object on.
 */
export function withPrivateObject(member: Node, whole: Node, r: Rewriting, emit: (object: string, objectStart: number) => void): void {
  const object = member.object as Node
  if (isRepeatable(object, r)) return emit(r.text(object), whole.start)
  if (r.canKeep) {
    const name = r.temporary()
    r.insert(whole.start, `(${name} = `)
    r.visit(member.object)
    r.insert(member.object.end, ', ')
    emit(name, member.object.end)
    r.insert(whole.end, ')')
    return
  }
  const name = r.names.fresh()
  r.insert(whole.start, '__dpor.given(')
  r.visit(member.object)
  r.insert(member.object.end, `, (${name}) => `)
  emit(name, member.object.end)
  r.insert(whole.end, ')')
}

/** What stands before and after a private member that is read, an async method: it gets its prototype there, there is no other place. */
export function asyncMethodRead(member: Node, r: Rewriting): [before: string, after: string] {
  const name = member.property.name as string
  const method = namesWith(name, r)?.asyncMethods.get(name)
  return method ? ['__dpor.asynchronousOnce(', method.isGenerator ? ', true)' : ')'] : ['', '']
}

/** `o.#p` -> `__dpor.privateGet(o, '#p', site, o.#p)`. */
export function PrivateRead(member: Node, r: Rewriting): void {
  const [before, after] = asyncMethodRead(member, r)
  r.insert(member.start, before)
  privateRead(member, r)
  r.insert(member.end, after)
}

function privateRead(member: Node, r: Rewriting): void {
  if (!isPrivateField(member, r) && !isGiven(member.property.name, r.text(member.object), r)) return nativeChain(member.object, r)
  withPrivateObject(member, member, r, (object, start) => r.replace(start, member.end, privatePlace(object, member, r).read))
}
