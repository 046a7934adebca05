import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { initial } from './instrumented/initial.ts'

const answer = async (n: number): Promise<number> => n

test('what a body freezes of what is older is frozen in every execution', async () => {
  const body = async (): Promise<void> => {
    let state: { readonly n: number } = Object.freeze(initial.fresh)
    Object.freeze(initial.fresh.list)
    const set = async (n: number): Promise<void> => {
      state = { n: await answer(n) }
    }
    await Promise.all([set(1), set(2)])
    expect(state.n).toBe(2)
  }
  expect(await explore(body)).toMatchObject({ verdict: 'fails' })
  expect(Object.isFrozen(initial.fresh)).toBe(true)
})

test('what was changed before is lost, and so nothing is certain', async () => {
  const body = async (): Promise<void> => {
    initial.changed.n = 1
    Object.freeze(initial.changed)
    await Promise.all([answer(1), answer(2)])
  }
  expect(await explore(body)).toMatchObject({ verdict: 'inconclusive', executions: 1, inconclusiveReason: expect.stringContaining('could not be undone: the state of an Object') })
})

test('nor is it where some order alone freezes something', async () => {
  let last = 0
  const body = async (): Promise<void> => {
    last = 0
    const set = async (n: number): Promise<void> => {
      last = await answer(n)
    }
    await Promise.all([set(1), set(2)])
    if (last === 1) Object.freeze(initial.late)
    expect(last).toBeGreaterThan(0)
  }
  // Once more from the beginning, where it is frozen in every order.
  expect(await explore(body)).toMatchObject({ verdict: 'holds', executions: 2 })
})

test('what can still change is no such thing', async () => {
  const body = async (): Promise<void> => {
    Object.seal(initial.sealed)
    await Promise.all([answer(1), answer(2)])
  }
  expect(await explore(body)).toMatchObject({ verdict: 'inconclusive' })
})
