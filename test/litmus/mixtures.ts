import { program } from '../../src/engine/index.ts'
import { alike, array, increment, lines, type Steps } from './build.ts'
import { atomicRow, row, rows, type Litmus } from './litmus.ts'

/** Several ways of synchronizing in one program. */

/** A monitor: a lock and a condition to wait for outside it, then look again. */
const monitor = (producers: number, consumers: number) =>
  program(({ shared, mutex, thread, until }) => {
    const lock = mutex('lock')
    const items = shared('items', 0)
    for (let id = 0; id < producers; id++) {
      thread(`producer${id}`, function* () {
        yield* lock.lock()
        yield* items.update(increment)
        yield* lock.unlock()
      })
    }
    for (let id = 0; id < consumers; id++) {
      thread(`consumer${id}`, function* () {
        for (;;) {
          yield* until(items, (value) => value > 0)
          yield* lock.lock()
          const found = (yield* items.read()) > 0
          if (found) yield* items.update((value) => value - 1)
          yield* lock.unlock()
          if (found) return
        }
      })
    }
  })

/** Two wait for x and swap it, each for a value that the other's swap makes. */
const waitAndSwap = program(({ shared, thread, until }) => {
  const x = shared('x', 0)
  thread('up', function* () {
    yield* until(x, (value) => value === 0)
    yield* x.compareAndSwap(0, 1)
  })
  thread('down', function* () {
    yield* until(x, (value) => value === 1)
    yield* x.compareAndSwap(1, 0)
  })
  thread('any', function* () {
    yield* x.compareAndSwap(0, 2)
    yield* x.compareAndSwap(2, 0)
  })
})

/** A failed swap decides which of two locks is taken. */
const swapChoosesLock = (n: number) =>
  alike(n, ({ shared, mutex }) => {
    const x = shared('x', 0)
    const y = shared('y', 0)
    const locks = [mutex('a'), mutex('b')]
    return function* () {
      const lock = locks[Number(yield* x.compareAndSwap(0, 1))]!
      yield* lock.lock()
      yield* y.update(increment)
      yield* lock.unlock()
    }
  })

/** Flag and lock order each other's accesses of one variable, or do not. */
const flagOrLock = program(({ shared, mutex, thread, until }) => {
  const lock = mutex('lock')
  const flag = shared('flag', 0)
  const x = shared('x', 0)
  thread('writer', function* () {
    yield* lock.lock()
    yield* x.write(1)
    yield* lock.unlock()
    yield* flag.write(1)
    yield* x.write(2)
  })
  thread('by flag', function* () {
    yield* until(flag, (value) => value === 1)
    yield* x.read()
  })
  thread('by lock', function* () {
    yield* lock.lock()
    yield* x.read()
    yield* lock.unlock()
  })
})

/** Main starts workers behind a barrier, joins one and waits for the other by its flag. */
const startingGun = program((builder) => {
  const { shared, thread, spawn, join, until } = builder
  const go = shared('go', 0)
  const done = array(builder, 'done', 2)
  const x = shared('x', 0)
  function* worker(id: number): Steps {
    yield* until(go, (value) => value === 1)
    const value = yield* x.read()
    yield* x.write(value + 1)
    yield* done[id]!.write(1)
  }
  thread('main', function* () {
    const first = yield* spawn('first', () => worker(0))
    yield* spawn('second', () => worker(1))
    yield* go.write(1)
    yield* until(done[1]!, (value) => value === 1)
    yield* x.read()
    yield* join(first)
    yield* x.read()
  })
})

/** A timeout of its own: the waiter waits for a value, or for a second thread that gives up for it. */
const giveUp = program(({ shared, thread, until }) => {
  const answer = shared('answer', 0)
  const x = shared('x', 0)
  thread('waiter', function* () {
    if ((yield* until(answer, (value) => value !== 0)) === 1) yield* x.read()
    yield* x.write(2)
  })
  thread('answerer', function* () {
    yield* x.write(1)
    yield* answer.compareAndSwap(0, 1)
  })
  thread('timer', function* () {
    yield* answer.compareAndSwap(0, 2)
  })
})

/** Hand over hand along a list of locks. */
const handOverHand = (n: number, length: number) =>
  alike(n, (builder) => {
    const locks = Array.from({ length }, (_, i) => builder.mutex(`lock${i}`))
    const cells = array(builder, 'cell', length)
    return function* () {
      yield* locks[0]!.lock()
      for (const [i, cell] of cells.entries()) {
        yield* cell.update(increment)
        if (i + 1 < length) yield* locks[i + 1]!.lock()
        yield* locks[i]!.unlock()
      }
    }
  })

