import { philosophersAndWaiter } from './deadlocks.ts'
import * as papers from './from-papers.ts'
import { row, rows, type Litmus } from './litmus.ts'
import { queuePush } from './lock-free.ts'
import * as small from './small.ts'

/** Programs with too many states for brute force in a moment; counts that no paper gives are from it all the same. */
export const largeOnes: readonly Litmus[] = [
  ...rows('readers', papers.readers, [[13, 8192]]),
  ...rows('lastzero', papers.lastzero, [[8, 704], [10, 3328]]),
  ...rows('filesystem', papers.filesystem, [[13, 1], [14, 2], [16, 8], [18, 32], [19, 64]]),
  ...rows('indexer', papers.indexer, [[11, 1], [12, 8], [13, 64], [14, 512]]),
  ...rows('exp-mem', papers.expMem, [[7, 10_080]]),
  ...rows('exp-mem3', papers.expMem3, [[6, 1440]]),
  ...rows('figure 10', papers.figure10, [[6, 25], [9, 37]]),
  ...rows('length-param', papers.lengthParam, [[50, 4], [500, 4]]),
  ...rows('circular buffer', papers.circularBuffer, [[7, 3432]]),
  ...rows('fib-join', papers.fibJoin, [[4, 1107], [5, 8953]]),
  ...rows('read, then write', small.readThenWrite, [[5, 14_400]]),
  row('add under a lock 6 times, by two threads', small.lockedAdd(2, 6), 924),
  row('philosophers(8), left fork first', small.philosophers(8, { ordered: false }), 255, { deadlocks: 1 }),
  ...rows('store buffering ring', small.storeBufferRing, [[8, 255]]),
  ...rows('index passing', small.indexPassing, [[5, 945]]),
  ...rows('casrot', small.casRotation, [[8, 2048]]),
  ...rows('Treiber push', small.treiberPush, [[4, 3120]]),
  row('two threads, same order(10)', small.sameOrder(2, 10), 1024),
  ...rows('Michael-Scott push', queuePush, [[3, 3192]]),
  ...rows('philosophers and a waiter', philosophersAndWaiter, [[3, 3942]]),
]

/** For algorithms that give nothing up. */
export const largest: readonly Litmus[] = [
  ...rows('lastzero', papers.lastzero, [[12, 15_360]]),
]
