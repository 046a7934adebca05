import type { Rejection } from './process.ts'

/** Rejected promises that nothing controlled handles so far. */
export class Suspects {
  readonly #keepsTurns: boolean
  readonly #all: Rejection[] = []

  /** `keepsTurns`: they are told of when a turn of the event loop has ended. */
  constructor({ keepsTurns }: { readonly keepsTurns: boolean }) {
    this.#keepsTurns = keepsTurns
  }

  get areThere(): boolean {
    return this.#all.length > 0
  }

  /** Whether one still has no handler. */
  get areOpen(): boolean {
    return this.#all.length > 0 && this.#all.some(({ handled }) => !handled)
  }

  /** A promise was rejected, and nothing handles that so far. */
  add(rejection: Rejection): void {
    this.#all.push(rejection)
  }

  /** It is for others to tell of this one: whether it was suspected so far. */
  remove(rejection: Rejection): boolean {
    const index = this.#keepsTurns ? -1 : this.#all.indexOf(rejection)
    if (index >= 0) this.#all.splice(index, 1)
    return index >= 0
  }

  /** One of which Node has told is handled after all: when the turn has ended it tells of that as well. */
  handledLate({ value }: Rejection): void {
    this.#all.push({ handled: false, value })
  }

  /** A turn of the event loop shows which of them code that we cannot see handles; the others are then told of. Whether there are such. */
  tell(): boolean {
    if (this.#all.length === 0) return false
    const unhandled = this.#all.splice(0).filter(({ handled }) => !handled)
    for (const rejection of unhandled) rejection.isTold = true
    return unhandled.length > 0
  }
}
