import { describe, expect, test } from 'vitest'
import { Search, type LocationId, type SearchOptions } from '../../src/engine/index.ts'
import { driveAll, type DrivenStep } from './driver.ts'

/** A location that has the name of whoever comes first: what an object has that is named when somebody finds it. */
function namedByFirst(): (process: number) => DrivenStep {
  let name: number | undefined
  return (process) => (search) => {
    if (search.depth === 0) name = undefined
    name ??= process
    search.write(name as LocationId)
  }
}

function exploring(options: SearchOptions, steps: (process: number) => DrivenStep) {
  const search = new Search({ stopOnFirst: false, ...options })
  driveAll(search, [[steps(0)], [steps(1)]])
  return search.result()
}

describe('one thing with two names', () => {
  test('optimal gives an execution up, which it never does, so nothing holds', () => {
    const result = exploring({ algorithm: 'optimal' }, namedByFirst())
    expect(result).toMatchObject({ verdict: 'inconclusive', executions: 1, blocked: 1 })
    expect(result.inconclusiveReason).toContain('one thing has two names')
  })

  test('the same program with one name holds, in both orders', () => {
    const result = exploring({ algorithm: 'optimal' }, () => (search) => search.write(7 as LocationId))
    expect(result).toMatchObject({ verdict: 'holds', executions: 2, blocked: 0 })
  })
})