/** Readers and writers through two locks and a count of readers; the last reader lets writers in. */
const readersWritersLocks = (readers: number, writers: number) =>
  program(({ shared, mutex, thread, until }) => {
    const entry = mutex('entry')
    const inside = shared('inside', 0)
    const x = shared('x', 0)
    for (let id = 0; id < readers; id++) {
      thread(`reader${id}`, function* () {
        yield* entry.lock()
        yield* inside.update(increment)
        yield* entry.unlock()
        yield* x.read()
        yield* inside.update((value) => value - 1)
      })
    }
    for (let id = 0; id < writers; id++) {
      thread(`writer${id}`, function* () {
        yield* entry.lock()
        yield* until(inside, (value) => value === 0)
        yield* x.update(increment)
        yield* entry.unlock()
      })
    }
  })

/** Threads that add to a set of which one reads the size. 2^n: which of them have added by then. */
const commuting = (n: number) =>
  lines(({ x }) => [[x.read()], ...Array.from({ length: n }, () => [x.combine(increment)])])

/** Money moves in one step under a lock, an auditor sums up without it and then waits for the first transfer. */
const atomicTransfer = program(({ shared, mutex, thread, until, atomic }) => {
  const lock = mutex('lock')
  const a = shared('a', 1)
  const b = shared('b', 0)
  const done = shared('done', 0)
  for (let id = 0; id < 2; id++) {
    thread(`t${id}`, function* () {
      yield* lock.lock()
      const moved = yield* atomic(() => {
        if (a.get() === 0) return false
        a.set(a.get() - 1)
        b.set(b.get() + 1)
        return true
      })
      yield* lock.unlock()
      if (moved) yield* done.write(1)
    })
  }
  thread('auditor', function* () {
    yield* atomic(() => a.get() + b.get())
    yield* until(done, (value) => value === 1)
    yield* b.read()
  })
})

/** The first to raise a signal wins; both wait for it. */
const raisedByTwo = program(({ shared, signal, thread }) => {
  const x = shared('x', 0)
  const settled = signal('settled')
  for (let id = 0; id < 2; id++) {
    thread(`t${id}`, function* () {
      if (yield* settled.raise()) yield* x.write(id)
    })
  }
  thread('waiter', function* () {
    yield* settled.wait()
    yield* x.read()
  })
})

/** What happens within a time is free, what happens after it is not. */
const delays = program(({ shared, thread, delay }) => {
  const x = shared('x', 0)
  for (const [id, time] of [0, 1, 1].entries()) {
    thread(`t${id}`, function* () {
      yield* delay(time)
      const value = yield* x.read()
      yield* x.write(value + 1)
    })
  }
})

export const mixtures: readonly Litmus[] = [
  row('monitor, one to one', monitor(1, 1), 1),
  row('monitor, two to one', monitor(2, 1), 6),
  row('monitor, one to two', monitor(1, 2), 4, { deadlocks: 4 }),
  row('monitor, two to two', monitor(2, 2), 36),
  row('waits and swaps of one variable', waitAndSwap, 6, { deadlocks: 1 }),
  ...rows('a swap that chooses a lock', swapChoosesLock, [[2, 4], [3, 18]]),
  row('ordered by a flag or a lock', flagOrLock, 6),
  row('starting gun', startingGun, 6),
  row('an answer or a timeout', giveUp, 3),
  ...rows('hand over hand, two threads', (length) => handOverHand(2, length), [[1, 2], [2, 2], [4, 2]]),
  row('hand over hand, three threads', handOverHand(3, 3), 6),
  row('a reader and a writer, by lock and count', readersWritersLocks(1, 1), 2),
  row('two readers and two writers, by lock and count', readersWritersLocks(2, 2), 48),
  ...rows('adders and a reader', commuting, [[1, 2], [2, 4], [5, 32]]),
  row('a wait that holds a lock others need for a while', lines(({ x, y }, { mutex, until }) => {
    const lock = mutex('lock')
    return [
      [lock.lock(), until(x, (value) => value === 1), y.write(1), lock.unlock()],
      [x.write(1), lock.lock(), y.read(), lock.unlock(), x.write(0)],
      [x.write(1), y.read()],
    ]
  }), 21, { deadlocks: 2 }),
  row('two locks and a flag between them', lines(({ x, y }, { mutex, until }) => {
    const a = mutex('a')
    const b = mutex('b')
    return [
      [a.lock(), x.write(1), a.unlock(), b.lock(), y.read(), b.unlock()],
      [until(x, (value) => value === 1), b.lock(), y.write(1), a.lock(), a.unlock(), b.unlock()],
      [a.lock(), b.lock(), x.read(), b.unlock(), a.unlock()],
    ]
  }), 10, { deadlocks: 2 }),
  row('a signal raised by two', raisedByTwo, 4),
  row('delays', delays, 4),
  atomicRow('a transfer in one step under a lock', atomicTransfer, 4),
]
