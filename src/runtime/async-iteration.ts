import type { SiteId } from '../engine/ids.ts'
import { run, suspend } from './async-call.ts'
import { running } from './execution.ts'

/** `async function*`: each request for a value is a call of its own, so that awaits inside belong to somebody. */
export function generate<T>(generator: AsyncGenerator<T>, name: string, site: SiteId): AsyncGenerator<T> {
  const { next, return: end, throw: fail } = generator
  const controlled = {
    next: (...args: [] | [unknown]) => run(() => Reflect.apply(next, generator, args), name, site),
    return: (value?: unknown) => run(() => Reflect.apply(end, generator, [value]), name, site),
    throw: (error?: unknown) => run(() => Reflect.apply(fail, generator, [error]), name, site),
  }
  // The generator keeps its prototype, so that `instanceof` and inherited helpers go on working.
  for (const [key, value] of Object.entries(controlled)) {
    Object.defineProperty(generator, key, { value, configurable: true, writable: true, enumerable: false })
  }
  return generator
}

/** `for await (x of e)`: waiting for the next value is an `await` like any other. */
export function iterateAsync(iterable: unknown, site: SiteId): unknown {
  if (running === null || iterable === null || iterable === undefined) return iterable
  const source = iterable as { [Symbol.asyncIterator]?: () => AsyncIterator<unknown>; [Symbol.iterator]?: () => Iterator<unknown> }
  const make = source[Symbol.asyncIterator]
  if (typeof make === 'function') {
    return {
      [Symbol.asyncIterator]() {
        const iterator = Reflect.apply(make, source, []) as AsyncIterator<unknown>
        const wrapped: AsyncIterator<unknown> = { next: () => suspended(iterator.next(), site) }
        if (iterator.return) wrapped.return = (value) => suspended(iterator.return!(value), site)
        return wrapped
      },
    }
  }
  if (typeof source[Symbol.iterator] !== 'function') return iterable
  return {
    async *[Symbol.asyncIterator]() {
      for (const value of source as Iterable<unknown>) yield await suspend(value, site)
    },
  }
}

function suspended(value: unknown, site: SiteId): Promise<IteratorResult<unknown>> {
  return Promise.resolve(suspend(value, site)) as Promise<IteratorResult<unknown>>
}
