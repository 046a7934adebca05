import { program } from '../../src/engine/index.ts'
import { alike, increment, lines } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/** Locks, some of which are never given back, and threads that wait for ever. */

/** The first to come keeps the lock: n, by who it is. */
const neverReleased = (n: number) =>
  alike(n, ({ mutex }) => {
    const lock = mutex('lock')
    return function* () {
      yield* lock.lock()
    }
  })

/** A counter says how many may sit at the table. */
export const philosophersAndWaiter = (n: number) =>
  alike(n, ({ shared, mutex, until }) => {
    const seats = shared('seats', n - 1)
    const forks = Array.from({ length: n }, (_, i) => mutex(`fork${i}`))
    return function* (id) {
      for (;;) {
        const free = yield* until(seats, (value) => value > 0)
        if (yield* seats.compareAndSwap(free, free - 1)) break
      }
      yield* forks[id]!.lock()
      yield* forks[(id + 1) % n]!.lock()
      yield* forks[(id + 1) % n]!.unlock()
      yield* forks[id]!.unlock()
      yield* seats.update(increment)
    }
  })

/** A lock around the taking of two others: the deadlock is gone. */
const gate = (n: number) =>
  alike(n, ({ mutex }) => {
    const outer = mutex('gate')
    const locks = [mutex('a'), mutex('b')]
    return function* (id) {
      const [first, second] = id % 2 === 0 ? locks : locks.toReversed()
      yield* outer.lock()
      yield* first!.lock()
      yield* second!.lock()
      yield* outer.unlock()
      yield* second!.unlock()
      yield* first!.unlock()
    }
  })

/** n locks in a ring, and `spare` threads that take one of them alone. */
const lockRing = (n: number, spare: number) =>
  lines((_, { mutex }) => {
    const locks = Array.from({ length: n }, (_unused, i) => mutex(`lock${i}`))
    return [
      ...locks.map((lock, i) => {
        const next = locks[(i + 1) % n]!
        return [lock.lock(), next.lock(), next.unlock(), lock.unlock()]
      }),
      ...locks.slice(0, spare).map((lock) => [lock.lock(), lock.unlock()]),
    ]
  })

/** Whether the second lock is taken depends on what a third thread has written. */
const crossedIfTold = program(({ shared, mutex, thread }) => {
  const told = shared('told', 0)
  const locks = [mutex('a'), mutex('b')]
  for (let id = 0; id < 2; id++) {
    thread(`t${id}`, function* () {
      yield* locks[id]!.lock()
      if ((yield* told.read()) === 1) {
        yield* locks[1 - id]!.lock()
        yield* locks[1 - id]!.unlock()
      }
      yield* locks[id]!.unlock()
    })
  }
  thread('teller', function* () {
    yield* told.write(1)
  })
})

/** Main joins a thread that may be in a deadlock with another one. */
const joinOfDeadlocked = program(({ shared, mutex, thread, spawn, join }) => {
  const x = shared('x', 0)
  const a = mutex('a')
  const b = mutex('b')
  thread('main', function* () {
    const child = yield* spawn('child', function* () {
      yield* a.lock()
      yield* b.lock()
      yield* x.write(1)
      yield* b.unlock()
      yield* a.unlock()
    })
    yield* x.read()
    yield* join(child)
    yield* x.read()
  })
  thread('other', function* () {
    yield* b.lock()
    yield* a.lock()
    yield* x.write(2)
    yield* a.unlock()
    yield* b.unlock()
  })
})

/** A thread joins another while it holds the lock that this one needs. */
const joinUnderLock = program(({ mutex, thread, join, shared }) => {
  const lock = mutex('lock')
  const x = shared('x', 0)
  const worker = thread('worker', function* () {
    yield* x.write(1)
    yield* lock.lock()
    yield* lock.unlock()
  })
  thread('boss', function* () {
    yield* lock.lock()
    yield* x.read()
    yield* join(worker)
    yield* lock.unlock()
  })
})

/** The waiter holds the lock that the one who would wake it needs. */
const waitUnderLock = program(({ shared, mutex, thread, until }) => {
  const lock = mutex('lock')
  const ready = shared('ready', 0)
  thread('waiter', function* () {
    yield* lock.lock()
    yield* until(ready, (value) => value === 1)
    yield* lock.unlock()
  })
  thread('waker', function* () {
    yield* lock.lock()
    yield* ready.write(1)
    yield* lock.unlock()
  })
})

/** It takes the lock a second time if the other has been there. */
const relock = program(({ shared, mutex, thread }) => {
  const lock = mutex('lock')
  const x = shared('x', 0)
  thread('twice', function* () {
    yield* lock.lock()
    if ((yield* x.read()) === 1) yield* lock.lock()
    yield* lock.unlock()
  })
  thread('other', function* () {
    yield* x.write(1)
    yield* lock.lock()
    yield* lock.unlock()
  })
})

export const deadlocks: readonly Litmus[] = [
  ...rows('a lock that is never given back', neverReleased, [[1, 1], [2, 2, { deadlocks: 2 }], [4, 4, { deadlocks: 4 }]]),
  ...rows('philosophers and a waiter', philosophersAndWaiter, [[2, 6]]),
  ...rows('nested locks behind a gate', gate, [[2, 2], [3, 6]]),
  row('three locks in a ring and one more thread', lockRing(3, 1), 20, { deadlocks: 2 }),
  row('two locks in a ring and two more threads', lockRing(2, 2), 22, { deadlocks: 4 }),
  row('four locks in a ring', lockRing(4, 0), 15, { deadlocks: 1 }),
  row('crossed locks if told', crossedIfTold, 6, { deadlocks: 1 }),
  row('a join of a thread in a deadlock', joinOfDeadlocked, 9, { deadlocks: 1 }),
  row('a join under a lock', joinUnderLock, 3, { deadlocks: 2 }),
  row('a wait under a lock', waitUnderLock, 2, { deadlocks: 1 }),
  row('a lock taken twice', relock, 3, { deadlocks: 2 }),
  row('a lock kept by one of three', lines(({ x }, { mutex }) => {
    const lock = mutex('lock')
    return [
      [lock.lock(), x.write(1), lock.unlock(), x.read()],
      [x.write(2), lock.lock()],
      [lock.lock(), x.read(), lock.unlock()],
    ]
  }), 15, { deadlocks: 6 }),
  row('a lost wake-up', lines(({ x }, { until }) => [
    [x.read(), x.write(0), until(x, (value) => value === 1)],
    [x.write(1)],
  ]), 3, { deadlocks: 2 }),
  row('nobody can begin', lines(({ x, y }, { until }) => [
    [until(x, (value) => value === 1), y.write(1)],
    [until(y, (value) => value === 1), x.write(1)],
  ]), 1, { deadlocks: 1 }),
  row('two waits, one write that undoes another', lines(({ x, y }, { until }) => [
    [until(x, (value) => value === 1), y.write(1)],
    [until(x, (value) => value === 2), y.write(2)],
    [x.write(1)],
    [x.write(2)],
  ]), 6, { deadlocks: 2 }),
]
