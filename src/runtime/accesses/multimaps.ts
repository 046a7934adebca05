import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { accepts } from '../execution/brands.ts'
import { entry, NAMES, ORDER, type Key } from '../execution/keys.ts'
import { inheritsFromProxy } from '../execution/proxies.ts'
import { each, type Family, type Operation } from './family.ts'
import { named } from './operations.ts'
import { addKey, beforeStateChange, changed, dropKey, seen } from './telling.ts'
import { isIterator, walksOver } from './walks.ts'
import { asPart } from './watching.ts'

/**
 * Names with values, of which one name may have several: the parameters of a URL, headers, the fields of a form. Each name is
 * a location; which there are, and in which order, is another.
 */
export interface Multimap extends Iterable<[string, unknown]> {
  readonly getAll?: (name: string) => unknown[]
}

type Method = (this: unknown, ...args: unknown[]) => any

interface Kind {
  readonly constructor: (abstract new (...args: never[]) => object) | undefined
  /** What names that differ only in this way have in common. */
  readonly nameOf: (name: string) => string
  /** Headers are sorted by name; elsewhere what is put last is last. */
  readonly isSorted: boolean
}

const kinds: readonly Kind[] = [
  { constructor: globalThis.URLSearchParams as Kind['constructor'], nameOf: (name) => name, isSorted: false },
  { constructor: globalThis.FormData as Kind['constructor'], nameOf: (name) => name, isSorted: false },
  { constructor: globalThis.Headers as Kind['constructor'], nameOf: (name) => name.toLowerCase(), isSorted: true },
]

/** A kind, with the platform's own functions: an override of the user's is never run for what is told. */
class Shape {
  readonly kind: Kind
  /** What the platform's own may call of each other. */
  readonly functions: readonly unknown[]
  readonly #entries: Method
  readonly #get: Method
  readonly #isReal: (object: object) => boolean

  constructor(kind: Kind) {
    this.kind = kind
    const prototype = kind.constructor!.prototype as Record<string, Method>
    this.#entries = prototype.entries!
    this.#get = prototype.get!
    this.#isReal = accepts(this.#get, ['a'])
    this.functions = Object.values(Object.getOwnPropertyDescriptors(prototype)).map(({ value, get }) => (value ?? get) as unknown)
  }

