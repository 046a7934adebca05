import { Array, ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isMap, isSet, memoryOf } from './brands.ts'
import { describePlace } from './errors.ts'
import type { ObjectId } from './identity.ts'
import { putInOrder } from './key-order.ts'
import { noop } from './native.ts'
import { saveState } from './restorers.ts'
import { SavedParts } from './saved-parts.ts'
import { isInPackage, placeOf } from './sources.ts'
import type { Undo } from './undo.ts'

/** Changes to state that is older than the execution, to be undone before the next one. */
export class Journal {
  readonly #undo: (() => void)[] = []
  readonly #saved = new Set<object>()
  readonly #savedParts = new SavedParts()
  readonly #savedProperties = new SavedParts()
  readonly #savedVariables = new SavedParts()
  /** Of objects of which a property goes: what keys they had, in their order. */
  readonly #orders = new Map<object, { readonly keys: readonly PropertyKey[]; readonly isOlder: boolean }>()
  readonly #failed: string[] = []
  /** What may not succeed. */
  readonly #unsure: { readonly wouldFail: () => boolean; readonly failed: () => void }[] = []
  readonly #frozen: { readonly object: object; readonly site: SiteId }[] = []
  readonly #here: () => SiteId
  readonly #staying: (() => void)[] = []

  /** @param here where the program is */
  constructor(here: () => SiteId) {
    this.#here = here
  }

  /** Before a variable changes, by the identity of its scope. The first time saves it. */
  variable(scope: ObjectId, name: string, undo: () => void): void {
    if (this.#savedVariables.add(scope, name)) this.#undo.push(undo)
  }

  /** Before a property of an object changes; the first time saves it. Of one that is not known to be older, what cannot be put back need not be. */
  property(object: object, key: PropertyKey, { isOlder }: { isOlder: boolean }): void {
    if (!this.#savedProperties.add(object, key)) return
    const before = Object.getOwnPropertyDescriptor(object, key)
    const site = this.#here()
    this.#undo.push(() => {
      const done = before ? Reflect.defineProperty(object, key, before) : Reflect.deleteProperty(object, key)
      if (!done && isOlder) this.#hasFailed(`${String(key)} of ${article(classOf(object))}`, site)
    })
  }

  /** Before a property of an object goes, which would come last if it is put back. */
  order(object: object, { isOlder }: { isOlder: boolean }): void {
    if (!this.#orders.has(object)) this.#orders.set(object, { keys: Reflect.ownKeys(object), isOlder })
  }

  /** Before more than one entry of an old Map, Set, array or buffer changes, or one goes; the first time saves all of it. Of one that is not known to be older, what cannot be put back need not be. */
  contents(collection: object, { isOlder }: { isOlder: boolean }): void {
    if (this.#saved.has(collection)) return
    this.#saved.add(collection)
    const undo = copyOf(collection)
    const site = this.#here()
    this.#undo.push(() => {
      if (undo() === false && isOlder) this.#hasFailed('the bytes of an ArrayBuffer that was handed over', site)
    })
  }

  /** Before a key of an old Map or Set gets a value: it stays where it is, or comes last. The first time saves the entry. */
  entry(collection: Map<unknown, unknown> | Set<unknown>, key: unknown): void {
    this.part(collection, key, () => {
      if (!isMap(collection)) return Set.prototype.has.call(collection, key) ? noop : () => void Set.prototype.delete.call(collection, key)
      if (!Map.prototype.has.call(collection, key)) return () => void Map.prototype.delete.call(collection, key)
      const before: unknown = Map.prototype.get.call(collection, key)
      return () => void Map.prototype.set.call(collection, key, before)
    })
  }

  /** Before one element of an old array changes, comes or goes, while the others stay where they are. The first time saves it. */
  element(array: unknown[], index: number): void {
    this.part(array, 'length', () => {
      const { length } = array
      const endsInHole = length > 0 && !Object.hasOwn(array, length - 1)
      return () => {
        // What code that ran outside of any step has taken away meanwhile stays away: no hole comes in its place.
        if (array.length > length || endsInHole) Reflect.set(array, 'length', length)
      }
    })
    if (index >= array.length) return
    this.part(array, index, () => {
      const before = Reflect.getOwnPropertyDescriptor(array, index)
      return () => void (before ? Reflect.defineProperty(array, index, before) : Reflect.deleteProperty(array, index))
    })
  }

