import { expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { compare } from './compare.ts'
import { enumerate } from './enumerate.ts'
import { generate, print } from './generate.ts'
import { minimise } from './minimise.ts'
import { scope } from './scope.ts'
import { sharedThings } from './shared-things.ts'

validity.decided = true

const seeds = Array.from({ length: 60 }, (_, i) => i + 1)

test('one seed gives one body, another seed another', () => {
  const bodies = seeds.map((seed) => print(generate({ seed })))
  expect(seeds.map((seed) => print(generate({ seed })))).toEqual(bodies)
  expect(new Set(bodies).size).toBe(seeds.length)
})

test.each(Object.keys(sharedThings))('random bodies over %s run', async (thing) => {
  for (const seed of seeds.slice(0, 12)) {
    const source = print(generate({ seed, things: [thing] }))
    const { outcomes } = await enumerate(source, { scope, limit: 200 })
    for (const outcome of outcomes) expect(outcome, source).not.toMatch(/ReferenceError|SyntaxError|is not a function/)
  }
})

const plainThings = ['variable', 'text', 'object', 'accessor', 'instance', 'iterator', 'generator']

test.each([{ microtasks: false }, { microtasks: true }, { prepares: true }])('random bodies over plain things have the outcomes that the reference says: %o', async (options) => {
  for (const seed of seeds) {
    const source = print(generate({ seed, things: plainThings, ...options }))
    const { lost, invented, error } = await compare(source, { scope, limit: 300, allowsPlainRuns: true })
    expect({ lost, invented, error }, source).toEqual({ lost: [], invented: [], error: undefined })
  }
})

test('a body is made smaller as long as it stays wrong', async () => {
  const body = { makes: ['let x = 0', 'let y = 0'], before: ['x = 1'], tasks: [['x++', 'y++'], ['x--'], ['y--']], ends: ['x', 'y'] }
  const smallest = await minimise(body, async (smaller) => print(smaller).includes('y++') && smaller.ends.includes('y'))
  expect(smallest).toEqual({ makes: ['let y = 0'], before: [], tasks: [['y++']], ends: ['y'] })
})
