import * as papers from './from-papers.ts'
import { atomicRow, row, rows, type Litmus } from './litmus.ts'
import * as small from './small.ts'

export const fromPapers: readonly Litmus[] = [
  ...rows('readers', papers.readers, [[3, 8], [6, 64]]),
  ...rows('lastzero', papers.lastzero, [[5, 64]]),
  ...rows('exp-mem', papers.expMem, [[5, 240]]),
  ...rows('exp-mem3', papers.expMem3, [[5, 240]]),
  ...rows('figure 10', papers.figure10, [[1, 5], [2, 9], [3, 13]]),
  ...rows('length-param', papers.lengthParam, [[1, 4], [10, 4]]),
  ...rows('circular buffer', papers.circularBuffer, [[3, 20], [5, 252]]),
  ...rows('linuxrwlocks', papers.linuxRwLocks, [[1, 6], [2, 70], [3, 924]]),
  ...rows('fib-join', papers.fibJoin, [[1, 3], [2, 19], [3, 141]]),
]

export const smallOnes: readonly Litmus[] = [
  ...rows('read, then write', small.readThenWrite, [[2, 4], [3, 36], [4, 576]]),
  ...rows('fetchAdd', small.fetchAdd, [[2, 2], [4, 24], [6, 720]]),
  ...rows('add under a lock, by n threads', (n) => small.lockedAdd(n, 1), [[2, 2], [4, 24], [6, 720]]),
  ...rows('add under a lock n times, by two threads', (n) => small.lockedAdd(2, n), [[2, 6], [4, 70]]),
  ...[2, 3, 4, 5].map((n) => row(`philosophers(${n}), left fork first`, small.philosophers(n, { ordered: false }), 2 ** n - 1, { deadlocks: 1 })),
  ...rows('philosophers, lower fork first', (n) => small.philosophers(n, { ordered: true }), [[2, 2], [3, 6], [4, 14], [5, 30]]),
  ...rows('store buffering ring', small.storeBufferRing, [[2, 3], [3, 7], [4, 15]]),
  ...rows('writers, main reads', (n) => small.writersAndMain(n, { joins: false }), [[2, 6], [3, 24], [5, 720]]),
  ...rows('writers, main joins and reads', (n) => small.writersAndMain(n, { joins: true }), [[2, 2], [3, 6], [5, 120]]),
  ...rows('index passing', small.indexPassing, [[1, 1], [2, 3], [3, 15], [4, 105]]),
  ...rows('casrot', small.casRotation, [[4, 14], [6, 144]]),
  ...rows('Treiber push', small.treiberPush, [[2, 4], [3, 60]]),
  ...rows('try-lock', small.tryLock, [[2, 4], [3, 21], [4, 148]]),
  ...rows('own variables', small.ownVariables, [[2, 1], [10, 1]]),
  ...rows('two threads, same order', (n) => small.sameOrder(2, n), [[1, 2], [4, 16], [7, 128]]),
  ...rows('three threads, same order', (n) => small.sameOrder(3, n), [[2, 36], [3, 216]]),
  row('two locks taken crosswise', small.crossedLocks(), 3, { deadlocks: 1 }),
  row('two pairs of writers', small.fourWriters(2), 4),
  row('four writers', small.fourWriters(1), 24),
  row('write x if it is 0', small.writeIfZero(1), 4),
  row('write x and y if x is 0', small.writeIfZero(2), 6),
  row('read both, write both', small.readBothWriteBoth(), 12),
  row('wait for 1, which stays', small.waitForValue([1]), 1),
  row('wait for 1, which comes and goes', small.waitForValue([1, 2]), 2, { deadlocks: 1 }),
  row('wait for 1, which comes twice', small.waitForValue([1, 0, 1]), 2),
  row('wait for 1, which never comes', small.waitForValue([2, 3]), 1, { deadlocks: 1 }),
]

export const severalAccesses: readonly Litmus[] = [
  atomicRow('a step that its own rule decides',
    small.atomicThreads(({ x, y }) => [
      [() => [x.get() === 0 && y.set(1), y.get()]],
      [() => x.set(1), () => [y.get(), x.get()]],
      [() => y.get()],
    ]), 3),
  atomicRow('a reader whose reading another enables',
    small.atomicThreads(({ y, z }) => [
      [() => y.set(1)],
      [() => z.get() === 0 && y.get()],
      [() => y.get(), () => z.set(1)],
    ]), 6),
  atomicRow('a write that depends on a third thread',
    small.atomicThreads(({ x, y, z }) => [
      [() => z.get() === 0 && x.set(1)],
      [() => x.set(1), () => [x.set(1), y.set(1)]],
      [() => y.get(), () => z.set(1)],
    ]), 8),
  atomicRow('a read that depends on a third thread',
    small.atomicThreads(({ y, z }) => [
      [() => y.get() === 0 && z.get()],
      [() => z.get(), () => y.set(1)],
      [() => z.set(1), () => z.set(1)],
    ]), 12),
  atomicRow('an empty step first',
    small.atomicThreads(({ x, z }) => [[() => x.get() === 0 && z.set(1)], [() => {}, () => x.set(1)], [() => z.get()]]), 3),
  atomicRow('what a woken step would have done',
    small.atomicThreads(({ x, y }) => [
      [() => x.get() === 0 && y.set(0)],
      [() => {}, () => x.set(2)],
      [() => y.get() === 0 && y.set(1)],
    ]), 3),
]
