import { expect, test } from 'vitest'
import { explore, install } from '../../src/runtime/index.ts'
import { knowExpect } from '../../src/vitest/assertion-state.ts'

install()

test('what Vitest keeps of an `expect` is only looked at within steps: outside it changes with each assertion of each test', async () => {
  knowExpect()
  const states = Reflect.get(globalThis, Symbol.for('matchers-object')) as WeakMap<object, object>
  let looks = 0
  const state = new Proxy({ assertionCalls: 0 }, {
    ownKeys(target) {
      looks++
      return Reflect.ownKeys(target)
    },
  })
  const one = Object.assign(() => {}, { getState: () => state, extend() {}, addEqualityTesters() {}, addSnapshotSerializer() {} })
  const count = (): void => {
    states.get(one)
    state.assertionCalls++
    states.set(one, state)
  }
  states.set(one, state)
  for (let i = 0; i < 10; i++) count()
  expect(looks).toBe(0)
  await explore(async () => count())
  expect(looks).toBeGreaterThan(1)
})
