import { expect, type ExpectStatic } from 'vitest'
import { asksForAssertionState, assertionStateChanged, assertionStateMade, libraryHasAsked, standsForPlatform } from '../runtime/index.ts'
import { tellExtending } from './added-matchers.ts'

/** Where Vitest keeps the state of each `expect`, by that function. */
type States = WeakMap<object, Values>
export type Values = Readonly<Record<string, unknown>>

/** Of each state: what was in it when Vitest had changed it the last time. */
const known = new WeakMap<object, Values>()
const told = new WeakSet<object>()

const allStates = (): States | undefined => Reflect.get(globalThis, Symbol.for('matchers-object')) as States | undefined

/** The state of an `expect`, which a test has not asked for. */
export function stateOf(one: ExpectStatic): Values {
  return allStates()?.get(one) ?? (one.getState() as unknown as Values)
}

/** What is asked of `expect` for its state, and what assertions change of that, is told: also of the `expect` that a test has of its own. */
export function knowExpect(): void {
  const states = allStates()
  if (!states || Object.hasOwn(states, 'set')) return
  const set = (one: object, state: Values): States => {
    WeakMap.prototype.set.call(states, one, state)
    tellAsking(one as ExpectStatic)
    const before = known.get(state)
    const after = { ...state }
    known.set(state, after)
    if (!before) assertionStateMade(state)
    else {
      // `expect.assertions(2)` tries the text of its error.
      if (before['expectedAssertionsNumberErrorGen'] !== after['expectedAssertionsNumberErrorGen']) libraryHasAsked()
      assertionStateChanged(state, { before, after })
    }
    return states
  }
  standsForPlatform(set)
  Object.defineProperty(states, 'set', { value: set, configurable: true, writable: true })
  states.set(expect, states.get(expect)!)
}

function tellAsking(one: ExpectStatic): void {
  if (told.has(one)) return
  told.add(one)
  const { getState } = one
  const asking = (): ReturnType<typeof getState> => {
    asksForAssertionState()
    return getState()
  }
  one.getState = asking
  tellExtending(one)
}
