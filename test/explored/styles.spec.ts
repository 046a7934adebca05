import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

interface Counter {
  n: number
}

/** One read and one later write of a counter, in the styles that JavaScript is written in. */
const styles: Record<string, (c: Counter) => unknown> = {
  'async and await': async (c) => {
    const v = c.n
    await null
    c.n = v + 1
  },
  'await of a settled promise': async (c) => {
    const v = c.n
    await Promise.resolve()
    c.n = v + 1
  },
  'promise chains': (c) => {
    const v = c.n
    return Promise.resolve().then(() => {
      c.n = v + 1
    })
  },
  'new Promise': (c) => {
    const v = c.n
    return new Promise<void>((resolve) => resolve()).then(() => {
      c.n = v + 1
    })
  },
  callbacks: (c) => {
    const v = c.n
    return new Promise<void>((resolve) => {
      queueMicrotask(() => {
        c.n = v + 1
        resolve()
      })
    })
  },
  setImmediate: (c) => {
    const v = c.n
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        c.n = v + 1
        resolve()
      })
    })
  },
  'a helper that is awaited': async (c) => {
    const v = c.n
    const pause = async () => {
      await null
    }
    await pause()
    c.n = v + 1
  },
  'a thenable': async (c) => {
    const v = c.n
    // oxlint-disable-next-line unicorn/no-thenable
    await { then: (done: (value: unknown) => void) => done(1) }
    c.n = v + 1
  },
  'for await': async (c) => {
    const v = c.n
    for await (const step of [1]) c.n = v + step
  },
  'an async generator': async (c) => {
    async function* steps() {
      const v = c.n
      await null
      c.n = v + 1
      yield 1
    }
    for await (const _ of steps());
  },
  'down-levelled by __awaiter': (c) =>
    awaiter(function* () {
      const v = c.n
      yield null
      c.n = v + 1
    }),
  'try, catch and finally': async (c) => {
    const v = c.n
    try {
      await Promise.reject(new Error('no'))
    } catch {
      c.n = v + 1
    } finally {
      c.n += 0
    }
  },
  'Promise.all around it': async (c) => {
    const v = c.n
    await Promise.all([null, Promise.resolve(1)])
    c.n = v + 1
  },
}

/** As TypeScript emits it for old targets. */
function awaiter(make: () => Generator<unknown, void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const generator = make()
    function step(result: IteratorResult<unknown, void>) {
      if (result.done) resolve()
      else Promise.resolve(result.value).then((value) => step(generator.next(value)), reject)
    }
    step(generator.next())
  })
}

/** Whose callbacks the platform runs in the order in which it was given them: the same, counted by brute force. */
const queued = new Set(['callbacks', 'setImmediate'])

describe.each(Object.entries(styles))('%s', (name, task) => {
  test.each([
    [2, 4, 2],
    queued.has(name) ? [3, 30, 24] : [3, 36, 30],
  ] as const)('%i tasks: %i executions, %i lose an update', async (n, executions, failing) => {
    const result = await explore(
      { setup: () => ({ n: 0 }), tasks: Array.from({ length: n }, () => task), invariant: (c) => c.n === n },
      { stopOnFirst: false, equivalence: 'trace' },
    )
    expect({ executions: result.executions, failing: result.failures.length }).toEqual({ executions, failing })
  })
})