  /**
   * Before the internal state of an object changes, such as the listeners of an EventEmitter. Of one that is not known to be
   * older, what cannot be put back need not be.
   */
  state(object: object, { isOlder }: { isOlder: boolean }): void {
    if (this.#saved.has(object)) return
    this.#saved.add(object)
    const undo = saveState(object)
    const site = this.#here()
    const failed = (): void => {
      if (isOlder) this.#losesState(object, site)
    }
    if (!undo) return failed()
    const { wouldFail } = undo
    if (wouldFail && isOlder) this.#unsure.push({ wouldFail, failed })
    this.#undo.push(() => {
      if (undo() === false) failed()
    })
  }

  /**
   * Before an object is fixed at `site`, which nobody can undo. What was changed before stays so as well, and is lost. A package that freezes what it is given means no more by it than that
   * nobody changes it from then on; the program may do something once alone that way.
   */
  fixes(object: object, { isOlder, site }: { isOlder: boolean; site: SiteId }): void {
    if (!isOlder) return
    const hasChanged = this.#saved.has(object) || this.#savedParts.has(object) || this.#savedProperties.has(object) || this.#orders.has(object)
    this.#saved.add(object)
    const here = this.#here()
    if (hasChanged || !isInPackage(site)) this.#losesState(object, here)
    else this.#frozen.push({ object, site: here })
  }

  /** Whether nothing is lost but that packages have frozen older objects: all may be done once more, and finds them so. */
  get hasFrozenAlone(): boolean {
    return this.#frozen.length > 0 && this.#failed.length === 0 && this.#frozen.every(({ object }) => Object.isFrozen(object))
  }

  /** What is frozen stays so. */
  leavesFrozen(): void {
    this.#frozen.length = 0
  }

  /** Before one part of an object's internal state changes, such as the listeners for one event; saved the first time. */
  part(object: object, part: unknown, save: () => Undo): void {
    if (this.#saved.has(object) || !this.#savedParts.add(object, part)) return
    this.#undo.push(save())
  }

  /** Any other change. */
  change(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** To be done if nothing of it is undone. */
  whereItStays(work: () => void): void {
    this.#staying.push(work)
  }

  /** What has changed stays so; returns the names of what could not have been undone. */
  keep(): readonly string[] {
    for (const work of this.#staying.splice(0)) work()
    for (const { wouldFail, failed } of this.#unsure.splice(0)) if (wouldFail()) failed()
    return this.#failed
  }

  /** Something older was changed that nobody can put back. */
  loses(what: string): void {
    this.#hasFailed(what, this.#here())
  }

  /** The next execution would find something that this one has changed. */
  get hasLost(): boolean {
    return this.#failed.length > 0 || this.#unsure.some(({ wouldFail }) => wouldFail())
  }

  get isEmpty(): boolean {
    return this.#undo.length === 0
  }

  #hasFailed(what: string, site: SiteId): void {
    const place = placeOf(site)
    this.#failed.push(place ? `${what}, changed at ${describePlace(place)}` : what)
  }

  #losesState(object: object, site: SiteId): void {
    this.#hasFailed(`the state of ${article(classOf(object))}`, site)
  }

  /** Undoes everything, last change first; returns the names of what could not be undone. */
  undo(): readonly string[] {
    for (let i = this.#undo.length - 1; i >= 0; i--) this.#undo[i]!()
    this.#undo.length = 0
    for (const [object, { keys, isOlder }] of this.#orders) if (!putInOrder(object, keys) && isOlder) this.#failed.push(`the order of what is in ${article(classOf(object))}`)
    this.#orders.clear()
    for (const { object, site } of this.#frozen.splice(0)) this.#losesState(object, site)
    return this.#failed
  }
}

function classOf(object: object): string {
  return typeof object.constructor === 'function' ? object.constructor.name : 'generator'
}

function article(name: string): string {
  return /^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`
}

/** False if the bytes are somebody else's now. */
function putBack(copy: Uint8Array, bytes: () => Uint8Array): boolean {
  try {
    bytes().set(copy)
    return true
  } catch {
    return false
  }
}

function bytesOf(bytes: Uint8Array): Undo {
  const copy = bytes.slice()
  return () => putBack(copy, () => bytes)
}

function bufferOf(buffer: ArrayBuffer): Undo {
  const copy = new Uint8Array(buffer).slice()
  return () =>
    putBack(copy, () => {
      if (buffer.resizable) buffer.resize(copy.length)
      return new Uint8Array(buffer)
    })
}

function copyOf(collection: object): Undo {
  if (isMap(collection)) {
    const entries = [...Map.prototype.entries.call(collection)]
    return () => {
      Map.prototype.clear.call(collection)
      for (const [key, value] of entries) Map.prototype.set.call(collection, key, value)
    }
  }
  if (isSet(collection)) {
    const values = [...Set.prototype.values.call(collection)]
    return () => {
      Set.prototype.clear.call(collection)
      for (const value of values) Set.prototype.add.call(collection, value)
    }
  }
  if (ArrayBuffer.isView(collection)) return bytesOf(memoryOf(collection))
  if (!Array.isArray(collection)) return bufferOf(collection as ArrayBuffer)
  const array = collection as unknown[]
  const { length } = array
  // A copy by `slice` would call the constructor of a subclass.
  const items: (readonly [number, unknown])[] = []
  // Most of a vast one must be holes.
  if (length > 1_000_000) for (const key of Object.keys(array).filter((name) => /^\d+$/.test(name))) items.push([Number(key), array[Number(key)]])
  else for (let i = 0; i < length; i++) if (Object.hasOwn(array, i)) items.push([i, array[i]])
  return () => {
    // One that the program has frozen stays as it is.
    if (!Reflect.set(array, 'length', 0)) return
    for (const [index, item] of items) array[index] = item
    array.length = length
  }
}
