import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { dporTest, explore } from '../../src/index.ts'

/** In every order each callback finds the value of the context in which it was handed over. */
type Expect = (value: string | undefined) => void

const bodies: Record<string, (storage: AsyncLocalStorage<string>, finds: Expect) => Promise<unknown>> = {
  'awaits of two tasks': (storage, finds) => {
    const task = (name: string): Promise<void> =>
      storage.run(name, async () => {
        await null
        finds(name)
        await Promise.resolve()
        finds(name)
      })
    return Promise.all([task('a'), task('b')]).then(() => finds(undefined))
  },
  'reactions, whoever settles': async (storage, finds) => {
    let settle = (): void => {}
    const promise = new Promise<void>((resolve) => (settle = resolve))
    const all: Promise<void>[] = []
    storage.run('a', () => all.push(promise.then(() => finds('a'))))
    storage.run('b', () => all.push(promise.finally(() => finds('b')).then(() => finds('b'))))
    storage.run('c', () => all.push(promise.then(() => Promise.reject(new Error('no'))).catch(() => finds('c'))))
    storage.run('d', () => settle())
    await Promise.all(all)
    finds(undefined)
  },
  'timers, immediates and microtasks': async (storage, finds) => {
    const starts: ((callback: () => void) => unknown)[] = [(callback) => setTimeout(callback, 5), setImmediate, queueMicrotask, process.nextTick]
    await Promise.all(starts.map((start, i) => new Promise<void>((done) => {
      storage.run(`start ${i}`, () => start(() => {
        finds(`start ${i}`)
        done()
      }))
    })))
    await new Promise<void>((done) => storage.run('interval', () => {
      let calls = 0
      const interval = setInterval(() => {
        finds('interval')
        if (++calls < 3) return
        clearInterval(interval)
        done()
      }, 2)
    }))
  },
  thenables: async (storage, finds) => {
    await storage.run('a', async () => {
      // oxlint-disable-next-line no-thenable
      await { then(resolve: () => void) { finds('a'); resolve() } }
      finds('a')
    })
  },
  'enterWith in callbacks': async (storage, finds) => {
    await Promise.resolve().then(() => storage.enterWith('lost'))
    await new Promise<void>((done) => setTimeout(() => {
      storage.enterWith('timer')
      setTimeout(() => {
        finds('timer')
        done()
      }, 1)
    }, 1))
    finds(undefined)
    await null
    finds(undefined)
  },
  'resources and bound functions': async (storage, finds) => {
    const resource = storage.run('resource', () => new AsyncResource('test'))
    const bound = storage.run('bound', () => AsyncResource.bind(() => finds('bound')))
    await null
    resource.runInAsyncScope(() => finds('resource'))
    await Promise.resolve().then(bound)
    await storage.run('outer', () => storage.exit(async () => {
      finds(undefined)
      await null
      finds(undefined)
    }))
  },
}

for (const [name, body] of Object.entries(bodies)) {
  for (const interleave of ['await', 'event-loop'] as const) {
    dporTest(`${name}, ${interleave}`, { interleave }, () => {
      const storage = new AsyncLocalStorage<string>()
      return body(storage, (value) => expect(storage.getStore()).toBe(value))
    })
  }
}

test('what is called at once is no input or output', async () => {
  const { verdict, ...told } = await explore(async () => {
    const storage = new AsyncLocalStorage<string>()
    const found: unknown[] = []
    const look = (): unknown => found.push(storage.getStore())
    storage.run('a', look)
    storage.exit(look)
    storage.run('b', () => new AsyncResource('b')).runInAsyncScope(look)
    performance.timerify(look)()
    await null
    expect(found).toEqual(['a', undefined, 'b', undefined])
  }, { interleave: 'event-loop' })
  expect({ verdict, realIo: (told as { realIo?: unknown }).realIo }).toEqual({ verdict: 'holds', realIo: [] })
})
