import { describe, expect, test } from 'vitest'
import { OptionError, Search, explore, program } from '../../src/engine/index.ts'

describe('options', () => {
  test.each([
    [{ algorithm: 'magic' }, 'algorithm', "give 'source', 'optimal', 'pop', 'trust', 'naive', 'random', 'pct', 'pos', 'walk' or 'mixed'"],
    [{ maxExecutions: 0 }, 'maxExecutions', 'at least 1'],
    [{ maxExecutions: 1.5 }, 'maxExecutions', 'whole number'],
    [{ maxExecutions: -1 }, 'maxExecutions', 'at least 1'],
    [{ maxSteps: Number.NaN }, 'maxSteps', 'whole number'],
    [{ maxSteps: '5' }, 'maxSteps', 'whole number'],
    [{ maxTime: 0 }, 'maxTime', 'positive'],
    [{ maxTime: Number.NaN }, 'maxTime', 'positive'],
    [{ seed: -1 }, 'seed', 'at least 0'],
    [{ stopOnFirst: 'no' }, 'stopOnFirst', 'true or false'],
    [{ maxExecutions: null }, 'maxExecutions', 'whole number'],
    [{ replay: 7 }, 'replay', 'a string'],
    [{ interleave: 'often' }, 'interleave', "'event-loop'"],
  ])('%j is refused, by name and with what is accepted', (options, option, accepted) => {
    const make = () => new Search(options as never)
    expect(make).toThrow(OptionError)
    expect(make).toThrow(`option '${option}'`)
    expect(make).toThrow(accepted)
  })

  test('explore refuses an option that does not exist', () => {
    expect(() => explore(program(() => {}), { maxExecution: 5 } as never)).toThrow("option 'maxExecution' is 5: no such option")
  })

  test('those left undefined have their defaults', () => {
    expect(explore(program(() => {}), { maxTime: undefined, algorithm: undefined })).toMatchObject({
      verdict: 'holds',
      executions: 1,
      interleave: 'access',
    })
  })
})
