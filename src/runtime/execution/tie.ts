// oxlint-disable-next-line typescript/no-extraneous-class
const Adopting = class {
  constructor(promise: object) {
    // oxlint-disable-next-line no-constructor-return
    return promise
  }
} as new (promise: object) => object

/**
 * Ties a promise to what is known of it by a private field on the promise: no code can see it, and unlike an entry of a
 * WeakMap it costs the garbage collector nothing.
 */
class Tie extends Adopting {
  #known: unknown

  static tie(promise: object, known: unknown): void {
    const tied = #known in promise ? promise : (new Tie(promise) as Tie)
    tied.#known = known
  }

  static knownOf(promise: object): unknown {
    return #known in promise ? promise.#known : undefined
  }
}

export const tie: (promise: object, known: unknown) => void = Tie.tie
export const tiedTo: (promise: object) => unknown = Tie.knownOf
