import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Search, type AlgorithmName } from '../../src/engine/index.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { validity } from '../../src/engine/validity.ts'
import { expMem } from '../litmus/from-papers.ts'

// What is measured is the engine as it is used.
validity.checked = false
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function megabytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** What the heap has grown by during the exploration of exp-mem(7), 10,080 executions, looked at every 1,000th. */
function growth(algorithm: AlgorithmName): number {
  const driven = new Search({ algorithm, stopOnFirst: false })
  const driver = new ProgramDriver(expMem(7), driven)
  let executions = 0
  let start = Infinity
  let most = 0
  while (driven.next()) {
    driver.execute()
    executions++
    if (executions === 100) start = megabytes()
    if (executions % 1000 === 0) most = Math.max(most, megabytes() - start)
  }
  expect(driven.result().executions).toBe(10_080)
  return most
}

test.each(['source', 'pop', 'trust'] as const)('the memory of %s does not grow with the number of executions', (algorithm) => {
  expect(growth(algorithm)).toBeLessThan(1)
})

test('that of optimal grows with its wakeup tree, here of 5,040 sequences', () => {
  expect(growth('optimal')).toBeLessThan(8)
})
