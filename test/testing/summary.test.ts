import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/testing/finding.ts'
import { labelOf, linesOf, totals, type FoundTest } from '../../src/testing/summary.ts'

const tests = (...findings: Finding[]): FoundTest[] => findings.map((finding, i) => ({ name: `test ${i}`, finding, counts: '3 executions' }))

describe('the summary of a run', () => {
  test('adds up', () => {
    const all = tests({ found: 'holds' }, { found: 'alone' }, { found: 'race' }, { found: 'holds' }, { found: 'unexplored', reason: 'x' }, { found: 'fails' }, { found: 'inconclusive', reason: 'y' })
    expect(totals(all)).toBe('7 tests: 1 race, 2 hold, 1 has no concurrency, 1 inconclusive, 1 fails in the plain order, 1 not explored')
    expect(totals(tests({ found: 'alone' }))).toBe('1 test: 1 has no concurrency')
    expect(totals(tests({ found: 'alone' }, { found: 'alone', waits: true }))).toBe('2 tests: 1 has no concurrency, 1 has one order in time')
  })

  test('names races and what is inconclusive, and puts what was not explored together by reason', () => {
    const reason = (text: string): Finding => ({ found: 'unexplored', reason: text })
    expect(linesOf(tests(reason('a'), { found: 'inconclusive', reason: 'maxTime', contended: [{ name: 'stock.left', races: 2, places: ['stock.ts:3', 'stock.ts:4'] }, { name: 'log', races: 1, places: [] }] }, reason('b'), { found: 'race' }, reason('b'), reason('b'), reason('b'), { found: 'holds' }))).toEqual([
      { found: 'race', text: 'test 3', remark: '3 executions' },
      { found: 'inconclusive', text: 'test 1', remark: '3 executions; maxTime; most races on stock.left (stock.ts:3, stock.ts:4)' },
      { found: 'unexplored', text: 'b', remark: 'test 2, test 4, test 5 and 1 more' },
      { found: 'unexplored', text: 'a', remark: 'test 0' },
    ])
  })

  test('tells of one race once', () => {
    const race = { kind: 'lost-update', title: 'Lost update on n', file: 'a.ts', line: 3, code: 'n = 1' }
    const all = tests({ found: 'race', race }, { found: 'race', race: { ...race, line: 4 } }, { found: 'race', race: { ...race, code: 'n = 2' } }, { found: 'race' }, { found: 'known', race })
    expect(totals(all)).toBe('5 tests: 4 races at 3 places, 1 known race')
    expect(linesOf(all)).toEqual([
      { found: 'race', text: 'test 0, test 1', remark: '2 tests; Lost update on n at a.ts:3' },
      { found: 'race', text: 'test 2', remark: '3 executions; Lost update on n at a.ts:3' },
      { found: 'race', text: 'test 3', remark: '3 executions' },
      { found: 'known', text: 'test 4', remark: '3 executions; Lost update on n at a.ts:3' },
    ])
  })

  test('of those that fail without another order says what nobody has seen', () => {
    expect(linesOf(tests({ found: 'fails' }, { found: 'alone' }, { found: 'fails' }))).toEqual([{ found: 'fails', text: 'in the plain order; whether without exploration as well, a run without --dpor tells', remark: 'test 0, test 2' }])
    expect(linesOf(tests({ found: 'fails', isSure: true }, { found: 'fails' })).map(({ text, remark }) => [text, remark])).toEqual([['in the plain order, without exploration as well', 'test 0'], ['in the plain order; whether without exploration as well, a run without --dpor tells', 'test 1']])
  })

  test('says what rests on how long timers take', () => {
    const [line] = linesOf(tests({ found: 'alone', waits: true }, { found: 'holds' }, { found: 'holds', waits: true }))
    expect(line).toMatchObject({ found: 'waits', text: expect.stringMatching(/^2 tests wait for timers.*--dpor\.time=race/), remark: 'test 0, test 2' })
  })

  test('and what on fakes that answer at once, each named once', () => {
    const [line] = linesOf(tests({ found: 'alone', fakes: ['load at a.test.ts:3'] }, { found: 'alone', fakes: ['load at a.test.ts:3'] }))
    expect(line).toMatchObject({ found: 'fakes', text: expect.stringMatching(/^2 tests call load at a\.test\.ts:3, which answers at once; /), remark: 'test 0, test 1' })
    expect(labelOf('fakes')).toBe('at once')
  })

  test('and what on a fake clock that waits for answers', () => {
    const lines = linesOf(tests({ found: 'alone', waits: 'fake clock' }, { found: 'alone', waits: true }))
    expect(lines.map(({ text, remark }) => [text.split(' (', 1)[0], remark])).toEqual([
      [expect.stringMatching(/^1 test waits for timers/), 'test 1'],
      ['1 test moves a fake clock by what waits', 'test 0'],
    ])
    expect(totals(tests({ found: 'alone', waits: 'fake clock' }))).toBe('1 test: 1 has one order in time')
  })
})
