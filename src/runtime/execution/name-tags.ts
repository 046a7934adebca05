import { Adopting } from './adopting.ts'
import type { ObjectId } from './identity.ts'

/** What an object is called, and in which execution, in private fields on it: unlike entries of a WeakMap they cost the garbage collector nothing. */
class NameTag extends Adopting {
  #execution = 0
  #name: ObjectId = 0

  static put(object: object, execution: number, name: ObjectId): boolean {
    try {
      const tagged = #name in object ? object : (new NameTag(object) as NameTag)
      tagged.#execution = execution
      tagged.#name = name
      return true
    } catch {
      return false
    }
  }

  static nameOf(object: object, execution: number): ObjectId | undefined {
    return #name in object && object.#execution === execution ? object.#name : undefined
  }
}

/** The names of the objects of one execution. No two executions have the same number. */
export class ObjectNames {
  readonly #execution: number
  /** Of objects that take no private field. */
  #others: WeakMap<object, ObjectId> | undefined

  constructor(execution: number) {
    this.#execution = execution
  }

  get(object: object): ObjectId | undefined {
    return NameTag.nameOf(object, this.#execution) ?? this.#others?.get(object)
  }

  has(object: object): boolean {
    return this.get(object) !== undefined
  }

  set(object: object, name: ObjectId): void {
    if (!NameTag.put(object, this.#execution, name)) (this.#others ??= new WeakMap()).set(object, name)
  }
}
