import { Adopting } from './adopting.ts'

/**
 * Ties a promise or a function to what is known of it by a private field on it: no code can see it, and unlike an entry of a
 * WeakMap it costs the garbage collector nothing.
 */
class Tie extends Adopting {
  #known: unknown

  static tie(object: object, known: unknown): void {
    const tied = #known in object ? object : (new Tie(object) as Tie)
    tied.#known = known
  }

  static knownOf(object: object): unknown {
    return #known in object ? object.#known : undefined
  }
}

export const tie: (object: object, known: unknown) => void = Tie.tie
export const tiedTo: (object: object) => unknown = Tie.knownOf
