import * as papers from './from-papers.ts'
import { rows, type Litmus } from './litmus.ts'
import * as small from './small.ts'

/** Programs with so many classes that no test explores them; the counts follow from those of smaller ones. */
export const unexplored: readonly Litmus[] = [
  ...rows('lastzero', papers.lastzero, [[15, 147_456]]),
  ...rows('indexer', papers.indexer, [[15, 4096]]),
  ...rows('filesystem', papers.filesystem, [[24, 2048]]),
  ...rows('exp-mem', papers.expMem, [[8, 80_640]]),
  ...rows('circular buffer', papers.circularBuffer, [[9, 48_620]]),
  ...rows('fetchAdd', small.fetchAdd, [[8, 40_320]]),
  ...rows('read, then write', small.readThenWrite, [[6, 518_400]]),
  ...rows('two threads, same order', (n) => small.sameOrder(2, n), [[14, 16_384]]),
  ...rows('three threads, same order', (n) => small.sameOrder(3, n), [[6, 46_656]]),
]
