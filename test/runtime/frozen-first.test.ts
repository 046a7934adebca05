import { expect, test } from 'vitest'
import { explore } from '../../src/runtime/exploration/explore.ts'
import { madeOf } from '../report/executed.ts'

/** Two answers of which the last one wins, after `first`. */
const searches = (first: string, given: object) => {
  const body = madeOf(
    `return async () => {
      ${first}
      let shown = ''
      const find = async (text) => { await null; return text }
      const search = async (text) => { shown = await find(text) }
      await Promise.all([search('a'), search('ab')])
      if (shown !== 'ab') throw new Error('outdated')
    }`,
    '/app.cjs',
    given,
  ) as () => Promise<void>
  return explore(body)
}
const freezeOf = (file: string) => madeOf('return (state) => { if (!Object.isFrozen(state)) Object.freeze(state) }', file) as (state: object) => void
const freeze = freezeOf('/node_modules/keeping/index.cjs')
const lost = expect.stringContaining('could not be undone: the state of an Object')

test('what a package freezes of what is older is frozen in every execution', async () => {
  const state = madeOf('return { n: 0 }', '/state.cjs') as object
  expect(await searches('freeze(state)', { freeze, state })).toMatchObject({ verdict: 'fails', failures: [{ error: { message: 'outdated' } }] })
  expect(Object.isFrozen(state)).toBe(true)
})

test('what was changed before is lost, and so nothing is certain', async () => {
  const state = madeOf('return { n: 0 }', '/state.cjs') as object
  expect(await searches('state.n = 1; freeze(state)', { freeze, state })).toMatchObject({ verdict: 'inconclusive', executions: 1, inconclusiveReason: lost })
})

test('the program itself may do something once alone that way', async () => {
  const state = madeOf('return { n: 0 }', '/state.cjs') as object
  expect(await searches('freeze(state)', { freeze: freezeOf('/freeze.cjs'), state })).toMatchObject({ verdict: 'inconclusive', executions: 1, inconclusiveReason: lost })
})

test('what can still change is no such thing', async () => {
  const state = madeOf('return { n: 0 }', '/state.cjs') as object
  const seal = madeOf('return (state) => Object.seal(state)', '/node_modules/keeping/index.cjs')
  expect(await searches('seal(state)', { seal, state })).toMatchObject({ verdict: 'inconclusive', executions: 1, inconclusiveReason: lost })
})
