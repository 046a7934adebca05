import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Search, type AlgorithmName, type SearchOptions } from '../../src/engine/index.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { validity } from '../../src/engine/validity.ts'
import { expMem } from '../litmus/from-papers.ts'

// What is measured is the engine as it is used.
validity.checked = false
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapNow(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** What the heap has grown by during the exploration of exp-mem(7), looked at every 1,000th execution, and how many there were. */
function growth(algorithm: AlgorithmName, options: SearchOptions = {}): { readonly megabytes: number; readonly executions: number } {
  const driven = new Search({ algorithm, stopOnFirst: false, ...options })
  const driver = new ProgramDriver(expMem(7), driven)
  let executions = 0
  let start = Infinity
  let most = 0
  while (driven.next()) {
    driver.execute()
    executions++
    if (executions === 100) start = heapNow()
    if (executions % 1000 === 0) most = Math.max(most, heapNow() - start)
  }
  return { megabytes: most, executions: driven.result().executions }
}

test.each(['source', 'pop', 'trust'] as const)('the memory of %s does not grow with the number of executions', (algorithm) => {
  const { megabytes, executions } = growth(algorithm)
  expect(executions).toBe(10_080)
  expect(megabytes).toBeLessThan(1)
})

test('nor does that of trust with a bound on preemptions', () => {
  const { megabytes, executions } = growth('trust', { preemptionBound: 3 })
  expect(executions).toBeGreaterThan(2000)
  expect(megabytes).toBeLessThan(2)
})

test('that of optimal grows with its wakeup tree, here of 5,040 sequences', () => {
  expect(growth('optimal').megabytes).toBeLessThan(8)
})
