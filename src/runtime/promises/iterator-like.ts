import { asRuntime, calledByProgram } from '../execution/replaced-tools.ts'

export type Result = IteratorResult<unknown>
export type Method = (this: unknown, ...args: unknown[]) => unknown
export type Key = 'next' | 'return' | 'throw'

/** How an iteration tells what it looks at. */
export interface Telling {
  /** What to go through in the place of an iterable that is not async. */
  readonly walk: (iterable: Iterable<unknown>) => Iterable<unknown>
  /** Looks for a method. */
  readonly method: (object: object, name: PropertyKey) => unknown
  /** Told of each value that is yielded. */
  readonly taken?: ((value: unknown) => void) | undefined
}

/** An iterator whose methods are looked up as the language does: `next` once, the others when they are needed. */
export function iteratorLike(iterator: object, find: Telling['method'], call: (method: Method, args: unknown[], key: Key) => Promise<Result>): AsyncIterator<unknown> {
  const next = find(iterator, 'next') as Method
  const optional = (key: Key): ((...args: unknown[]) => Promise<Result>) | undefined => {
    const method = find(iterator, key) as Method | null | undefined
    return method === undefined || method === null ? undefined : calledByProgram((...args) => call(method, args, key))
  }
  return {
    next: calledByProgram((...args: unknown[]) => call(next, args, 'next')),
    get return() {
      return asRuntime(() => optional('return'))
    },
    get throw() {
      return asRuntime(() => optional('throw'))
    },
  } as AsyncIterator<unknown>
}

export function told(result: Result, { taken }: Telling): Result {
  if (taken && !result.done) taken(result.value)
  return result
}
