import { program } from '../../src/engine/index.ts'
import { alike, array, increment } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/** Algorithms that retry instead of waiting. */

/** Counting up with compare-and-swap; gives up after `tries`. */
const casCounter = (n: number, tries: number) =>
  program(({ shared, thread }) => {
    const x = shared('x', 0)
    for (let id = 0; id < n; id++) {
      thread(`t${id}`, function* () {
        for (let i = 0; i < tries; i++) {
          const value = yield* x.read()
          if (yield* x.compareAndSwap(value, value + 1)) return
        }
      })
    }
    return () => x.value === n
  })

/** The enqueue of Michael and Scott: link a node to the last one, then swing the tail, which others help with. */
export const queuePush = (n: number) =>
  alike(n, (builder) => {
    const tail = builder.shared('tail', n)
    const next = array(builder, 'next', n + 1, -1)
    return function* (id) {
      for (;;) {
        const last = yield* tail.read()
        const after = yield* next[last]!.read()
        if (after !== -1) yield* tail.compareAndSwap(last, after)
        else if (yield* next[last]!.compareAndSwap(-1, id)) {
          yield* tail.compareAndSwap(last, id)
          return
        }
      }
    }
  })

/** One pops with a pause between read and swap, the other pops twice and pushes the first back: A, B, A. */
const aba = program((builder) => {
  const { shared, thread } = builder
  const top = shared('top', 0)
  const next = [shared('next[0]', 1), shared('next[1]', -1)]
  function* pop() {
    const node = yield* top.read()
    if (node === -1) return -1
    const after = yield* next[node]!.read()
    return (yield* top.compareAndSwap(node, after)) ? node : -1
  }
  thread('one', pop)
  thread('other', function* () {
    const node = yield* pop()
    yield* pop()
    if (node === -1) return
    const old = yield* top.read()
    yield* next[node]!.write(old)
    yield* top.compareAndSwap(old, node)
  })
})

/** A stack with pushers and poppers; a popper that finds nothing or loses the race gives up. */
const pushersAndPoppers = (pushers: number, poppers: number) =>
  program((builder) => {
    const { shared, thread } = builder
    const top = shared('top', -1)
    const next = array(builder, 'next', pushers, -1)
    for (let id = 0; id < pushers; id++) {
      thread(`push${id}`, function* () {
        for (;;) {
          const old = yield* top.read()
          yield* next[id]!.write(old)
          if (yield* top.compareAndSwap(old, id)) return
        }
      })
    }
    for (let i = 0; i < poppers; i++) {
      thread(`pop${i}`, function* () {
        const node = yield* top.read()
        if (node === -1) return
        const after = yield* next[node]!.read()
        yield* top.compareAndSwap(node, after)
      })
    }
  })

/** Readers try again, up to `tries` times, while a writer's sequence number is odd or has changed. */
const seqlock = ({ writes, readers, tries }: { writes: number; readers: number; tries: number }) =>
  program(({ shared, thread }) => {
    const sequence = shared('sequence', 0)
    const x = shared('x', 0)
    const y = shared('y', 0)
    let torn = false
    thread('writer', function* () {
      for (let i = 1; i <= writes; i++) {
        yield* sequence.update(increment)
        yield* x.write(i)
        yield* y.write(i)
        yield* sequence.update(increment)
      }
    })
    for (let id = 0; id < readers; id++) {
      thread(`reader${id}`, function* () {
        for (let i = 0; i < tries; i++) {
          const before = yield* sequence.read()
          if (before % 2 === 1) continue
          const seen = [yield* x.read(), yield* y.read()]
          if ((yield* sequence.read()) !== before) continue
          torn ||= seen[0] !== seen[1]
          return
        }
      })
    }
    return () => !torn
  })

/** The flag is looked at before the lock is taken and again under it. */
const doubleChecked = (n: number) =>
  program(({ shared, mutex, thread }) => {
    const lock = mutex('lock')
    const ready = shared('ready', 0)
    const made = shared('made', 0)
    for (let id = 0; id < n; id++) {
      thread(`t${id}`, function* () {
        if ((yield* ready.read()) === 1) return
        yield* lock.lock()
        if ((yield* ready.read()) === 0) {
          yield* made.update(increment)
          yield* ready.write(1)
        }
        yield* lock.unlock()
      })
    }
    return () => made.value === 1
  })

