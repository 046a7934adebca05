import async from 'async'
import AsyncLock from 'async-lock'
import { Semaphore } from 'async-mutex'
import Bottleneck from 'bottleneck'
import { Effect, Ref } from 'effect'
import EventEmitter from 'eventemitter3'
import fastq from 'fastq'
import lodash from 'lodash'
import Breaker from 'opossum'
import pLimit from 'p-limit'
import PQueue from 'p-queue'
import { lastValueFrom, mergeMap, Subject, switchMap, toArray } from 'rxjs'
import { expect } from 'vitest'
import { race } from './race'

/** A counter that may not be changed by two at once. */
function counter() {
  const count = { n: 0 }
  const add = async () => {
    const { n } = count
    await new Promise((resolve) => setTimeout(resolve, 5))
    count.n = n + 1
  }
  return { count, add }
}

/** One at a time, or two. */
const atOnce = ({ isRight }: { isRight: boolean }): number => (isRight ? 1 : 2)

race('p-queue', (use) => async () => {
  const { count, add } = counter()
  const queue = new PQueue({ concurrency: atOnce(use) })
  await Promise.all([queue.add(add), queue.add(add)])
  expect(count.n).toBe(2)
})

race('p-limit', (use) => async () => {
  const { count, add } = counter()
  const limit = pLimit(atOnce(use))
  await Promise.all([limit(add), limit(add)])
  expect(count.n).toBe(2)
})

race('async-mutex', (use) => async () => {
  const { count, add } = counter()
  const semaphore = new Semaphore(atOnce(use))
  await Promise.all([semaphore.runExclusive(add), semaphore.runExclusive(add)])
  expect(count.n).toBe(2)
})

race('bottleneck', (use) => async () => {
  const { count, add } = counter()
  const limiter = new Bottleneck({ maxConcurrent: atOnce(use) })
  await Promise.all([limiter.schedule(add), limiter.schedule(add)])
  expect(count.n).toBe(2)
})

race('async', (use) => async () => {
  const { count, add } = counter()
  const queue = async.queue(async (_job: number) => add(), atOnce(use))
  queue.push([1, 2])
  await queue.drain()
  expect(count.n).toBe(2)
})

race('fastq', (use) => async () => {
  const { count, add } = counter()
  const queue = fastq.promise(async (_job: number) => add(), atOnce(use))
  await Promise.all([queue.push(1), queue.push(2)])
  expect(count.n).toBe(2)
})

race('async-lock', ({ isRight }) => async () => {
  const { count, add } = counter()
  const lock = new AsyncLock()
  await Promise.all(['a', 'b'].map((key) => lock.acquire(isRight ? 'all' : key, add)))
  expect(count.n).toBe(2)
})

race('opossum', ({ isRight }) => async () => {
  const count = { n: 0 }
  const breaker = new Breaker(
    async () => {
      const { n } = count
      await null
      count.n = (isRight ? count.n : n) + 1
    },
    { timeout: 1000, rollingCountTimeout: 1000, rollingCountBuckets: 1 },
  )
  await Promise.all([breaker.fire(), breaker.fire()])
  breaker.shutdown()
  expect(count.n).toBe(2)
})

race('eventemitter3', ({ isRight }) => async () => {
  const bus = new EventEmitter()
  const count = { n: 0 }
  const jobs: Promise<void>[] = []
  const work = async () => {
    const { n } = count
    await null
    count.n = (isRight ? count.n : n) + 1
  }
  bus.on('job', () => void jobs.push(work()))
  bus.emit('job')
  bus.emit('job')
  await Promise.all(jobs)
  expect(count.n).toBe(2)
})

race('rxjs', ({ isRight }) => async () => {
  const load = async (id: string) => {
    await null
    return id
  }
  const asked = new Subject<string>()
  const all = lastValueFrom(asked.pipe(isRight ? switchMap(load) : mergeMap(load), toArray()))
  asked.next('a')
  asked.next('b')
  asked.complete()
  expect((await all).at(-1)).toBe('b')
})

race('lodash', ({ isRight }) => async () => {
  const state = { cart: { total: 0 } }
  const add = async (price: number) => {
    const before: number = lodash.get(state, 'cart.total')
    await null
    lodash.update(state, 'cart.total', (now: number) => (isRight ? now : before) + price)
  }
  await Promise.all([add(1), add(2)])
  expect(state.cart.total).toBe(3)
})

race('effect', ({ isRight }) => async () => {
  const program = Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const add = Effect.gen(function* () {
      const n = yield* Ref.get(count)
      yield* Effect.promise(async () => await null)
      yield* Ref.update(count, (now) => (isRight ? now : n) + 1)
    })
    yield* Effect.all([add, add], { concurrency: 'unbounded' })
    return yield* Ref.get(count)
  })
  expect(await Effect.runPromise(program)).toBe(2)
})
