import { Adopting } from './adopting.ts'
import type { ObjectId } from './identity.ts'

/** What an object is called, and in which execution, in private fields on it: unlike entries of a WeakMap they cost the garbage collector nothing. */
class NameTag extends Adopting {
  #execution = 0
  #name: ObjectId = 0
  /** The first execution that has made it, or 0. */
  #maker = 0

  static put(object: object, execution: number, name: ObjectId, isMade: boolean): boolean {
    try {
      const tagged = #name in object ? object : (new NameTag(object) as NameTag)
      tagged.#execution = execution
      tagged.#name = name
      if (isMade && tagged.#maker === 0) tagged.#maker = execution
      return true
    } catch {
      return false
    }
  }

  static nameOf(object: object, execution: number): ObjectId | undefined {
    return #name in object && object.#execution === execution ? object.#name : undefined
  }

  static makerOf(object: object): number {
    return #name in object ? object.#maker : 0
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

  /** @param isMade whether the execution has made it, and not only found */
  set(object: object, name: ObjectId, isMade: boolean): void {
    if (!NameTag.put(object, this.#execution, name, isMade)) (this.#others ??= new WeakMap()).set(object, name)
  }

  /** Whether an execution before has made it. */
  isOfEarlier(object: object): boolean {
    const maker = NameTag.makerOf(object)
    return maker !== 0 && maker !== this.#execution
  }
}
