import { describe, expect, test } from 'vitest'
import { mergeOptions } from '../../src/vitest/options.ts'

describe('options of several layers, the nearest first', () => {
  test('the nearest that says something wins', () => {
    expect(mergeOptions({}, { seed: 2, maxSteps: 5 }, { seed: 3, maxTime: 7 })).toEqual({ seed: 2, maxSteps: 5, maxTime: 7 })
  })

  test('a replay puts a part that is given farther away out of force', () => {
    expect(mergeOptions({ replay: '0x2' }, undefined, { part: '1/4', seed: 3 })).toEqual({ replay: '0x2', seed: 3 })
    expect(mergeOptions({ part: '1/4' }, { part: '2/4' })).toEqual({ part: '1/4' })
    expect(mergeOptions({ part: '1/4' }, { replay: '0x2' })).toEqual({ part: '1/4', replay: '0x2' })
  })
})
