import { Array, KeptMap, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Identities, ObjectId } from './identity.ts'
import type { Key } from './keys.ts'
import { isProxy } from './proxies.ts'
import { isInPackage, placeOf } from './sources.ts'
import type { ToldAccess } from './told-access.ts'

/** What a reader calls the value, and what gives it another one. */
type PairKey = Key & { readonly kind: 'variable' }

interface Pair {
  readonly object: ObjectId
  readonly key: PairKey
  /** The value, as far as it is known. */
  value: unknown
}

/** Writes accesses down. */
interface Telling {
  access(told: ToldAccess): void
  /** How many there are of the running step. */
  readonly accessCount: number
  /** Those of the running step from a number on. */
  accessesFrom(number: number): readonly Pick<ToldAccess, 'key' | 'site'>[]
  /** None of these is told, from a number to another one. */
  withhold(from: number, to: number): void
}

/**
 * Values that packages keep for the user's code, which has a name for each and a function that gives it another one: `const [text, setText] = useState('')`.
 * Where and how a package keeps it is its own affair: to a reader it is a variable, that is read in functions which use it, and written where that function is called.
 */
export class SetterPairs {
  readonly #pairs = new KeptMap<unknown, Pair>()
  /** By the place where pairs are taken: how many there are. */
  readonly #counts = new KeptMap<SiteId, number>()
  readonly #identities: Identities
  readonly #telling: Telling

  constructor(identities: Identities, telling: Telling) {
    this.#identities = identities
    this.#telling = telling
  }

  has(setter: unknown): boolean {
    return this.#pairs.has(setter)
  }

  /** A list is taken apart: what there is of a pair in it is named at the place. That is no look of anybody who acts by it: components ask for all that they have whenever they show anything. */
  taken(list: unknown, site: SiteId): void {
    const name = isProxy(list) || !Array.isArray(list) || list.length !== 2 ? undefined : placeOf(site)?.name
    if (name === undefined) return
    const [value, setter] = [0, 1].map((index): unknown => Reflect.getOwnPropertyDescriptor(list as object, index)?.value)
    if (typeof setter !== 'function') return
    const pair = this.#pairs.get(setter)
    if (pair) pair.value = value
    else this.#pairs.set(setter, { ...this.#named(name, site), value })
  }

  #named(names: string, site: SiteId): Pick<Pair, 'object' | 'key'> {
    const [name, setter] = names.split(' ') as [string, string]
    const count = this.#counts.get(site) ?? 0
    this.#counts.set(site, count + 1)
    return { object: this.#identities.named(`pair ${count} at ${site}`), key: { kind: 'variable', name: name || setter, setter } }
  }

  /** A function looks at what was found there when it was made. */
  read(setter: unknown, value: unknown, site: SiteId): void {
    const pair = this.#pairs.get(setter)
    if (!pair) return
    pair.value = value
    this.#look(pair, site)
  }

  /** The setter is called. One that is the user's own, who keeps the value by means of another pair or otherwise, is told of by what it does. */
  set<T>(setter: unknown, value: unknown, site: SiteId, run: () => T): T {
    const pair = this.#pairs.get(setter)!
    const from = this.#telling.accessCount
    // What it makes of the value that is there then is an update of that.
    if (typeof value === 'function') this.#look(pair, site)
    this.#telling.access({ kind: 'write', value, ...this.#located(pair), site })
    const to = this.#telling.accessCount
    try {
      return run()
    } finally {
      const inside = this.#telling.accessesFrom(to)
      if (!inside.some((access) => access.key.kind === 'opaque' || isInPackage(access.site)) || inside.some((access) => isOfPair(access.key) && isInPackage(access.site) === isInPackage(site))) this.#telling.withhold(from, to)
      // What a package keeps for that is its own affair.
      else if (!isInPackage(site)) for (const [i, { key }] of inside.entries()) if (isOfPair(key)) this.#telling.withhold(to + i, to + i + 1)
    }
  }

  #look(pair: Pair, site: SiteId): void {
    this.#telling.access({ kind: 'read', value: pair.value, look: 'value', ...this.#located(pair), site })
  }

  #located({ object, key }: Pair): Pick<ToldAccess, 'location' | 'object' | 'key'> {
    return { location: this.#identities.location(object, key), object, key }
  }
}

const isOfPair = (key: Key): boolean => key.kind === 'variable' && key.setter !== undefined
