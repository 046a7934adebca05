import { program } from '../../src/engine/index.ts'
import { alike, array, increment, lines } from './build.ts'
import { row, rows, type Litmus } from './litmus.ts'

/** Threads that wait for values. */

const isOne = (value: number): boolean => value === 1

/** A counter and a flag that the last to arrive raises. n!: the orders of arrival. */
const barrier = (n: number) =>
  alike(n, ({ shared, until }) => {
    const arrived = shared('arrived', 0)
    const open = shared('open', 0)
    return function* () {
      if ((yield* arrived.update(increment)) === n) yield* open.write(1)
      else yield* until(open, isOne)
    }
  })

/** All wait for the counter itself. */
const countingBarrier = (n: number) =>
  alike(n, ({ shared, until }) => {
    const arrived = shared('arrived', 0)
    return function* () {
      yield* arrived.update(increment)
      yield* until(arrived, (value) => value === n)
    }
  })

/** The sense turns with each phase. n! orders of arrival for each of them. */
const senseReversing = (n: number, phases: number) =>
  alike(n, ({ shared, until }) => {
    const arrived = shared('arrived', 0)
    const sense = shared('sense', 0)
    return function* () {
      for (let phase = 1; phase <= phases; phase++) {
        const mine = phase % 2
        if ((yield* arrived.update(increment)) === n) {
          yield* arrived.write(0)
          yield* sense.write(mine)
        } else yield* until(sense, (value) => value === mine)
      }
    }
  })

/** A producer and a consumer, each of which waits for room or for goods. Their reads of each other's counter vary. */
const boundedBuffer = (rounds: number, size: number) =>
  program((builder) => {
    const { shared, thread, until } = builder
    const sent = shared('sent', 0)
    const received = shared('received', 0)
    const cells = array(builder, 'cell', size)
    thread('producer', function* () {
      for (let i = 0; i < rounds; i++) {
        yield* until(received, (value) => i - value < size)
        yield* cells[i % size]!.write(i)
        yield* sent.write(i + 1)
      }
    })
    thread('consumer', function* () {
      for (let i = 0; i < rounds; i++) {
        yield* until(sent, (value) => value > i)
        yield* cells[i % size]!.read()
        yield* received.write(i + 1)
      }
    })
  })

/** One place: producers wait until it is empty, consumers until it is full, and swap. */
const exchange = (producers: number, consumers: number) =>
  program(({ shared, thread, until }) => {
    const place = shared('place', 0)
    for (let id = 1; id <= producers; id++) {
      thread(`producer${id}`, function* () {
        do yield* until(place, (value) => value === 0)
        while (!(yield* place.compareAndSwap(0, id)))
      })
    }
    for (let id = 0; id < consumers; id++) {
      thread(`consumer${id}`, function* () {
        for (;;) {
          const value = yield* until(place, (found) => found !== 0)
          if (yield* place.compareAndSwap(value, 0)) return
        }
      })
    }
  })

/** Readers count themselves in and out, a writer waits until there are none and swaps itself in. */
const readersWriters = (readers: number, writers: number) =>
  program(({ shared, thread, until }) => {
    const inside = shared('inside', 0)
    const x = shared('x', 0)
    for (let id = 0; id < readers; id++) {
      thread(`reader${id}`, function* () {
        for (;;) {
          const count = yield* until(inside, (value) => value >= 0)
          if (yield* inside.compareAndSwap(count, count + 1)) break
        }
        yield* x.read()
        yield* inside.update((value) => value - 1)
      })
    }
    for (let id = 0; id < writers; id++) {
      thread(`writer${id}`, function* () {
        do yield* until(inside, (value) => value === 0)
        while (!(yield* inside.compareAndSwap(0, -1)))
        const value = yield* x.read()
        yield* x.write(value + 1)
        yield* inside.write(0)
      })
    }
    return () => x.value === writers
  })

/** A token goes round: 1, as there is nothing to choose. */
const tokenRing = (n: number, rounds: number) =>
  alike(n, ({ shared, until }) => {
    const token = shared('token', 0)
    return function* (id) {
      for (let i = 0; i < rounds; i++) {
        yield* until(token, (value) => value === i * n + id)
        yield* token.write(i * n + id + 1)
      }
    }
  })

