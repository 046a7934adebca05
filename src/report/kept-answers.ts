import type { InputAccess, InputKey, InputStep, Place } from './input.ts'

/** State that a package keeps for the user's code, and hands out as a whole when it is asked for it: `store.getState()`. */
export class Answers {
  /** By location: what is called for it. */
  readonly #calls = new Map<number, string>()

  constructor(steps: readonly Pick<InputStep, 'accesses'>[]) {
    for (const { accesses } of steps) {
      for (const { isAnswer, location, calledAt } of accesses) if (isAnswer && calledAt && isPlainCall.test(calledAt.text) && !this.#calls.has(location)) this.#calls.set(location, calledAt.text)
    }
  }

  /** To whoever does not know that code it is done where the user's own code has called it; where code of a package has, as what dispatches for the user once an answer is there, it is the same state. */
  as({ location, calledAt, place }: InputAccess): { readonly key: InputKey; readonly place: Place | undefined } | undefined {
    const call = this.#calls.get(location)
    return call === undefined ? undefined : { key: { kind: 'answer', call }, place: calledAt ?? place }
  }
}

/** What it is called with does not tell which state it is. */
const isPlainCall = /^[\p{L}_$#][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*)*\(\)$/u
