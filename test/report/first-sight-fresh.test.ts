import { expect, test } from 'vitest'
import { headlineOf, madeOf, throwingIn } from './executed.ts'

const semaphore = madeOf(
  `return (free, timeout) => {
    const own = { free, queue: [] }
    return {
      own,
      enter: () => new Promise((resolve, reject) => {
        if (own.free > 0) { own.free--; resolve(); return }
        const waiting = { resolve }
        waiting.timer = setTimeout(() => { waiting.resolve = null; reject(new Error('too late')) }, timeout)
        own.queue.push(waiting)
      }),
      leave: () => {
        own.free++
        if (own.queue.length === 0) return
        const { resolve, timer } = own.queue.shift()
        clearTimeout(timer)
        if (resolve) setTimeout(resolve, 0)
      },
    }
  }`,
  '/app/node_modules/semaphore/index.cjs',
)

test.each(['await', 'event-loop'] as const)('who has given up stays in the queue, and is woken in the place of the one who waits: %s', async (interleave) => {
  const text = await headlineOf(
    `const lock = semaphore(1, 5)
    await lock.enter()
    await lock.enter().catch(() => {})
    const third = lock.enter()
    lock.leave()
    await third`,
    { given: { semaphore }, testFile: '/app/semaphore.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Leaked permit on .*queue\)?: \S+ took out the entry of one who had given up when timer#1 fired, and nobody has called that of \S+, which waited until timer#2 fired\./)
  expect(text).toMatch(/ index\.cjs:14 update .*queue.* 2 -> 1/)
})

test.each(['await', 'event-loop'] as const)('a number of what is free that both count on from is no skew of it and of what the test counts: %s', async (interleave) => {
  const text = await headlineOf(
    `const lock = semaphore(1, 1000)
    let inside = 0, most = 0
    const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const work = async () => { await lock.enter(); most = Math.max(most, ++inside); await rest(1); inside--; lock.leave() }
    const later = async () => { await rest(2); await work() }
    await Promise.all([work(), work(), later()])
    if (most !== 1) throw new Error('two are in')`,
    { given: { semaphore }, testFile: '/app/semaphore.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Check-then-act on own\.free: /)
})

test.each(['await', 'event-loop'] as const)('a second failure clears the timer by which the first one would have let calls in again: %s', async (interleave) => {
  const breakers = madeOf(
    `return (ask, wait) => {
      const own = { isOpen: false, isTrying: false, timer: undefined }
      const open = () => {
        if (own.timer) clearTimeout(own.timer)
        if (own.isOpen) return
        own.isOpen = true
        own.timer = setTimeout(() => { own.isTrying = true }, wait)
      }
      return {
        get isTrying() { return own.isTrying },
        fire: () => {
          if (own.isOpen) return Promise.reject(new Error('open'))
          return ask().then((answer) => answer, (error) => { open(); throw error })
        },
      }
    }`,
    '/app/node_modules/breakers/index.cjs',
  )
  const text = await headlineOf(
    `const ask = async () => { await new Promise((resolve) => setTimeout(resolve, 1)); throw new Error('down') }
    const breaker = breakers(ask, 10)
    await Promise.allSettled([breaker.fire(), breaker.fire()])
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (!breaker.isTrying) throw wrong(5)`,
    { given: { breakers, wrong: throwingIn('/app/breakers.spec.cjs') }, testFile: '/app/breakers.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Order violation on own\.timer: \S+ cleared (\S+), which \S+ had set, and nobody has set it again; /)
  expect(text).toMatch(/ index\.cjs:4 clear timer#\d/)
})
