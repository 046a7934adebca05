import { expect, type ExpectStatic } from 'vitest'
import { asksForAssertionState, assertionStateChanged, assertionStateMade, isInStep, libraryHasAsked, standsForPlatform } from '../runtime/index.ts'
import { tellExtending } from './added-matchers.ts'

/** Where Vitest keeps the state of each `expect`, by that function. */
type States = WeakMap<object, Values>
export type Values = Readonly<Record<string, unknown>>

/** Of each state: what was in it when Vitest had changed it the last time within a step, or somebody asked for it in one. */
const known = new WeakMap<object, Values>()
/** Those that were changed since, outside of steps: there Vitest does so for each assertion of each test, and nobody has to know what it was before. */
const changedOutside = new WeakSet<object>()
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
  const get = (one: object): Values | undefined => {
    const state = WeakMap.prototype.get.call(states, one) as Values | undefined
    if (state !== undefined && isInStep() && changedOutside.delete(state)) known.set(state, { ...state })
    return state
  }
  const set = (one: object, state: Values): States => {
    WeakMap.prototype.set.call(states, one, state)
    tellAsking(one as ExpectStatic)
    const isNew = !known.has(state) && !changedOutside.has(state)
    if (isNew) assertionStateMade(state)
    if (isInStep()) tellChange(state)
    else changedOutside.add(state)
    return states
  }
  standsForPlatform(get)
  standsForPlatform(set)
  Object.defineProperties(states, { get: { value: get, configurable: true, writable: true }, set: { value: set, configurable: true, writable: true } })
  states.set(expect, states.get(expect)!)
}

function tellChange(state: Values): void {
  const before = known.get(state)
  const after = { ...state }
  known.set(state, after)
  if (!before) return
  // `expect.assertions(2)` tries the text of its error.
  if (before['expectedAssertionsNumberErrorGen'] !== after['expectedAssertionsNumberErrorGen']) libraryHasAsked()
  assertionStateChanged(state, { before, after })
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
