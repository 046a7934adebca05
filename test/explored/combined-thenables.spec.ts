import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'

class Special<T> extends Promise<T> {}

class Thenable implements PromiseLike<number> {
  // oxlint-disable-next-line no-thenable
  then(resolve: ((value: number) => unknown) | null | undefined): never {
    return resolve!(0) as never
  }
}

/** No `await` stands here, which would be an answer in this file. */
function microtasksOf(promise: Promise<unknown>): Promise<number> {
  let isOver = false
  let count = 0
  void promise.then(() => (isOver = true))
  return new Promise((done) => {
    const next = (): void => {
      if (isOver) return done(count)
      count++
      queueMicrotask(next)
    }
    queueMicrotask(next)
  })
}

dporTest('combinators of any class take as many microtasks for a thenable', { interleave: 'event-loop' }, async () => {
  const [own, special] = [await microtasksOf(Promise.all([new Thenable(), 1])), await microtasksOf(Special.all([new Thenable(), 1]))]
  expect(special).toBe(own)
})