/** A writer switches x on and off, waiters wait for it to be on. For one waiter `times` + 1: each of the times, or never. */
const flicker = (times: number, waiters: number) =>
  lines(({ x }, { until }) => [
    Array.from({ length: 2 * times }, (_, i) => x.write((i + 1) % 2)),
    ...Array.from({ length: waiters }, () => [until(x, isOne)]),
  ])

/** Each waiter writes too, so that what it waits for may be gone for the others. */
const takeTurns = (n: number) =>
  alike(n, ({ shared, until }) => {
    const x = shared('x', 0)
    return function* (id) {
      yield* until(x, (value) => value % 2 === 0)
      yield* x.write(id + 1)
    }
  })

/** Two phases of the same thread wait for the same variable. */
const twice = lines(({ x, y }, { until }) => [
  [until(x, isOne), y.write(1), until(x, (value) => value === 2), y.read()],
  [x.write(1), x.write(2), y.write(2)],
  [y.read(), x.read()],
])

/** Each waits for the one before it; the first is started by a writer who writes twice: 2. */
const chain = (n: number) =>
  lines((_, { shared, until }) => {
    const x = Array.from({ length: n + 1 }, (_unused, i) => shared(`x[${i}]`, 0))
    return [
      [x[0]!.write(1), x[0]!.write(2)],
      ...Array.from({ length: n }, (_unused, i) => [until(x[i]!, (value) => value > 0), x[i + 1]!.write(1)]),
    ]
  })

export const waiting: readonly Litmus[] = [
  ...rows('barrier', barrier, [[2, 2], [3, 6], [4, 24]]),
  ...rows('counting barrier', countingBarrier, [[2, 2], [3, 6], [4, 24]]),
  ...rows('sense-reversing barrier, two threads, so many phases', (phases) => senseReversing(2, phases), [[1, 2], [2, 4], [3, 8]]),
  row('sense-reversing barrier, three threads', senseReversing(3, 2), 36),
  row('bounded buffer of one cell', boundedBuffer(3, 1), 1),
  row('bounded buffer of two cells', boundedBuffer(4, 2), 27),
  row('exchange, one to one', exchange(1, 1), 1),
  row('exchange, two to one', exchange(2, 1), 6),
  row('exchange, two to two', exchange(2, 2), 36),
  row('exchange, one to two', exchange(1, 2), 4, { deadlocks: 4 }),
  row('a reader and a writer', readersWriters(1, 1), 6),
  row('two readers and a writer', readersWriters(2, 1), 366),
  row('a reader and two writers', readersWriters(1, 2), 144),
  row('token ring', tokenRing(3, 3), 1),
  ...rows('flicker, so many times', (times) => flicker(times, 1), [[1, 2, { deadlocks: 1 }], [2, 3, { deadlocks: 1 }], [5, 6, { deadlocks: 1 }]]),
  row('flicker before two', flicker(3, 2), 16, { deadlocks: 7 }),
  row('flicker before three', flicker(2, 3), 27, { deadlocks: 19 }),
  ...rows('writers that wait for an even value', takeTurns, [[2, 4, { deadlocks: 1 }], [3, 22, { deadlocks: 8 }], [4, 260, { deadlocks: 60 }]]),
  row('two waits in one thread', twice, 21, { deadlocks: 4 }),
  ...rows('chain of waits', chain, [[1, 2], [2, 2], [4, 2]]),
  row('a wait that an update ends', lines(({ x }, { until }) => [
    [until(x, (value) => value === 2), x.write(0)],
    [x.update(increment), x.update(increment)],
    [x.update(increment)],
  ]), 9, { deadlocks: 3 }),
  row('waits for each other\'s first write', lines(({ x, y }, { until }) => [
    [x.write(1), until(y, isOne), x.write(2)],
    [y.write(1), until(x, isOne), y.write(2)],
  ]), 3, { deadlocks: 2 }),
  row('a wait for 0, which goes and comes', lines(({ x, y }, { until }) => [
    [until(x, (value) => value === 0), y.write(1)],
    [x.write(1), y.read(), x.write(0)],
    [x.write(2), x.write(0)],
  ]), 27),
]
