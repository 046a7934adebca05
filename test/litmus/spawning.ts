import { program, type Thread } from '../../src/engine/index.ts'
import { array, increment, type Steps } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/** Threads that start and await others on their way. */

/** A binary tree of threads; each adds one when its own two have ended. */
const forkJoinTree = (depth: number) =>
  program(({ shared, thread, spawn, join }) => {
    const x = shared('x', 0)
    function* node(below: number): Steps {
      const children: Thread[] = []
      if (below > 0) for (let i = 0; i < 2; i++) children.push(yield* spawn(`child${i}`, () => node(below - 1)))
      for (const child of children) yield* join(child)
      yield* x.update(increment)
    }
    thread('root', () => node(depth))
    return () => x.value === 2 ** (depth + 1) - 1
  })

/** Main writes before, between and after; its children only read. (n + 1)!: child i sees one of n + 1 - i writes. */
const writesBetween = (n: number) =>
  program(({ shared, thread, spawn }) => {
    const x = shared('x', 0)
    thread('main', function* () {
      for (let i = 0; i < n; i++) {
        yield* x.write(i)
        yield* spawn(`child${i}`, function* () {
          yield* x.read()
        })
      }
      yield* x.write(n)
    })
  })

/** A thread is started only in some orders, and then takes part. */
const startedIfSeen = program(({ shared, thread, spawn }) => {
  const x = shared('x', 0)
  const y = shared('y', 0)
  thread('main', function* () {
    if ((yield* x.read()) === 1) {
      yield* spawn('child', function* () {
        yield* y.write(1)
        yield* x.read()
      })
    }
    yield* y.read()
  })
  thread('writer', function* () {
    yield* x.write(1)
    yield* y.write(2)
  })
  thread('reader', function* () {
    yield* y.read()
    yield* x.write(2)
  })
})

/** The child takes the lock that its parent holds, and the parent goes on after giving it back. */
const spawnUnderLock = program(({ shared, mutex, thread, spawn, join }) => {
  const lock = mutex('lock')
  const x = shared('x', 0)
  thread('main', function* () {
    yield* lock.lock()
    const child = yield* spawn('child', function* () {
      yield* lock.lock()
      yield* x.update(increment)
      yield* lock.unlock()
    })
    yield* x.update(increment)
    yield* lock.unlock()
    yield* lock.lock()
    yield* x.read()
    yield* lock.unlock()
    yield* join(child)
    yield* x.read()
  })
  thread('other', function* () {
    yield* lock.lock()
    yield* x.write(5)
    yield* lock.unlock()
  })
})

/** The child takes the lock and keeps it; its parent joins it and then wants the lock itself. */
const childKeepsLock = program(({ mutex, shared, thread, spawn, join }) => {
  const lock = mutex('lock')
  const x = shared('x', 0)
  thread('main', function* () {
    const child = yield* spawn('child', function* () {
      yield* lock.lock()
      yield* x.write(1)
    })
    yield* x.read()
    yield* join(child)
    yield* lock.lock()
  })
  thread('other', function* () {
    yield* lock.lock()
    yield* lock.unlock()
    yield* x.read()
  })
})

/** A generation starts the next as its last step, n times; an onlooker writes what each of them reads. C(n + 3, 2). */
const generations = (n: number) =>
  program(({ shared, thread, spawn }) => {
    const x = shared('x', 0)
    function* generation(left: number): Steps {
      yield* x.read()
      if (left > 0) yield* spawn(`generation${left}`, () => generation(left - 1))
    }
    thread('first', () => generation(n))
    thread('onlooker', function* () {
      yield* x.write(1)
      yield* x.write(2)
    })
  })

/** Two threads join a third, which a fourth delays. */
const joinedByTwo = program(({ shared, thread, join, until }) => {
  const x = shared('x', 0)
  const y = shared('y', 0)
  const awaited = thread('awaited', function* () {
    yield* until(x, (value) => value > 0)
    yield* y.write(1)
  })
  thread('starter', function* () {
    yield* x.write(1)
    yield* x.write(2)
  })
  for (let id = 0; id < 2; id++) {
    thread(`joiner${id}`, function* () {
      yield* x.read()
      yield* join(awaited)
      yield* y.update((value) => value * 2)
    })
  }
})

/** The number of threads to start is read from a variable that another one counts up. */
const asManyAsSeen = program((builder) => {
  const { shared, thread, spawn, join } = builder
  const count = shared('count', 0)
  const done = array(builder, 'done', 2)
  thread('main', function* () {
    const children: Thread[] = []
    for (let i = 0; i < (yield* count.read()); i++) {
      children.push(
        yield* spawn(`child${i}`, function* () {
          yield* done[i]!.write(1)
        }),
      )
    }
    for (const child of children) yield* join(child)
    yield* done[0]!.read()
  })
  thread('counter', function* () {
    yield* count.write(1)
    yield* done[0]!.read()
    yield* count.write(2)
  })
})

/** A pipeline: a stage starts the next with what it has read. */
const pipeline = (n: number) =>
  program((builder) => {
    const { thread, spawn } = builder
    const x = array(builder, 'x', n + 1)
    function* stage(i: number): Steps {
      const value = yield* x[i]!.read()
      yield* x[i + 1]!.write(value + 1)
      if (i + 1 < n) yield* spawn(`stage${i + 1}`, () => stage(i + 1))
      yield* x[i]!.read()
    }
    thread('first', () => stage(0))
    thread('source', function* () {
      for (const variable of x) yield* variable.write(10)
    })
  })

export const spawning: readonly Litmus[] = [
  ...rows('fork-join tree', forkJoinTree, [[1, 2], [2, 80]]),
  ...rows('writes between spawns', writesBetween, [[1, 2], [2, 6], [3, 24], [4, 120]]),
  row('a thread started only if x is 1', startedIfSeen, 53),
  row('a thread started under a lock that it takes', spawnUnderLock, 10),
  row('a child that keeps its lock', childKeepsLock, 6, { deadlocks: 6 }),
  ...rows('generations', generations, [[1, 6], [3, 15]]),
  row('a thread that two others join', joinedByTwo, 36),
  row('as many threads as seen', asManyAsSeen, 6),
  ...rows('pipeline', pipeline, [[1, 5], [2, 19], [3, 71]]),
]
