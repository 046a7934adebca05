import { SourceMap } from 'magic-string'
import { describe, expect, test } from 'vitest'
import { Mappings } from '../../plugin/3-rewrite/mappings.ts'

type Segment = [column: number, source: 0, line: number, sourceColumn: number] | [column: number]

/** As a library writes them. */
const encoded = (lines: Segment[][]): string => new SourceMap({ sources: ['a.js'], names: [], mappings: lines } as never).mappings

function written(lines: readonly Segment[][]): string {
  const mappings = new Mappings()
  for (const [i, line] of lines.entries()) {
    if (i > 0) mappings.endLine()
    for (const segment of line) {
      if (segment.length === 1) mappings.nothing(segment[0])
      else mappings.source(segment[0], segment[2], segment[3])
    }
  }
  return String(mappings)
}

describe('mappings are written as others write them', () => {
  test.each<[name: string, lines: Segment[][]]>([
    ['none', [[]]],
    ['lines without any', [[], [], [[0, 0, 2, 0]], []]],
    ['back in the source', [[[0, 0, 9, 40], [7, 0, 3, 2]], [[0, 0, 3, 0]]]],
    ['parts that stand for nothing of it', [[[0], [5, 0, 0, 5], [9]], [[2], [3, 0, 1, 1]]]],
    ['numbers of several digits', [[[15, 0, 15, 15], [16, 0, 16, 16], [31, 0, 31, 31], [1023, 0, 1024, 1], [9_000_000, 0, 0, 9_000_000]]]],
  ])('%s', (_, lines) => {
    expect(written(lines)).toBe(encoded(lines))
  })

  test('many', () => {
    let seed = 1
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
    const lines = Array.from({ length: 500 }, () => {
      let column = 0
      return Array.from({ length: random(20) }, (): Segment => {
        column += random(80)
        return random(5) === 0 ? [column] : [column, 0, random(3000), random(400)]
      })
    })
    const text = written(lines)
    expect(text.length).toBeGreaterThan(20_000)
    expect(text).toBe(encoded(lines))
  })
})
