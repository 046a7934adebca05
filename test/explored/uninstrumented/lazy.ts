import { readFile } from 'node:fs'

/** Begins to read only when somebody waits for it, as requests of some clients and queries of some builders do. */
class Lazy {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  // oxlint-disable-next-line no-thenable -- as those clients have it
  then(resolve: (length: number) => void, reject: (error: unknown) => void): void {
    readFile(this.#file, 'utf8', (error, text) => (error ? reject(error) : resolve(text.length)))
  }
}

export const lengthOf = (file: string): PromiseLike<number> => new Lazy(file) as unknown as PromiseLike<number>

/** Settled at once, or some microtasks later. */
export const settledIn = (microtasks: number, value: unknown): PromiseLike<unknown> => {
  const then = (resolve: (value: unknown) => void, left = microtasks): void => {
    if (left === 0) resolve(value)
    else void Promise.resolve().then(() => then(resolve, left - 1))
  }
  // oxlint-disable-next-line no-thenable -- the same
  return { then: (resolve: (value: unknown) => void) => then(resolve) } as unknown as PromiseLike<unknown>
}
