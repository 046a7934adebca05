import type { LocationId, ProcessId } from '../engine/ids.ts'

/** Identity of an object, equal in every execution that shares the steps which led to it (DESIGN: identity). */
export type ObjectId = number & { readonly __object?: never }

/** Keys of locations that are not properties. */
export const SETTLED = Symbol('settled')
export const HANDLED = Symbol('handled')
export const KEYS = Symbol('keys')
export const FIRED = Symbol('fired')

/** Numbers of objects that instrumented code made outside any execution: they keep one identity for ever. */
const permanent = new WeakMap<object, number>()
let permanentCount = 0

/** Names an object that outlives executions. */
export function namePermanently(object: object): void {
  if (!permanent.has(object)) permanent.set(object, ++permanentCount)
}

/** Whether instrumented code made the object outside any execution. */
export function isPermanent(object: object): boolean {
  return permanent.has(object)
}

interface Construction {
  readonly prototype: unknown
  id: ObjectId | undefined
}

/**
 * The names of objects and locations in one exploration. An object made by instrumented code is
 * named by the process and step that made it and a counter; one that it did not make is merged with
 * all of its class, because a false conflict costs an execution and a missed one hides a bug.
 */
export class Identities {
  #objects = new WeakMap<object, ObjectId>()
  readonly #made = new Map<number, ObjectId[]>()
  readonly #named = new Map<string, ObjectId>()
  readonly #locations: Map<PropertyKey, LocationId>[] = []
  readonly #outlives: boolean[] = []
  #locationCount = 0
  #row: ObjectId[] = []
  #counter = 0
  #constructions: Construction[] = []

  beginExecution(): void {
    this.#objects = new WeakMap()
    this.#constructions = []
  }

  /** @param process -1 for code that runs alone, before and after the explored part */
  beginStep(process: ProcessId | -1, step: number): void {
    const key = (process + 1) * 2 ** 24 + step
    let row = this.#made.get(key)
    if (!row) this.#made.set(key, (row = []))
    this.#row = row
    this.#counter = 0
    this.#constructions.length = 0
  }

  /** A name for something made just now by the running step. */
  fresh(): ObjectId {
    const index = this.#counter++
    return (this.#row[index] ??= this.#newObject(false))
  }

  /** A name from text: for what has the same name in every execution. */
  named(name: string): ObjectId {
    let id = this.#named.get(name)
    if (id === undefined) this.#named.set(name, (id = this.#newObject(true)))
    return id
  }

  /** Names an object that the running step made, unless it has a name. */
  made(object: object): void {
    if (!this.#objects.has(object)) this.#objects.set(object, this.fresh())
  }

  /** Names an object after the one it was found in. */
  derive(object: object, parent: ObjectId, key: PropertyKey): void {
    if (typeof object === 'function' || this.#objects.has(object) || permanent.has(object)) return
    this.#objects.set(object, this.named(`${parent}.${String(key)}`))
  }

  beginConstruction(prototype: unknown): void {
    this.#constructions.push({ prototype, id: undefined })
  }

  endConstruction(): ObjectId | undefined {
    return this.#constructions.pop()?.id
  }

  assign(object: object, id: ObjectId): void {
    this.#objects.set(object, id)
  }

  has(object: object): boolean {
    return this.#objects.has(object)
  }

  of(object: object): ObjectId {
    let id = this.#objects.get(object)
    if (id === undefined) this.#objects.set(object, (id = this.#nameFound(object)))
    return id
  }

  /** Whether the object may be older than this execution, so that changes to it must be undone. */
  outlives(object: object): boolean {
    return this.#outlives[this.of(object)] === true
  }

  location(object: ObjectId, key: PropertyKey): LocationId {
    const keys = this.#locations[object]!
    const plain = typeof key === 'symbol' ? (inner.has(key) ? key : `@@${key.description ?? ''}`) : key
    let location = keys.get(plain)
    if (location === undefined) keys.set(plain, (location = this.#locationCount++ as LocationId))
    return location
  }

  #newObject(outlives: boolean): ObjectId {
    const id = this.#locations.length as ObjectId
    this.#locations.push(new Map())
    this.#outlives.push(outlives)
    return id
  }

  #nameFound(object: object): ObjectId {
    const number = permanent.get(object)
    if (number !== undefined) return this.named(`old ${number}`)
    if (typeof object === 'function') return this.named(`function ${textOf(object)}`)
    const prototype: unknown = Object.getPrototypeOf(object)
    for (let i = this.#constructions.length - 1; i >= 0; i--) {
      const construction = this.#constructions[i]!
      if (construction.id === undefined && construction.prototype === prototype) {
        return (construction.id = this.fresh())
      }
    }
    return this.named(`any ${className(prototype)}`)
  }
}

const inner = new Set<symbol>([SETTLED, HANDLED, KEYS, FIRED])
const texts = new WeakMap<object, string>()

function textOf(fn: object): string {
  let text = texts.get(fn)
  if (text === undefined) texts.set(fn, (text = Function.prototype.toString.call(fn)))
  return text
}

function className(prototype: unknown): string {
  const constructor = (prototype as { constructor?: unknown } | null)?.constructor
  return typeof constructor === 'function' ? constructor.name : 'null'
}
