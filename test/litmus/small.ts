import { program, type Shared } from '../../src/engine/index.ts'
import { alike } from './build.ts'

export const readThenWrite = (n: number) =>
  alike(n, ({ shared }) => {
    const x = shared('x', 0)
    return function* () {
      const value = yield* x.read()
      yield* x.write(value + 1)
    }
  })

export const fetchAdd = (n: number) =>
  alike(n, ({ shared }) => {
    const x = shared('x', 0)
    return function* () {
      yield* x.update((value) => value + 1)
    }
  })

/** Each of n threads adds one under a lock, `rounds` times. */
export const lockedAdd = (n: number, rounds: number) =>
  alike(n, ({ shared, mutex }) => {
    const lock = mutex('lock')
    const x = shared('x', 0)
    return function* () {
      for (let i = 0; i < rounds; i++) {
        yield* lock.lock()
        const value = yield* x.read()
        yield* x.write(value + 1)
        yield* lock.unlock()
      }
    }
  })

export const philosophers = (n: number, { ordered }: { ordered: boolean }) =>
  alike(n, ({ mutex }) => {
    const forks = Array.from({ length: n }, (_, i) => mutex(`fork${i}`))
    return function* (id) {
      const both = [id, (id + 1) % n]
      if (ordered) both.sort((one, other) => one - other)
      const [first, second] = both.map((fork) => forks[fork]!)
      yield* first!.lock()
      yield* second!.lock()
      yield* second!.unlock()
      yield* first!.unlock()
    }
  })

export const storeBufferRing = (n: number) =>
  alike(n, ({ shared }) => {
    const x = Array.from({ length: n }, (_, i) => shared(`x[${i}]`, 0))
    return function* (id) {
      yield* x[id]!.write(1)
      yield* x[(id + 1) % n]!.read()
    }
  })

/** n writers of x; main, who joins them first or does not, reads it. */
export const writersAndMain = (n: number, { joins }: { joins: boolean }) =>
  program(({ shared, thread, join }) => {
    const x = shared('x', 0)
    const writers = Array.from({ length: n }, (_, i) =>
      thread(`writer${i}`, function* () {
        yield* x.write(i)
      }),
    )
    thread('main', function* () {
      if (joins) for (const writer of writers) yield* join(writer)
      yield* x.read()
    })
  })

/** Main counts an index up and starts a thread that uses it, n times. */
export const indexPassing = (n: number) =>
  program(({ shared, thread, spawn }) => {
    const index = shared('index', -1)
    const array = Array.from({ length: n }, (_, i) => shared(`a[${i}]`, 0))
    thread('main', function* () {
      for (let i = 0; i < n; i++) {
        const value = yield* index.read()
        yield* index.write(value + 1)
        yield* spawn(`user${i}`, function* () {
          const at = yield* index.read()
          yield* array[at]!.write(1)
        })
      }
    })
  })

export const casRotation = (n: number) =>
  alike(n, ({ shared }) => {
    const x = shared('x', 0)
    return function* (id) {
      yield* x.compareAndSwap(id, id + 1)
    }
  })

export const treiberPush = (n: number) =>
  alike(n, ({ shared }) => {
    const top = shared('top', -1)
    const next = Array.from({ length: n }, (_, i) => shared(`next[${i}]`, -1))
    return function* (id) {
      for (;;) {
        const old = yield* top.read()
        yield* next[id]!.write(old)
        if (yield* top.compareAndSwap(old, id)) return
      }
    }
  })

export const tryLock = (n: number) =>
  alike(n, ({ shared }) => {
    const lock = shared('lock', 0)
    const x = shared('x', 0)
    return function* () {
      if (!(yield* lock.compareAndSwap(0, 1))) return
      const value = yield* x.read()
      yield* x.write(value + 1)
      yield* lock.write(0)
    }
  })

export const ownVariables = (n: number) =>
  alike(n, ({ shared }) => {
    const x = Array.from({ length: n }, (_, i) => shared(`x[${i}]`, 0))
    return function* (id) {
      yield* x[id]!.write(1)
    }
  })

/** n threads write the same `count` variables in the same order. */
export const sameOrder = (n: number, count: number) =>
  alike(n, ({ shared }) => {
    const x = Array.from({ length: count }, (_, i) => shared(`x[${i}]`, 0))
    return function* (id) {
      for (const variable of x) yield* variable.write(id)
    }
  })

export const crossedLocks = () =>
  alike(2, ({ mutex }) => {
    const locks = [mutex('a'), mutex('b')]
    return function* (id) {
      yield* locks[id]!.lock()
      yield* locks[1 - id]!.lock()
      yield* locks[1 - id]!.unlock()
      yield* locks[id]!.unlock()
    }
  })

/** Four writers of `count` variables. */
export const fourWriters = (count: number) =>
  alike(4, ({ shared }) => {
    const x = Array.from({ length: count }, (_, i) => shared(`x[${i}]`, 0))
    return function* (id) {
      yield* x[id % count]!.write(id)
    }
  })

/** Two threads that write, the named variables in turn, only if x is still 0. */
export const writeIfZero = (count: number) =>
  alike(2, ({ shared }) => {
    const variables = Array.from({ length: count }, (_, i) => shared(`x[${i}]`, 0))
    return function* () {
      if ((yield* variables[0]!.read()) !== 0) return
      for (const variable of variables) yield* variable.write(1)
    }
  })

export const readBothWriteBoth = () =>
  alike(2, ({ shared }) => {
    const a = shared('a', 0)
    const b = shared('b', 0)
    return function* () {
      yield* a.read()
      yield* b.read()
      yield* a.write(1)
      yield* b.write(1)
    }
  })

/** A thread waits until x is 1; `writes` are made by another, and x is read by none. */
export const waitForValue = (writes: readonly number[]) =>
  program(({ shared, thread, until }) => {
    const x = shared('x', 0)
    thread('waiter', function* () {
      yield* until(x, (value) => value === 1)
    })
    thread('writer', function* () {
      for (const value of writes) yield* x.write(value)
    })
  })

/** Steps with several accesses. Each line is a thread, each function one of its steps. */
type AtomicSteps = (x: Record<'x' | 'y' | 'z', Shared<number>>) => readonly (readonly (() => unknown)[])[]

export const atomicThreads = (steps: AtomicSteps) =>
  program(({ shared, thread, atomic }) => {
    const variables = { x: shared('x', 0), y: shared('y', 0), z: shared('z', 0) }
    steps(variables).forEach((bodies, i) =>
      thread(`T${i}`, function* () {
        for (const body of bodies) yield* atomic(body)
      }),
    )
  })
