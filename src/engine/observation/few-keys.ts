import { Number } from '../intrinsics.ts'

/** Keys that a list is quicker for than a table. */
const mostListed = 8

const none: readonly unknown[] = []

/** A set of keys, in the order in which they came; equal are those that are to a Map. Mostly there are one or two. */
export class FewKeys {
  #listed = none
  #all: Set<unknown> | undefined

  get size(): number {
    return this.#all?.size ?? this.#listed.length
  }

  has(key: unknown): boolean {
    return this.#all ? this.#all.has(key) : this.#listed.includes(key)
  }

  add(key: unknown): void {
    if (this.has(key)) return
    if (!this.#all && this.#listed.length < mostListed) {
      this.#listed = [...this.#listed, key]
      return
    }
    this.#all ??= new Set(this.#listed)
    this.#all.add(key)
  }

  delete(key: unknown): void {
    if (this.#all) this.#all.delete(key)
    else if (this.#listed.includes(key)) this.#listed = this.#listed.filter((other) => !isSameKey(other, key))
  }

  /** All of them. Not to be changed. */
  get list(): readonly unknown[] {
    return this.#all ? [...this.#all] : this.#listed
  }
}

/** Whether two keys are one to a Map. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other))
}

/** Something for each of some keys. */
export class KeyedFew<V> {
  #keys: unknown[] = []
  #values: V[] = []
  #all: Map<unknown, V> | undefined

  get(key: unknown): V | undefined {
    if (this.#all) return this.#all.get(key)
    for (let i = 0; i < this.#keys.length; i++) if (isSameKey(this.#keys[i], key)) return this.#values[i]
    return undefined
  }

  clear(): void {
    this.#keys = []
    this.#values = []
    this.#all = undefined
  }

  /** The key is a new one. */
  add(key: unknown, value: V): void {
    if (!this.#all && this.#keys.length < mostListed) {
      this.#keys.push(key)
      this.#values.push(value)
      return
    }
    this.#all ??= new Map(this.#keys.map((known, i) => [known, this.#values[i] as V]))
    this.#all.set(key, value)
  }
}
