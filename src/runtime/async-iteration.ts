import type { SiteId } from '../engine/ids.ts'
import { run, suspend } from './async-call.ts'
import type { Elements } from './emitted.ts'
import { running } from './execution.ts'
import { recordElement } from './patterns.ts'
import { changeState } from './stateful.ts'

/** `async function*`: each request for a value is a call of its own, so that awaits inside belong to somebody. */
export function generate<T>(generator: AsyncGenerator<T>, name: string, site: SiteId): AsyncGenerator<T> {
  const { next, return: end, throw: fail } = generator
  running?.identities.made(generator)
  const request = (ask: () => Promise<IteratorResult<T>>): Promise<IteratorResult<T>> => {
    if (running) changeState(running, generator, site)
    return run(ask, name, site)
  }
  const controlled = {
    next: (...args: [] | [unknown]) => request(() => Reflect.apply(next, generator, args)),
    return: (value?: unknown) => request(() => Reflect.apply(end, generator, [value])),
    throw: (error?: unknown) => request(() => Reflect.apply(fail, generator, [error])),
  }
  // The generator keeps its prototype, so that `instanceof` and inherited helpers go on working.
  for (const [key, value] of Object.entries(controlled)) {
    Object.defineProperty(generator, key, { value, configurable: true, writable: true, enumerable: false })
  }
  return generator
}

/** `for await (x of e)`: waiting for the next value is an `await` like any other. */
export function iterateAsync(iterable: unknown, site: SiteId, elements?: Elements): unknown {
  if (running === null || iterable === null || iterable === undefined) return iterable
  const source = iterable as { [Symbol.asyncIterator]?: () => AsyncIterator<unknown>; [Symbol.iterator]?: () => Iterator<unknown> }
  const make = source[Symbol.asyncIterator]
  if (typeof make === 'function') {
    return {
      [Symbol.asyncIterator]() {
        const iterator = Reflect.apply(make, source, []) as AsyncIterator<unknown>
        const taken = (result: IteratorResult<unknown>): IteratorResult<unknown> => {
          if (running !== null && elements && !result.done) recordElement(running, result.value, { elements, position: 0 })
          return result
        }
        const wrapped: AsyncIterator<unknown> = {
          next: elements
            ? async () => taken(await suspended(iterator.next(), site))
            : () => suspended(iterator.next(), site),
        }
        if (iterator.return) wrapped.return = (value) => suspended(iterator.return!(value), site)
        return wrapped
      },
    }
  }
  if (typeof source[Symbol.iterator] !== 'function') return iterable
  return {
    async *[Symbol.asyncIterator]() {
      for (const item of source as Iterable<unknown>) {
        const value = await suspend(item, site)
        if (running !== null && elements) recordElement(running, value, { elements, position: 0 })
        yield value
      }
    },
  }
}

function suspended(value: unknown, site: SiteId): Promise<IteratorResult<unknown>> {
  return Promise.resolve(suspend(value, site)) as Promise<IteratorResult<unknown>>
}
