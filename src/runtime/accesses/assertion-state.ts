import { Object } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { property, STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { namePermanently } from '../execution/permanent-names.ts'
import { running } from '../execution/running.ts'

/**
 * What an assertion library keeps of itself where a test can look, such as how many assertions there were. Hardly anybody does, and until somebody
 * asks, no assertion is told as a change of that.
 */

const name = 'stateOfAssertions'

type Values = Readonly<Record<string, unknown>>

/** How often the running step has asked. */
const asked = new PerExecution<{ times: number }>(() => ({ times: 0 }))

/** Before a body began somebody has asked, and may have kept what was given. */
let mayBeKept = false

/** Somebody is given what is kept: looks at its properties are told where they are made. */
export function asksForAssertionState(): void {
  const execution = running
  if (execution === null) {
    mayBeKept = true
    return
  }
  if (asked.of(execution).times++ > 0) return
  execution.atStepEnd(() => {
    const { times } = asked.of(execution)
    asked.of(execution).times = 0
    if (times > 0 && execution.identities.assumptions.unasked.lose(name)) execution.accesses.startAnew()
  })
}

/** It was the library itself that has asked, and shows nobody what it was given. */
export function libraryHasAsked(): void {
  if (running !== null) asked.of(running).times--
}

/** The library has made it: for a test, and not for one of its executions. */
export function assertionStateMade(state: object): void {
  namePermanently(state, 0)
}

/** What decides what an assertion is, and whether it passes. */
const matchers = 'matchers'

/** Something is added by which assertions are made: all others find it from then on, but none of the next execution. `save` returns what takes it away again. */
export function assertionsExtended(holder: object, part: string, save: () => () => void): void {
  if (running === null) return
  const { accesses, identities, journal, lastSite } = running
  journal.part(holder, part, save)
  if (!accesses.isExploring) return
  if (identities.assumptions.unasked.lose(matchers)) accesses.startAnew()
  accesses.write(namedObject(running, matchers), STATE, lastSite, part)
}

function looksAtMatchers(execution: Execution): void {
  if (!execution.identities.assumptions.unasked.has(matchers)) execution.accesses.read(namedObject(execution, matchers), STATE, execution.lastSite, undefined)
}

/** The library has changed it: it does so for each assertion. */
export function assertionStateChanged(state: object, { before, after }: { readonly before: Values; readonly after: Values }): void {
  if (running !== null) looksAtMatchers(running)
  if (running === null || (!mayBeKept && running.identities.assumptions.unasked.has(name))) return
  const { accesses, identities, lastSite } = running
  const id = identities.of(state)
  for (const key of Object.keys(after)) {
    const [found, value] = [before[key], after[key]]
    if (found === value) continue
    // One more assertion.
    if (typeof found === 'number' && value === found + 1) accesses.increase(id, property(key), lastSite, { found, amount: 1 })
    else accesses.write(id, property(key), lastSite, value)
  }
}
