import { expect, type ExpectStatic, type TestContext } from 'vitest'
import { stateOf, type Values } from './assertion-state.ts'

/** What Vitest checks after a test: `expect.assertions(2)`, `expect.hasAssertions()`. */
interface Counted {
  readonly assertionCalls: number
  readonly expectedAssertionsNumber: number | null
  readonly expectedAssertionsNumberErrorGen: (() => Error) | null
  readonly isExpectingAssertions: boolean
  readonly isExpectingAssertionsError: Error | null
}

const none: Counted = { assertionCalls: 0, expectedAssertionsNumber: null, expectedAssertionsNumberErrorGen: null, isExpectingAssertions: false, isExpectingAssertionsError: null }

/** The assertions of each execution are counted for themselves: by the `expect` of the test's own context once the body has asked for that one, else by the common one. */
export class AssertionCounts {
  readonly #context: TestContext | undefined
  readonly #before = countedBy(expect)
  readonly #othersBefore = { ...stateOf(expect) }
  readonly #beforeOfTest: Counted
  /** In the last execution that was checked. */
  #checked: Counted | undefined
  /** This one was. */
  #isChecked = false

  constructor(context: TestContext | undefined) {
    this.#context = context
    this.#beforeOfTest = this.#ofTest ? countedBy(this.#ofTest) : none
  }

  begin(): void {
    this.#isChecked = false
    putBack(expect, this.#othersBefore)
    setCounted(expect, this.#before)
    if (this.#ofTest) setCounted(this.#ofTest, this.#beforeOfTest)
  }

  /** Once in an execution. @throws what Vitest would */
  check(): void {
    if (this.#isChecked) return
    this.#isChecked = true
    const counted = (this.#checked = countedBy(this.#ofTest ?? expect))
    const { assertionCalls, expectedAssertionsNumber: expected } = counted
    if (typeof expected === 'number' && assertionCalls !== expected) throw counted.expectedAssertionsNumberErrorGen!()
    if (counted.isExpectingAssertions && assertionCalls === 0) throw counted.isExpectingAssertionsError!
  }

  /** What the runner itself checks after the body is an execution that was checked. */
  end(): void {
    putBack(expect, this.#othersBefore)
    const checked = this.#checked
    if (this.#ofTest) setCounted(this.#ofTest, checked ?? this.#beforeOfTest)
    setCounted(expect, (!this.#ofTest && checked) || this.#before)
  }

  get #ofTest(): ExpectStatic | undefined {
    const context = this.#context as (TestContext & Readonly<Record<'_local', boolean>>) | undefined
    // To ask for it makes it the one that counts.
    return context?.['_local'] ? context.expect : undefined
  }
}

/** What else `expect.setState` has put there. */
function putBack(one: ExpectStatic, before: Values): void {
  const state = stateOf(one)
  const changed = Object.keys(state).filter((name) => !(name in none) && state[name] !== before[name])
  if (changed.length === 0) return
  for (const name of changed) if (!(name in before)) Reflect.deleteProperty(state, name)
  one.setState(Object.fromEntries(changed.filter((name) => name in before).map((name) => [name, before[name]])))
}

/** To set the state takes Vitest a while, which would be much of a short execution. */
function setCounted(one: ExpectStatic, counted: Counted): void {
  const now = stateOf(one) as unknown as Counted
  if ((Object.keys(none) as (keyof Counted)[]).some((name) => now[name] !== counted[name])) one.setState(counted as object)
}

function countedBy(one: ExpectStatic): Counted {
  const { assertionCalls, expectedAssertionsNumber, expectedAssertionsNumberErrorGen, isExpectingAssertions, isExpectingAssertionsError } = stateOf(one) as unknown as Counted
  return { assertionCalls, expectedAssertionsNumber, expectedAssertionsNumberErrorGen, isExpectingAssertions, isExpectingAssertionsError }
}
