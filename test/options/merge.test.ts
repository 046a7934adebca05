import { describe, expect, test } from 'vitest'
import { OptionError } from '../../src/engine/index.ts'
import { mergeLayers, withDefaults } from '../../src/options/index.ts'

const defaults = {
  algorithm: 'optimal',
  pctDepth: 3,
  maxExecutions: Infinity,
  maxTime: Infinity,
  maxSteps: 10_000,
  stopOnFirst: true,
  replay: undefined,
  part: undefined,
  seed: 0,
  interleave: 'await',
  time: 'idle',
  equivalence: 'observation',
  reproduce: 10,
  hooks: 'each',
  onInconclusive: 'warn',
  page: true,
  trace: false,
}

test('what no layer says has its default', () => {
  expect(mergeLayers({})).toEqual(defaults)
  expect(mergeLayers({ commandLine: undefined, test: { seed: undefined } })).toEqual(defaults)
})

test('the nearest that says something wins', () => {
  const plugin = { seed: 3, maxTime: 7, reproduce: 1 }
  expect(mergeLayers({ plugin, test: { seed: 2, maxSteps: 5, maxTime: undefined } })).toEqual({ ...defaults, seed: 2, maxSteps: 5, maxTime: 7, reproduce: 1 })
  expect(mergeLayers({ plugin, test: { seed: 2 }, commandLine: { seed: 1 } })).toEqual({ ...defaults, seed: 1, maxTime: 7, reproduce: 1 })
})

test('a replay puts a part that is given farther away out of force', () => {
  expect(mergeLayers({ commandLine: { replay: '0x2' }, plugin: { part: '1/4', seed: 3 } })).toEqual({ ...defaults, replay: '0x2', seed: 3 })
  expect(mergeLayers({ commandLine: { part: '1/4' }, test: { part: '2/4' } })).toEqual({ ...defaults, part: '1/4' })
  expect(mergeLayers({ commandLine: { part: '1/4' }, test: { replay: '0x2' } })).toEqual({ ...defaults, part: '1/4', replay: '0x2' })
})

describe('what a layer may not say is refused', () => {
  test.each([
    [{ test: { reproduce: 0 } }, "option 'reproduce' is 0: give a whole number of at least 1"],
    [{ test: { maxExecution: 5 } }, "option 'maxExecution' is 5: no such option; there are algorithm,"],
    [{ test: { toString: 5 } }, "option 'toString' is 5: no such option"],
    [{ test: { preemptionBound: -2 } }, "option 'preemptionBound' is -2: give a whole number of at least 0"],
    [{ test: { search: 'depth' } }, "option 'search' is 'depth': give 'dfs', 'preemptions'"],
    [{ test: { spinBound: 2 } }, "option 'spinBound' is 2: no such option"],
    [{ test: { exclude: 'x' } }, "option 'exclude' is 'x': it can be set only in dpor({ ... }) in the Vitest config"],
    [{ plugin: { replay: '0' } }, "option 'replay' is '0': it can be set only on the command line or for a test"],
    [{ commandLine: { equivalence: 'view' } }, "option 'equivalence' is 'view': give 'observation' or 'trace'"],
  ])('%o', (said, message) => {
    expect(() => mergeLayers(said as never)).toThrow(OptionError)
    expect(() => mergeLayers(said as never)).toThrow(message)
  })
})

test('defaults are added to whatever else is given', () => {
  expect(withDefaults({ deadline: 1, seed: undefined, reproduce: 0 })).toEqual({ ...defaults, deadline: 1, reproduce: 0 })
})
