import type { Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import { differingText } from './differing.ts'
import type { InputKey, InputValue } from './input.ts'
import { labelOf, labelOfPart, ownerOf, shortLabelOf } from './naming.ts'
import { commonPath, differencesOf, partAt, within, type Path } from './parts.ts'
import { wholeOf } from './values.ts'

/** What the locations of one story are called: one name each, and different ones for different locations. */
export class Labels {
  /** By object: what tells it from others of its name. */
  readonly #numbers: ReadonlyMap<number, number>
  /** The same of those that are keys. */
  readonly #keys: ReadonlyMap<number, number>
  readonly #locations: ReadonlySet<number>
  /** Those of which only the size is looked at. */
  readonly #sized: ReadonlySet<number>
  /** Lists that somebody puts something at the end of: what comes in which order. */
  readonly #lists: ReadonlySet<number>
  /** By location of what a package keeps, and hands out as a whole: the part that it is about. */
  readonly #parts: ReadonlyMap<number, Path>
  /** By location: what was found and put there. */
  readonly #values: ReadonlyMap<number, readonly InputValue[]>
  /** The same without what an update has found. */
  readonly #left: ReadonlyMap<number, readonly InputValue[]>

  /**
   * @param others that are told as a part of those: what an update has found
   * @param used the part of a large state that matters, of several that differ
   */
  constructor(accesses: readonly Access[], others: readonly Access[] = [], used: Path = []) {
    const locations = grouped(accesses, ({ location }) => location)
    this.#locations = new Set(locations.keys())
    this.#sized = new Set([...locations].filter(([, all]) => looksAtSize(all)).map(([location]) => location))
    this.#lists = new Set(accesses.filter(({ kind }) => kind === 'append').map(({ location }) => location))
    const more = grouped(others, ({ location }) => location)
    this.#values = new Map([...locations].map(([location, all]) => [location, [...all, ...(more.get(location) ?? [])].flatMap(({ value, found }) => (found ? [value, found] : [value]))]))
    this.#left = new Map([...locations].map(([location, all]) => [location, all.map(({ value }) => value)]))
    this.#parts = new Map([...locations].filter(([, [access]]) => access!.key.kind === 'answer').map(([location]) => [location, commonPath(within(used, differencesOf(this.#values.get(location)!.map(wholeOf))))]))
    this.#numbers = numbersOf(grouped(accesses, nameOf))
    const keys = accesses.flatMap(({ key }) => (key.kind === 'entry of object' ? [key] : []))
    this.#keys = numbersOf(grouped(keys, ({ name }) => name))
  }

  /** `account.balance`, `lock#2.held` */
  full({ object, owner, inside, key: given, location }: Access): string {
    const key = this.#numbered(given)
    const number = this.#numbers.get(object)
    if (key.kind === 'variable') return number === undefined ? key.name : `${key.name}#${number}`
    if (this.#lists.has(location) && !this.#sized.has(location)) return this.owner({ object, owner, inside })
    return labelOf({ owner: this.owner({ object, owner }), inside, key, look: this.#sized.has(location) ? 'size' : undefined }) + labelOfPart(this.#parts.get(location) ?? [])
  }

  /** `20`, and of long values what tells them from others at their location */
  value({ location, value }: Pick<Access, 'location' | 'value'>): string {
    const part = this.#parts.get(location) ?? []
    const others = this.#values.get(location) ?? []
    if (part.length > 0) return differingText(partOf(value, part), others.map((other) => partOf(other, part)))
    return differingText(value, others, this.#left.get(location))
  }

  /** In a title: `results (set by setResults)` */
  titled(access: Access): string {
    const { key } = access
    return key.kind === 'variable' && key.setter !== undefined && key.setter !== key.name ? `${this.full(access)} (set by ${key.setter})` : this.full(access)
  }

  #numbered(key: InputKey): InputKey {
    const number = key.kind === 'entry of object' ? this.#keys.get(key.object) : undefined
    return key.kind === 'entry of object' && number !== undefined ? { ...key, name: `${key.name === '' ? 'object' : key.name}#${number}` } : key
  }

  /** The object alone: `lock#2` */
  owner({ object, owner, inside }: Pick<Access, 'object' | 'owner' | 'inside'>): string {
    const name = owner === '' ? 'object' : owner
    const number = this.#numbers.get(object)
    const named = number === undefined ? name : `${name}#${number}`
    return ownerOf({ owner: named, inside })
  }

  /** Where something is kept: the list, if it is one of several. */
  holder(access: Access): string {
    return access.kind === 'append' || access.key.kind === 'entry' || access.key.kind === 'entry of object' ? this.owner(access) : this.full(access)
  }

  /** In the rows: `balance`, if the story is about that alone. */
  short(access: Access): string {
    return (this.#locations.size > 1 ? undefined : shortLabelOf(access)) ?? this.full(access)
  }
}

const partOf = (value: InputValue, part: Path): InputValue => ({ ...value, text: partAt(wholeOf(value), part), whole: undefined })

/** Numbers for the objects of each name that several have. */
function numbersOf(named: ReadonlyMap<string, readonly { readonly object: number }[]>): Map<number, number> {
  const several = [...named.values()].map((same) => [...new Set(same.map(({ object }) => object))]).filter((objects) => objects.length > 1)
  return new Map(several.flatMap((objects) => objects.map((object, index): [number, number] => [object, index + 1])))
}

function looksAtSize(accesses: readonly Access[]): boolean {
  const looks = accesses.filter(({ kind }) => kind === 'read')
  if (looks.length === 0) return accesses.every(changesSize)
  return looks.every(({ look }) => look === 'size')
}

/** Keys have come or gone, as far as the access tells how many there are now. */
const changesSize = ({ kind, key, value }: Access): boolean => key.kind === 'order' && kind === 'write' && value.type === 'number'

/** What has to be told apart: objects of one name, scopes with a variable of one name. */
function nameOf({ owner, inside, key }: Access): string {
  return key.kind === 'variable' ? `variable ${key.name}` : `object ${owner}${inside ? ` ${inside}` : ''}`
}
