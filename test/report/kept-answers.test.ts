import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Explanation } from '../../src/report/index.ts'
import { investigated, madeOf } from './executed.ts'

const testFile = '/app/test.spec.cjs'

async function storyOf(code: string, given: object): Promise<{ headline: string; explanation: Explanation }> {
  const { message, explanation } = await investigated(code, { given, testFile })
  return { headline: stripVTControlCharacters(message).replaceAll(/\s+/g, ' '), explanation }
}

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

/** A store with a reducer; `rest`: what else its `getState` does. */
const storeOf = (rest = ''): unknown =>
  ofPackage(
    'store',
    `return (reducer, initial) => {
      let currentState = initial
      let asked = 0
      return { getState() { ${rest}return currentState }, stateOf(name) { return currentState }, dispatch(action) { const next = reducer(currentState, action); currentState = next } }
    }`,
  )

const counting = (get: string): string => `
  const store = create((state, action) => {
    if (action.type !== 'set') return state
    return { ...state, counts: { ...state.counts, open: action.open } }
  }, { user: 'ann', counts: { open: 0, done: 0 } })
  const open = async () => {
    const { open } = ${get}.counts
    await null
    store.dispatch({ type: 'set', open: open + 1 })
  }
  await Promise.all([open(), open()])
  if (store.getState().counts.open !== 2) throw new Error('lost')`

describe('what a package keeps and hands out as a whole', () => {
  test('is called as it is asked for, and told with the part that is another one, where the user\'s own code has called the package', async () => {
    const { headline, explanation } = await storyOf(counting('store.getState()'), { create: storeOf() })
    expect(headline).toMatch(/^\w[\w -]+ on store\.getState\(\)\.counts\.open: open#2 read 0, then open#1 wrote 1, then open#2 changed it to 1\./)
    // And not where the reducer was, which the package has called.
    expect(explanation.rows.map(({ where, text }) => `${where} ${text}`)).toEqual([
      'test.spec.cjs:7 read store.getState().counts.open -> 0',
      'test.spec.cjs:9 update store.getState().counts.open 0 -> 1',
      'test.spec.cjs:9 update store.getState().counts.open 1 -> 1',
    ])
  })

  test('also where a callback has got what asks for it', async () => {
    const create = ofPackage('store', `return (make) => { let state; const set = (part) => { state = Object.assign({}, state, part) }; const get = () => state; state = make(set, get); return get }`)
    const { headline } = await storyOf(
      `const get = create((set, get) => ({ total: 0, async add(price) { const { total } = get(); await null; set({ total: total + price }) } }))
      await Promise.all([get().add(5), get().add(7)])
      if (get().total !== 12) throw new Error('lost')`,
      { create },
    )
    expect(headline).toMatch(/^\w[\w ]+ on get\(\)\.total: add#2 (?:wrote 7|read 0)/)
  })

  test('but not with what says which one it is', async () => {
    const { headline } = await storyOf(counting("store.stateOf('ann')").replace('store.getState()', "store.stateOf('ann')"), { create: storeOf() })
    expect(headline).toContain(' on currentState')
  })

  test('nor where more is done for that', async () => {
    const { headline } = await storyOf(counting('store.getState()'), { create: storeOf('asked++; ') })
    expect(headline).toContain(' on currentState')
  })
})

describe('what a queue of a package runs', () => {
  const queue = ofPackage('queue', `const run = async (job, resolve) => { await null; resolve(await job()) }
    return { add: (job) => new Promise((resolve) => { run(job, resolve) }) }`)
  const counter = (job: string): string => `
    const box = { n: 0 }
    const count = async () => { const { n } = box; await null; box.n = n + 1 }
    await Promise.all([queue.add(${job}), queue.add(${job})])
    if (box.n !== 2) throw new Error('lost')`

  test('is the work of the user\'s function', async () => {
    const { headline, explanation } = await storyOf(counter('() => count()'), { queue })
    expect(headline).toMatch(/^Lost update on box\.n: count#2 wrote 1 from a value read before count#1 wrote 1\./)
    expect(explanation.columns.map(({ name }) => name)).toEqual(['count#1', 'count#2'])
  })

  test('and the package\'s own where it does more there for the user', async () => {
    const { headline } = await storyOf(counter('() => { box.n += 0; return count() }'), { queue })
    expect(headline).toMatch(/: run#2 wrote 1 from a value read before run#1 wrote 1\./)
  })
})
