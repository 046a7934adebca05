import { describe, expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { Search, type LocationId } from '../../src/engine/index.ts'
import { allOf, driveAll, read, write, type DrivenStep } from './driver.ts'

validity.decided = true

const [shared, one, other] = [0, 1, 2] as const

/** One process writes; another looks at one of two locations, depending on whether it has. `tell` says how that one tells its looks. */
function exploring(tell: (next: DrivenStep) => DrivenStep) {
  const search = new Search({ stopOnFirst: false, algorithm: 'optimal', equivalence: 'observation' })
  let isWritten = false
  const writing: DrivenStep = (running) => {
    isWritten = true
    write(shared)(running)
  }
  const looking: DrivenStep = (running) => {
    if (running.depth === 0) isWritten = false
    tell(read(isWritten ? one : other))(running)
  }
  driveAll(search, [[writing], [looking]])
  return search.result()
}

describe('what a step looks at next is decided by what it has found', () => {
  test('the look that decides it is told first: all is well', () => {
    expect(exploring((next) => allOf(read(shared), next))).toMatchObject({ verdict: 'holds', executions: 2 })
  })

  test('a look that is told too late is found', () => {
    expect(() => exploring((next) => allOf(next, read(shared)))).toThrow('decided by what it has found')
  })

  test('a change that is no look decides nothing', () => {
    const assign: DrivenStep = (search) => search.assign(shared as LocationId, 0, 1)
    expect(() => exploring((next) => allOf(assign, next))).toThrow('decided by what it has found')
  })
})