/** Without the second look. */
const checkedOnce = (n: number) =>
  program(({ shared, mutex, thread }) => {
    const lock = mutex('lock')
    const ready = shared('ready', 0)
    const made = shared('made', 0)
    for (let id = 0; id < n; id++) {
      thread(`t${id}`, function* () {
        if ((yield* ready.read()) === 1) return
        yield* lock.lock()
        yield* made.update(increment)
        yield* ready.write(1)
        yield* lock.unlock()
      })
    }
    return () => made.value === 1
  })

/** Lamport's queue for one producer and one consumer, who give up when it is full or empty. */
const ring = (rounds: number, size: number) =>
  program((builder) => {
    const { shared, thread } = builder
    const head = shared('head', 0)
    const tail = shared('tail', 0)
    const cells = array(builder, 'cell', size)
    thread('producer', function* () {
      for (let i = 0; i < rounds; i++) {
        const at = yield* tail.read()
        if (at - (yield* head.read()) === size) continue
        yield* cells[at % size]!.write(i)
        yield* tail.write(at + 1)
      }
    })
    thread('consumer', function* () {
      for (let i = 0; i < rounds; i++) {
        const at = yield* head.read()
        if ((yield* tail.read()) === at) continue
        yield* cells[at % size]!.read()
        yield* head.write(at + 1)
      }
    })
  })

/** A deque whose owner takes from the bottom while others steal from the top. */
const workStealing = (thieves: number) =>
  program((builder) => {
    const { shared, thread } = builder
    const top = shared('top', 0)
    const bottom = shared('bottom', 2)
    const tasks = array(builder, 'task', 2, 1)
    const taken: number[] = []
    thread('owner', function* () {
      for (let i = 0; i < 2; i++) {
        const last = (yield* bottom.update((value) => value - 1))
        const first = yield* top.read()
        if (first < last) taken.push(last)
        else {
          if (first === last && (yield* top.compareAndSwap(first, first + 1))) taken.push(last)
          yield* bottom.write(last + 1)
          return
        }
      }
    })
    for (let id = 0; id < thieves; id++) {
      thread(`thief${id}`, function* () {
        const first = yield* top.read()
        if (first >= (yield* bottom.read())) return
        yield* tasks[first]!.read()
        if (yield* top.compareAndSwap(first, first + 1)) taken.push(first)
      })
    }
    return () => new Set(taken).size === taken.length
  })

/** A new version is written aside and published; readers follow the pointer. */
const publish = (writers: number, readers: number) =>
  program((builder) => {
    const { shared, thread } = builder
    const current = shared('current', writers)
    const versions = array(builder, 'version', writers + 1)
    for (let id = 0; id < writers; id++) {
      thread(`writer${id}`, function* () {
        const old = yield* current.read()
        const value = yield* versions[old]!.read()
        yield* versions[id]!.write(value + 1)
        yield* current.compareAndSwap(old, id)
      })
    }
    for (let i = 0; i < readers; i++) {
      thread(`reader${i}`, function* () {
        yield* versions[yield* current.read()]!.read()
      })
    }
  })

export const lockFree: readonly Litmus[] = [
  ...rows('counting by compare-and-swap, two threads, so many tries', (tries) => casCounter(2, tries), [[1, 4, { broken: 2 }], [2, 4]]),
  row('counting by compare-and-swap, three threads', casCounter(3, 3), 60),
  ...rows('Michael-Scott push', queuePush, [[2, 16]]),
  row('ABA', aba, 13),
  row('a pusher and a popper', pushersAndPoppers(1, 1), 2),
  row('two pushers and a popper', pushersAndPoppers(2, 1), 22),
  row('a pusher and two poppers', pushersAndPoppers(1, 2), 7),
  row('seqlock, two writes', seqlock({ writes: 2, readers: 1, tries: 3 }), 258),
  row('seqlock, two readers', seqlock({ writes: 1, readers: 2, tries: 2 }), 256),
  ...rows('double-checked locking', doubleChecked, [[2, 4], [3, 15], [4, 64]]),
  ...rows('locking checked once', checkedOnce, [[2, 4, { broken: 2 }], [3, 21, { broken: 18 }]]),
  row('ring of one cell', ring(2, 1), 6),
  row('ring of two cells', ring(3, 2), 44),
  ...rows('work stealing', workStealing, [[1, 12], [2, 130]]),
  row('one publishes', publish(1, 2), 4),
  row('two publish', publish(2, 1), 10),
]
