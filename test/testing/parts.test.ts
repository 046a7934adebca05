import { describe, expect, test } from 'vitest'
import type { DporMeta } from '../../src/testing/meta.ts'
import { joinParts, type FoundByPart } from '../../src/testing/parts.ts'

const meta = (part: string, more: Partial<DporMeta> = {}): DporMeta => ({ verdict: 'holds', executions: 4, blocked: 0, steps: 20, interleave: 'event-loop', equivalence: 'trace', part, standIns: [], ...more })
const dporTest = (part: string, more?: Partial<DporMeta>): FoundByPart => ({ dpor: meta(part, more) })
const ordinary = (part: string, more?: Partial<DporMeta>): FoundByPart => ({ dpor: meta(part, more), dporFound: { found: more?.verdict === 'fails' ? 'race' : 'holds' } })

describe('what machines have found out together', () => {
  test('holds if all parts are there, and hold', () => {
    const { dpor } = joinParts([dporTest('2/2'), dporTest('1/2')])
    expect(dpor).toMatchObject({ verdict: 'holds', executions: 8, steps: 40 })
    expect(dpor).not.toHaveProperty('part')
  })

  test('fails if one part does, and replays its failure', () => {
    expect(joinParts([dporTest('1/2'), dporTest('2/2', { verdict: 'fails', schedule: '0.1' })]).dpor).toMatchObject({ verdict: 'fails', schedule: '0.1' })
    expect(joinParts([ordinary('1/2'), ordinary('2/2', { verdict: 'fails' })]).dporFound).toEqual({ found: 'race' })
  })

  test('is inconclusive if a part is, or is missing', () => {
    expect(joinParts([dporTest('1/2'), dporTest('2/2', { verdict: 'inconclusive', inconclusiveReason: 'maxTime' })]).dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxTime' })
    const bounded = (part: string, inconclusiveReason: string): FoundByPart => dporTest(part, { verdict: 'inconclusive', inconclusiveReason })
    expect(joinParts([bounded('1/2', 'preemptionBound of 1; holds for less'), bounded('2/2', 'preemptionBound of 1; holds for less')]).dpor!.inconclusiveReason).toBe('preemptionBound of 1; holds for less')
    expect(joinParts([bounded('1/2', 'preemptionBound of 1; holds for less'), bounded('2/2', 'maxTime')]).dpor!.inconclusiveReason).toBe('maxTime')
    expect(joinParts([ordinary('1/3')])).toMatchObject({ dpor: { verdict: 'inconclusive' }, dporFound: { found: 'inconclusive', reason: 'parts 2/3, 3/3 missing' } })
    expect(joinParts([ordinary('1/3'), ordinary('2/3', { verdict: 'fails' })])).toMatchObject({ dpor: { verdict: 'fails' }, dporFound: { found: 'race' } })
  })

  test('is as large as all parts together, as far as each can tell', () => {
    const cut = (part: string, estimate: number): FoundByPart => ({ dpor: meta(part, { verdict: 'inconclusive', inconclusiveReason: 'maxExecutions of 4', estimate, estimateRange: [estimate / 2, estimate * 2] }), dporFound: { found: 'inconclusive', reason: 'of one part' } })
    expect(joinParts([cut('1/3', 100), ordinary('2/3'), cut('3/3', 200)])).toMatchObject({ dpor: { estimate: 304, estimateRange: [154, 604] }, dporFound: { found: 'inconclusive', reason: 'maxExecutions of 4; about 300 in all (150 to 600)' } })
    const unknown: FoundByPart = { dpor: meta('2/2', { verdict: 'inconclusive', inconclusiveReason: 'maxTime' }), dporFound: { found: 'inconclusive', reason: 'maxTime' } }
    expect(joinParts([cut('1/2', 100), unknown]).dpor).not.toHaveProperty('estimate')
  })

  test('counts the plain run of an ordinary test once, and not at all where it is one of the others', () => {
    expect(joinParts([ordinary('1/2'), ordinary('2/2')])).toMatchObject({ dpor: { executions: 6 }, dporFound: { found: 'holds' } })
    expect(joinParts([ordinary('1/2', { standIns: ['load'] }), ordinary('2/2', { standIns: ['load'] })]).dpor).toMatchObject({ executions: 7 })
    expect(joinParts([ordinary('1/2', { executions: 2 }), ordinary('2/2', { executions: 1 })]).dporFound).toEqual({ found: 'alone' })
  })

  test('a test that one machine could not explore does not hold', () => {
    expect(joinParts([ordinary('1/2'), { dporFound: { found: 'unexplored', reason: 'real I/O' } }]).dporFound).toMatchObject({ found: 'unexplored' })
  })

  test('what was not divided is the worst of all', () => {
    expect(joinParts([{ dporFound: { found: 'alone' } }, { dporFound: { found: 'fails' } }])).toEqual({ dpor: undefined, dporFound: { found: 'fails' } })
    expect(joinParts([{}, {}])).toEqual({ dpor: undefined, dporFound: undefined })
  })
})
