import { Object, Reflect } from '../../engine/intrinsics.ts'

const iterators: object = Reflect.getPrototypeOf(Reflect.getPrototypeOf([][Symbol.iterator]())!)!

/** An iterator of the platform, or a generator: something with a position that those who share it compete for. */
export function isIterator(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(iterators, value)
}

export interface Walk {
  readonly source: object
  /** It gives keys alone, which come in the order that the source has them in. */
  readonly isOfKeys: boolean
  /** The step in which all of the source was looked at last. */
  seen: number
}

const walks = new WeakMap<object, Walk>()

/** Notes what an iterator of `keys()`, `values()` or `entries()` walks over. */
export function walksOver(iterator: object, source: object, { isOfKeys = false } = {}): void {
  walks.set(iterator, { source, isOfKeys, seen: -1 })
}

/** What an iterator walks over, if that is known. */
export function walkOf(iterator: object): Walk | undefined {
  return walks.get(iterator)
}