  entries(map: object): [string, unknown][] {
    return [...(Reflect.apply(this.#entries, map, []) as Iterable<[string, unknown]>)]
  }

  get(map: object, name: string): unknown {
    return Reflect.apply(this.#get, map, [name])
  }

  /** The names, each once. */
  names(map: object): Set<string> {
    return new Set(this.entries(map).map(([name]) => this.kind.nameOf(name)))
  }

  count(map: object, name: string): number {
    return this.entries(map).filter(([other]) => this.kind.nameOf(other) === name).length
  }

  is(object: unknown): object is object {
    return object instanceof this.kind.constructor! && this.#isReal(object)
  }

  /** The location of which names there are: sorted ones come and go as keys do, others stand in a list. */
  get whole(): Key {
    return this.kind.isSorted ? ORDER : NAMES
  }
}

const shapes = kinds.filter(({ constructor }) => constructor).map((kind) => new Shape(kind))

export function isMultimap(object: object): boolean {
  return !inheritsFromProxy(object) && shapes.some((shape) => shape.is(object))
}

/** All of it is looked at. */
export function readMultimap(execution: Execution, map: object, site: SiteId): void {
  const shape = shapes.find((found) => found.is(map))
  if (!shape) return
  const names = shape.names(map)
  // When a header came does not show among sorted ones.
  execution.accesses.read(execution.identities.of(map), shape.whole, site, shape.entries(map).length, shape.kind.isSorted ? 'size' : 'order')
  for (const name of names) seen(execution, map, entry(name), site, shape.get(map, name))
}

/** Anything of it may change while this runs. */
export function changingMultimap<T>(execution: Execution, { map, site }: { map: object; site: SiteId }, run: () => T): T {
  const shape = shapes.find((found) => found.is(map))
  if (!shape) return run()
  const before = shape.names(map)
  const result = run()
  changed(execution, map, shape.whole, site, shape.entries(map).length)
  for (const name of new Set([...before, ...shape.names(map)])) changed(execution, map, entry(name), site, shape.get(map, name))
  return result
}

/** The name that an operation is given; undefined where finding out would run code of the user's. */
function nameOf({ kind }: Shape, name: unknown): string | undefined {
  if (typeof name === 'symbol' || (typeof name === 'object' && name !== null) || typeof name === 'function') return undefined
  const text = kind.nameOf(String(name))
  return text.isWellFormed() ? text : undefined
}

type Known = { readonly execution: Execution; readonly map: object; readonly key: Key; readonly name: string; readonly site: SiteId }

/** An operation on one name: `told` runs it by `run` and says what it accesses. */
function onName(shape: Shape, told: (known: Known, run: () => unknown) => void, { isChange }: { isChange: boolean }): Operation {
  return (native) => (execution, receiver, args, site) => {
    let result: unknown
    const run = (): unknown => (result = asPart({ receiver, parts: shape.functions }, () => Reflect.apply(native, receiver, args as never[]) as unknown))
    if (!shape.is(receiver)) return run()
    if (isChange) beforeStateChange(execution, receiver)
    const name = nameOf(shape, args[0])
    if (name !== undefined) told({ execution, map: receiver, key: entry(name), name, site }, run)
    else if (isChange) changingMultimap(execution, { map: receiver, site }, run)
    else {
      readMultimap(execution, receiver, site)
      run()
    }
    return isChange ? result : named(execution, result)
  }
}

function operations(shape: Shape): Family['methods'] {
  const { isSorted } = shape.kind
  const lookUp = onName(shape, ({ execution, map, key, site }, run) => seen(execution, map, key, site, run()), { isChange: false })
  const append = onName(
    shape,
    ({ execution, map, key, name, site }, run) => {
      const isNew = shape.count(map, name) === 0
      run()
      if (isSorted) changed(execution, map, key, site, shape.get(map, name))
      // Values that look alike are told apart all the same.
      else execution.accesses.append(execution.identities.of(map), key, site, {})
      if (!isSorted) execution.accesses.append(execution.identities.of(map), shape.whole, site, name)
      else if (isNew) addKey(execution, map, key, site)
    },
    { isChange: true },
  )
  const set = onName(
    shape,
    ({ execution, map, key, name, site }, run) => {
      const before = shape.count(map, name)
      run()
      changed(execution, map, key, site, shape.get(map, name))
      if (before === 0 && isSorted) addKey(execution, map, key, site)
      else if (before === 0) execution.accesses.append(execution.identities.of(map), shape.whole, site, name)
      else if (before > 1) changed(execution, map, shape.whole, site, name)
    },
    { isChange: true },
  )
  const remove = onName(
    shape,
    ({ execution, map, key, name, site }, run) => {
      const before = shape.count(map, name)
      run()
      const after = shape.count(map, name)
      if (before === after) seen(execution, map, key, site, before)
      else changed(execution, map, key, site, after)
      if (before === 1 && after === 0 && isSorted) dropKey(execution, map, key, site)
      else if (before !== after) changed(execution, map, shape.whole, site, name)
    },
    { isChange: true },
  )
  return {
    ...each(['get', 'getAll', 'has'], lookUp),
    append,
    set,
    delete: remove,
    ...each(['entries', 'keys', 'values', 'forEach', 'toString', Symbol.iterator], all(shape)),
    getSetCookie: all(shape),
    sort: sorting(shape),
  }
}

/** Looks at all of it, at once or step by step. */
const all = (shape: Shape): Operation => (native) => (execution, receiver, args, site) => {
  if (shape.is(receiver)) readMultimap(execution, receiver, site)
  const result: unknown = named(execution, Reflect.apply(native, receiver, args as never[]))
  if (isIterator(result) && shape.is(receiver)) walksOver(result, receiver)
  return result
}

const sorting = (shape: Shape): Operation => (native) => (execution, receiver, args, site) => {
  if (shape.is(receiver)) {
    beforeStateChange(execution, receiver)
    changed(execution, receiver, shape.whole, site, shape.entries(receiver).length)
  }
  return Reflect.apply(native, receiver, args as never[])
}

const size = (shape: Shape): Operation => (native) => (execution, receiver, args, site) => {
  const result = Reflect.apply(native, receiver, args as never[])
  if (shape.is(receiver)) execution.accesses.read(execution.identities.of(receiver), shape.whole, site, result, 'size')
  return result
}

export const multimaps: readonly Family[] = shapes.map((shape) => ({
  holder: shape.kind.constructor!.prototype as object,
  methods: operations(shape)!,
  getters: { size: size(shape) },
  isWatched: true,
}))
