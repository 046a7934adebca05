import { describe, expect, test } from 'vitest'
import { lines } from './build.ts'
import { BruteForce, type Enumeration } from './brute-force.ts'
import { communication } from './communication.ts'
import { compare, none } from './compare.ts'
import { deadlocks } from './deadlocks.ts'
import { exploreListed } from './listed.ts'
import { mixtures } from './mixtures.ts'
import { severalAccesses } from './programs.ts'
import { waiting } from './waiting.ts'

const cap = 20_000

function enumerate(bruteForce: BruteForce): Enumeration {
  const found = bruteForce.enumerate({ cap })
  if (found === undefined) throw new Error('too large')
  return found
}

describe('brute force', () => {
  test('writes the same form for interleavings that order all dependent steps alike, and for no others', () => {
    const bruteForce = new BruteForce(lines(({ x, y }) => [[x.write(1), y.read()], [y.write(1)]]))
    const [xyy, xYy, yXy] = [[0, 0, 1], [0, 1, 0], [1, 0, 0]].map((schedule) => bruteForce.formOf(schedule))
    expect(xYy).toBe(yXy)
    expect(xyy).not.toBe(xYy)
  })

  test('counts interleavings: 4 steps of two threads in 6 ways, which are 3 classes', () => {
    const { classes, interleavings } = enumerate(new BruteForce(lines(({ x, y }) => [[x.write(1), y.read()], [y.write(1), x.read()]])))
    expect(interleavings).toBe(6)
    expect(classes.size).toBe(3)
  })

  test('tells how each class ends', () => {
    const { classes } = enumerate(new BruteForce(lines(({ x }, { until }) => [[until(x, (value) => value === 1)], [x.write(1), x.write(2)]])))
    expect([...classes.values()].toSorted()).toEqual(['deadlock', undefined])
  })

  test('gives up above its cap: three writers have 1 + 3 + 6 states that go on', () => {
    const program = lines(({ x }) => [[x.write(1)], [x.write(2)], [x.write(3)]])
    expect(new BruteForce(program).enumerate({ cap: 9 })).toBeUndefined()
    expect(new BruteForce(program).enumerate({ cap: 10 })?.classes.size).toBe(6)
  })

  test('refuses a schedule that is no whole execution', () => {
    const bruteForce = new BruteForce(lines(({ x }) => [[x.write(1)], [x.write(2)]]))
    expect(() => bruteForce.formOf([0])).toThrow('no whole execution')
    expect(() => bruteForce.formOf([0, 1, 1])).toThrow('no whole execution')
    expect(() => bruteForce.formOf([0, 2])).toThrow('no whole execution')
  })

  test('finds the same with and without merging equivalent prefixes', () => {
    for (const { name, program } of [...communication, ...deadlocks, ...waiting, ...mixtures, ...severalAccesses]) {
      const bruteForce = new BruteForce(program)
      const merged = bruteForce.enumerate({ cap })
      if (merged === undefined || merged.interleavings > 300) continue
      const all = bruteForce.enumerate({ cap: Infinity, merge: false })
      expect(all, name).toEqual(merged)
    }
  })
})

describe('the comparison', () => {
  const program = lines(({ x }) => [[x.write(1)], [x.read()], [x.read()]])
  const bruteForce = new BruteForce(program)
  const enumeration = enumerate(bruteForce)
  const { listed } = exploreListed(program, 'source')

  test('finds nothing wrong with one execution of each class', () => {
    expect(listed).toHaveLength(4)
    expect(compare(listed, enumeration, bruteForce)).toEqual(none)
  })

  test('finds a class that is missing', () => {
    expect(compare(listed.slice(1), enumeration, bruteForce)).toMatchObject({ missing: [bruteForce.formOf(listed[0]!.schedule)], repeated: [], wrong: [] })
  })

  test('finds a class that is there twice', () => {
    const executions = [...listed, { schedule: [0, 1, 2], end: undefined }, { schedule: [0, 2, 1], end: undefined }]
    expect(compare(executions, enumeration, bruteForce)).toMatchObject({ missing: [], repeated: ['0.1.2', '0.2.1'], wrong: [] })
  })

  test('finds an execution that should have ended otherwise', () => {
    const [first, ...others] = listed
    const executions = [{ schedule: first!.schedule, end: 'deadlock' as const }, ...others]
    expect(compare(executions, enumeration, bruteForce)).toMatchObject({ missing: [], repeated: [], wrong: [first!.schedule.join('.')] })
  })
})
