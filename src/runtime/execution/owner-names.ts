import { Array, JSON, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Identities, ObjectId } from './identity.ts'
import { madePermanently } from './permanent-names.ts'
import type { Key } from './keys.ts'
import { isInPackage, placeOf } from './sources.ts'
import type { LocationId, SiteId } from '../../engine/ids.ts'
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

/** A property of an object of the user's, behind which a package keeps the value elsewhere. */
export interface Property {
  readonly object: ObjectId
  readonly name: PropertyKey
}

/** Names that say that a property is nobody's affair outside: `_value`, `value_`, `#value`. */
const isInternal = /^[_#]|_$/

/** What is left of the name of a variable once its code was made smaller, if that is nothing. */
const isShortened = (key: Key): boolean => key.kind === 'variable' && key.name.length === 1

const isPlaceInList = (key: Key): boolean => key.kind === 'element' || (key.kind === 'property' && typeof key.name === 'string' && /^\d+$/.test(key.name))

/** A list, or what holds it, that has no name. */
const isNameless = (name: string): boolean => /^(?:object|array)\b/.test(name)

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
  /** Where what was seen first in a list was seen by a name: the list may have none. */
  readonly #foundLater = new Map<ObjectId, Finding>()
  readonly #made = new Map<object, SiteId>()
  readonly #told = new Map<ObjectId, () => string>()
  readonly #boxes = new Set<ObjectId>()
  readonly #ofPackages = new Set<ObjectId>()
  readonly #ofUser = new Set<ObjectId>()
  readonly #kept = new Map<object, string>()
  readonly #properties = new Map<LocationId, Property>()
  /** By object and property: where what it shows may be kept. */
  readonly #shown = new Map<ObjectId, Map<PropertyKey, readonly LocationId[]>>()
  #elements: ReadonlyMap<unknown, Finding> | undefined

  constructor(identities: Identities) {
    this.#identities = identities
  }

  /** The object was seen as the value of this key. */
  found(object: ObjectId, owner: ObjectId, key: Key): void {
    const isHidden = key.kind === 'property' && typeof key.name === 'string' && key.name.startsWith('__')
    const before = this.#found.get(object)
    if (isHidden) return
    if (before === undefined || (isShortened(before.key) && key.kind !== 'variable')) this.#found.set(object, { owner, key })
    else if (isPlaceInList(before.key) && !isPlaceInList(key) && !this.#foundLater.has(object)) this.#foundLater.set(object, { owner, key })
  }

  /** A package has made it to keep a value of somebody else's, who has a name for it. */
  keepsValue(object: ObjectId): void {
    this.#boxes.add(object)
  }

  /** Code of a package looks at the object, or changes it, or the user's own code, by which it may be a package that does so. */
  usedBy(object: ObjectId, whose: 'package' | 'user'): void {
    ;(whose === 'package' ? this.#ofPackages : this.#ofUser).add(object)
  }

  /** The user's own code has the object from a package, and calls it so. */
  keptAs(object: object, name: string | undefined): void {
    if (name !== undefined && !this.#kept.has(object)) this.#kept.set(object, name)
  }

  /**
   * What a package keeps at one of these is what this property shows to whoever uses it. Uses with different values tell which one it is.
   *
   * @param isPlain the value is one that much else may have as well
   */
  mayBeShownAs(locations: readonly LocationId[], property: Property, { isPlain }: { readonly isPlain: boolean }): void {
    const known = this.#shown.get(property.object) ?? new Map<PropertyKey, readonly LocationId[]>()
    const before = known.get(property.name)
    if (before === undefined && isPlain) return
    const both = before?.filter((location) => locations.includes(location)) ?? [...new Set(locations)]
    if (both.length === 0) return
    known.set(property.name, both)
    this.#shown.set(property.object, known)
    if (both.length === 1 && !this.#properties.has(both[0]!)) this.#properties.set(both[0]!, property)
  }

  propertyAt(location: LocationId): Property | undefined {
    return this.#properties.get(location)
  }

  /** The object was made there. */
  made(object: object, site: SiteId): void {
    if (!isInPackage(site)) this.keptAs(object, placeOf(site)?.name)
    if (!this.#made.has(object)) this.#made.set(object, site)
  }

  /** Of what is no object of the user's, such as a promise or a timer. */
  tell(id: ObjectId, name: () => string): void {
    this.#told.set(id, name)
  }

  nameOf(id: ObjectId): string {
    return this.#nameOf(id, 0)
  }

  /** The same, once no more is seen. */
  finalNames(): (id: ObjectId) => string {
    const names = new Map<ObjectId, string>()
    return (id) => {
      let name = names.get(id)
      if (name === undefined) names.set(id, (name = this.nameOf(id)))
      return name
    }
  }

  #nameOf(id: ObjectId, depth: number): string {
    const told = this.#told.get(id)
    if (told) return told()
    const object = this.#identities.objects?.get(id)
    if (object === undefined) return ''
    if (typeof object === 'function') return functionName(object) || 'function'
    const className = ownClassNameOf(object)
    const kept = this.#keptBy(id)
    if (kept !== undefined) return kept
    if (this.#boxes.has(id)) return this.#foundAt(this.#found.get(id), object, depth) || beginningSmall(className) || this.#madeFor(object) || 'object'
    if (!isGeneric(className)) return beginningSmall(className)
    return this.#seenAs(id, object, depth) || this.#madeFor(object) || this.#foundAt(this.#listed(object), object, depth) || this.#kept.get(object) || beginningSmall(classNameOf(object)) || 'object'
  }

  #seenAs(id: ObjectId, object: object, depth: number): string {
    const first = this.#foundAt(this.#found.get(id), object, depth)
    return (isNameless(first) && this.#foundAt(this.#foundLater.get(id), object, depth)) || first
  }

  /** What only a package knows of, in an object that the user's own code has a name for: `value_` of `count`, `t` of `cache`. */
  heldAs(id: ObjectId, key: Key): { readonly name: string; readonly inside: string } | undefined {
    if (this.#told.has(id)) return undefined
    const name = this.#keptBy(id)
    if (name !== undefined) return key.kind === 'property' && typeof key.name === 'string' && isInternal.test(key.name) ? { name, inside: '' } : undefined
    const found = this.#found.get(id)
    const keptFor = found?.key.kind === 'entry of object' ? this.#keptBy(found.key.object) : undefined
    if (keptFor !== undefined && this.#ofPackages.has(id) && !this.#ofUser.has(id)) return { name: keptFor, inside: '' }
    const holder = found && this.#keptBy(found.owner)
    const object = this.#identities.objects?.get(id)
    if (holder === undefined || object === undefined || this.#ofUser.has(id) || !this.#ofPackages.has(id) || !isGeneric(ownClassNameOf(object))) return undefined
    const inside = this.#foundAt(found, object, 0).replace(`${holder}.`, '')
    return inside === '' ? undefined : { name: holder, inside }
  }

  /** What the user's own code calls an object of a package. */
  #keptBy(id: ObjectId): string | undefined {
    const object = this.#ofPackages.has(id) ? this.#identities.objects?.get(id) : undefined
    return object && this.#kept.get(object)
  }

  #foundAt(found: Finding | undefined, object: object, depth: number): string {
    if (!found || depth > deepest) return ''
    const { owner, key } = found
    switch (key.kind) {
      case 'property':
        if (typeof key.name !== 'string') return ''
        if (key.name.startsWith('_')) return this.#inside(owner, `.${key.name}`, depth) || key.name
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
