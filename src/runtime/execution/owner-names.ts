import { Array, JSON, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Identities, ObjectId } from './identity.ts'
import { madePermanently } from './permanent-names.ts'
import type { Key } from './keys.ts'
import { placeOf } from './sources.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isProxy } from './proxies.ts'
import { classNameOf, functionName, ownClassNameOf } from './values.ts'

/** Classes whose name says nothing about an object. */
const generic = new Set(['', 'Buffer'])

/** So do those of the platform. */
const isGeneric = (className: string): boolean => generic.has(className) || Object.hasOwn(globalThis, className)

/** Where an object was seen first. */
interface Finding {
  readonly owner: ObjectId
  readonly key: Key
}

/** Objects within objects are named to this depth. */
const deepest = 4

/** Elements of longer lists have no names. */
const longestList = 100

/**
 * What a reader calls the objects of one execution: `account` for an `Account`. One whose class says nothing has the name of
 * the property, the element or the variable in which it was seen first, else of what it was made for. Names are
 * asked for at the end, when everything has been seen.
 */
export class OwnerNames {
  readonly #identities: Identities
  readonly #found = new Map<ObjectId, Finding>()
  readonly #made = new Map<object, SiteId>()
  readonly #told = new Map<ObjectId, () => string>()
  readonly #boxes = new Set<ObjectId>()
  #elements: ReadonlyMap<unknown, Finding> | undefined

  constructor(identities: Identities) {
    this.#identities = identities
  }

  /** The object was seen as the value of this key. */
  found(object: ObjectId, owner: ObjectId, key: Key): void {
    const isHidden = key.kind === 'property' && typeof key.name === 'string' && key.name.startsWith('__')
    if (!isHidden && !this.#found.has(object)) this.#found.set(object, { owner, key })
  }

  /** A package has made it to keep a value of somebody else's, who has a name for it. */
  keepsValue(object: ObjectId): void {
    this.#boxes.add(object)
  }

  /** The object was made there. */
  made(object: object, site: SiteId): void {
    if (!this.#made.has(object)) this.#made.set(object, site)
  }

  /** Of what is no object of the user's, such as a promise or a timer. */
  tell(id: ObjectId, name: () => string): void {
    this.#told.set(id, name)
  }

  nameOf(id: ObjectId): string {
    return this.#nameOf(id, 0)
  }

  #nameOf(id: ObjectId, depth: number): string {
    const told = this.#told.get(id)
    if (told) return told()
    const object = this.#identities.objects?.get(id)
    if (object === undefined) return ''
    if (typeof object === 'function') return functionName(object) || 'function'
    const className = ownClassNameOf(object)
    if (this.#boxes.has(id)) return this.#foundAt(this.#found.get(id), object, depth) || beginningSmall(className) || this.#madeFor(object) || 'object'
    if (!isGeneric(className)) return beginningSmall(className)
    return this.#foundAt(this.#found.get(id), object, depth) || this.#madeFor(object) || this.#foundAt(this.#listed(object), object, depth) || beginningSmall(classNameOf(object)) || 'object'
  }

  #foundAt(found: Finding | undefined, object: object, depth: number): string {
    if (!found || depth > deepest) return ''
    const { owner, key } = found
    switch (key.kind) {
      case 'property':
        if (typeof key.name !== 'string') return ''
        return /^\d/.test(key.name) ? this.#inside(owner, `[${key.name}]`, depth) : key.name.replace(/^#/, '')
      case 'variable':
        return key.name
      case 'element':
        return this.#inside(owner, `[${key.index}]`, depth)
      case 'entry':
        return this.#inside(owner, `.get(${typeof key.key === 'string' ? JSON.stringify(key.key) : String(key.key)})`, depth)
      case 'entry of object':
        return this.#madeFor(object) || this.#inside(owner, `.get(${this.#nameOf(key.object, depth + 1)})`, depth)
      default:
        return ''
    }
  }

  #inside(owner: ObjectId, part: string, depth: number): string {
    const name = this.#nameOf(owner, depth + 1)
    return name === '' ? '' : name + part
  }

  /** Where it stands in a list. Many a list is never read by its elements, but by `filter` and its like. */
  #listed(object: object): Finding | undefined {
    this.#elements ??= elementsOf(this.#identities.objects ?? new Map())
    return this.#elements.get(object)
  }

  #madeFor(object: object): string {
    return placeOf(this.#made.get(object) ?? madePermanently(object))?.name ?? ''
  }
}

/** `account`, `url`, `urlSearchParams` */
const beginningSmall = (name: string): string => name.replace(/^(?:[A-Z]+(?=[A-Z][a-z]|$)|[A-Z])/, (letters) => letters.toLowerCase())

/** By object: the list that was made first of those that it stands in at the end. */
function elementsOf(objects: ReadonlyMap<ObjectId, object>): Map<unknown, Finding> {
  const elements = new Map<unknown, Finding>()
  for (const [owner, list] of objects) {
    if (isProxy(list) || !Array.isArray(list)) continue
    for (let index = 0; index < list.length && index < longestList; index++) {
      const element: unknown = Reflect.getOwnPropertyDescriptor(list, index)?.value
      if (!elements.has(element)) elements.set(element, { owner, key: { kind: 'element', index } })
    }
  }
  return elements
}
