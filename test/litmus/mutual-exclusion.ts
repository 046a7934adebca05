import { array, criticalSections, increment } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/** Locks made of variables. */

/** Dekker's, whose threads wait for their turn and for the other's flag. */
const dekker = criticalSections(2, (builder) => {
  const { shared, until } = builder
  const wants = array(builder, 'wants', 2)
  const turn = shared('turn', 0)
  return {
    *enter(id) {
      yield* wants[id]!.write(1)
      if ((yield* wants[1 - id]!.read()) === 0) return
      if ((yield* turn.read()) !== id) {
        yield* wants[id]!.write(0)
        yield* until(turn, (value) => value === id)
        yield* wants[id]!.write(1)
      }
      yield* until(wants[1 - id]!, (value) => value === 0)
    },
    *leave(id) {
      yield* turn.write(1 - id)
      yield* wants[id]!.write(0)
    },
  }
})

/** Peterson's; a thread that was not let in after `tries` goes in all the same. */
const peterson = (tries: number) =>
  criticalSections(2, (builder) => {
    const wants = array(builder, 'wants', 2)
    const turn = builder.shared('turn', 0)
    return {
      *enter(id) {
        yield* wants[id]!.write(1)
        yield* turn.write(1 - id)
        for (let i = 0; i < tries; i++) {
          if ((yield* wants[1 - id]!.read()) === 0) return
          if ((yield* turn.read()) === id) return
        }
      },
      *leave(id) {
        yield* wants[id]!.write(0)
      },
    }
  })

/** Lamport's bakery. */
const bakery = (n: number) =>
  criticalSections(n, (builder) => {
    const { until } = builder
    const choosing = array(builder, 'choosing', n)
    const numbers = array(builder, 'number', n)
    return {
      *enter(id) {
        yield* choosing[id]!.write(1)
        let own = 1
        for (const [i, number] of numbers.entries()) if (i !== id) own = Math.max(own, 1 + (yield* number.read()))
        yield* numbers[id]!.write(own)
        yield* choosing[id]!.write(0)
        for (let i = 0; i < n; i++) {
          if (i === id) continue
          yield* until(choosing[i]!, (value) => value === 0)
          yield* until(numbers[i]!, (value) => value === 0 || value > own || (value === own && i > id))
        }
      },
      *leave(id) {
        yield* numbers[id]!.write(0)
      },
    }
  })

/** n!: the tickets decide everything. */
const ticketLock = (n: number) =>
  criticalSections(n, ({ shared, until }) => {
    const next = shared('next', 0)
    const serving = shared('serving', 0)
    const tickets: number[] = []
    return {
      *enter(id) {
        const ticket = (yield* next.update(increment)) - 1
        tickets[id] = ticket
        yield* until(serving, (value) => value === ticket)
      },
      *leave(id) {
        yield* serving.write(tickets[id]! + 1)
      },
    }
  })

/** Of Mellor-Crummey and Scott: a queue of threads, each with a flag of its own. */
const mcsLock = (n: number) =>
  criticalSections(n, (builder) => {
    const { shared, until } = builder
    const tail = shared('tail', -1)
    const next = array(builder, 'next', n, -1)
    const waits = array(builder, 'waits', n, 1)
    return {
      *enter(id) {
        let before = -1
        yield* tail.update((value) => {
          before = value
          return id
        })
        if (before === -1) return
        yield* next[before]!.write(id)
        yield* until(waits[id]!, (value) => value === 0)
      },
      *leave(id) {
        if (yield* tail.compareAndSwap(id, -1)) return
        const successor = yield* until(next[id]!, (value) => value !== -1)
        yield* waits[successor]!.write(0)
      },
    }
  })

/** Of Craig, Landin and Hagersten: each thread waits for the flag of the one before it. n! orders of the queue. */
const clhLock = (n: number) =>
  criticalSections(n, (builder) => {
    const tail = builder.shared('tail', n)
    const locked = array(builder, 'locked', n + 1)
    return {
      *enter(id) {
        yield* locked[id]!.write(1)
        let before = n
        yield* tail.update((value) => {
          before = value
          return id
        })
        yield* builder.until(locked[before]!, (value) => value === 0)
      },
      *leave(id) {
        yield* locked[id]!.write(0)
      },
    }
  })

/** Waits until the lock looks free before it tries to take it. */
const testAndTestAndSet = (n: number) =>
  criticalSections(n, ({ shared, until }) => {
    const lock = shared('lock', 0)
    return {
      *enter() {
        do yield* until(lock, (value) => value === 0)
        while (!(yield* lock.compareAndSwap(0, 1)))
      },
      *leave() {
        yield* lock.write(0)
      },
    }
  })

/** A thread that did not get the lock after `tries` goes in all the same. */
const impatient = (n: number, tries: number) =>
  criticalSections(n, ({ shared }) => {
    const lock = shared('lock', 0)
    return {
      *enter() {
        for (let i = 0; i < tries; i++) if (yield* lock.compareAndSwap(0, 1)) return
      },
      *leave() {
        yield* lock.write(0)
      },
    }
  })

/** `permits` threads may be in at once, so additions are lost if that is more than one. */
const semaphore = (n: number, permits: number) =>
  criticalSections(n, ({ shared, until }) => {
    const free = shared('free', permits)
    return {
      *enter() {
        for (;;) {
          const value = yield* until(free, (count) => count > 0)
          if (yield* free.compareAndSwap(value, value - 1)) return
        }
      },
      *leave() {
        yield* free.update((value) => value + 1)
      },
    }
  })

export const mutualExclusion: readonly Litmus[] = [
  row('Dekker', dekker, 8),
  ...rows('Peterson, so many tries', peterson, [[0, 8, { broken: 4 }], [1, 32, { broken: 12 }], [2, 52, { broken: 16 }], [3, 76, { broken: 20 }]]),
  ...rows('bakery', bakery, [[2, 9]]),
  ...rows('ticket lock', ticketLock, [[2, 2], [3, 6], [4, 24]]),
  ...rows('MCS lock', mcsLock, [[2, 4], [3, 30]]),
  ...rows('CLH lock', clhLock, [[2, 2], [3, 6], [4, 24]]),
  ...rows('test and test-and-set', testAndTestAndSet, [[2, 6], [3, 144]]),
  ...rows('impatient, so many tries', (tries) => impatient(2, tries), [[1, 18, { broken: 8 }], [2, 20, { broken: 8 }], [4, 24, { broken: 8 }]]),
  row('impatient, three threads', impatient(3, 1), 966, { broken: 732 }),
  row('semaphore of one permit', semaphore(2, 1), 6),
  row('semaphore of two permits', semaphore(2, 2), 42, { broken: 16 }),
]
