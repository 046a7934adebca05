import { describe, expect, test } from 'vitest'
import { contended, contendedText } from '../../src/report/index.ts'
import { run } from './executed.ts'

/** `calls` times three rounds, in each of which a counter is read, written and noted in a list. */
const rounds = (calls: number): string => `
  class Stock { left = 9; log = []
    async take(name) { for (let i = 0; i < 3; i++) { const { left } = this; await null; this.left = left - 1; this.log.push(name); await null } } }
  const stock = new Stock()
  await Promise.all(['a', 'b', 'c'].slice(0, ${calls}).map((name) => stock.take(name)))
  return stock.log`

describe('what calls of a large exploration race on', () => {
  test('is found out where a bound ended it', async () => {
    const { result, recording } = await run(rounds(3), { maxExecutions: 300 })
    expect(result.verdict).toBe('inconclusive')
    const [most, next, ...others] = contended(recording!)
    expect([most, next]).toMatchObject([{ name: 'stock.left', places: [expect.stringMatching(/^executed-\d+\.cjs:3$/)] }, { name: 'log' }])
    expect(most!.races).toBeGreaterThan(next!.races)
    expect(others).toEqual([])
    expect(contendedText([most!, next!])).toMatch(/^Races in one execution: \d+ on stock\.left \(executed-\d+\.cjs:3\), \d+ on log \(.*\)\. /)
  })

  test('and where that was time, which is over', async () => {
    const { result, recording } = await run(rounds(3), { maxTime: 3_000 })
    expect(result).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('maxTime') })
    expect(contended(recording!).map(({ name }) => name)).toContain('stock.left')
  })

  test('is not asked for of a small one', async () => {
    const { result, recording } = await run(rounds(2))
    expect(result.verdict).toBe('holds')
    expect(recording).toBeUndefined()
  })

  test('is nothing where they share nothing', async () => {
    const { result, recording } = await run(`let n = 0; const own = async () => { await null; let n = 0; await null; return ++n }; await Promise.all([own(), own()])`)
    expect([result.executions, recording]).toEqual([1, undefined])
    expect(contendedText([])).toBe('')
  })
})
