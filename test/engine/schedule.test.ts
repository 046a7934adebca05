import { describe, expect, test } from 'vitest'
import { ReplayError, formatSchedule, parseSchedule } from '../../src/engine/index.ts'

describe('formatSchedule', () => {
  test.each([
    [[], ''],
    [[0], '0'],
    [[0, 0, 1, 2], '0x2.1.2'],
    [[12, 12, 12, 0], '12x3.0'],
    // Twenty switches are no more than forty letters.
    [Array.from({ length: 24 }, (_, i) => i % 3), 'abcabcabcabcabcabcabcabc'],
    [[...Array.from({ length: 20 }, (_, i) => 10 + (i % 2)), 30, 30, 30], 'klklklklklklklklklklE3'],
    [Array.from({ length: 20 }, (_, i) => 51 + (i % 3)), 'Z_aa_abZ_aa_abZ_aa_abZ_aa_abZ_aa_abZ_aa_abZ_aa'],
  ])('%j is %s', (schedule, text) => {
    expect(formatSchedule(schedule)).toBe(text)
    expect(parseSchedule(text)).toEqual(schedule)
  })
})

describe('parseSchedule', () => {
  test('accepts runs in pieces', () => {
    expect(parseSchedule('1x2.1.2x1')).toEqual([1, 1, 1, 2])
  })

  test.each([
    ['-', 0],
    ['ab-', 2],
    ['a0', 1],
    ['_a', 2],
    ['_', 1],
    ['a.b', 1],
    ['0.', 2],
    ['.0', 0],
    ['0..1', 2],
    ['0x', 2],
    ['0x0', 2],
    ['0 .1', 1],
    ['0x2x3', 3],
    ['-1', 0],
    ['0x99999999', 2],
    ['1.5e3', 3],
  ])('refuses %j at character %i', (text, position) => {
    const error = thrownBy(() => parseSchedule(text))
    expect(error).toBeInstanceOf(ReplayError)
    expect(error).toMatchObject({ position, message: expect.stringContaining(`at character ${position}`) })
  })

  test('takes little time for ten thousand steps without a run', () => {
    const schedule = Array.from({ length: 10_000 }, (_, i) => i % 7)
    const start = performance.now()
    expect(parseSchedule(formatSchedule(schedule))).toEqual(schedule)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}
