import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { running } from '../execution/running.ts'
import { standsForPlatform } from './function-kinds.ts'

/**
 * `mock.invocationCallOrder`: which number each call has among those of all mocks. Hardly anybody asks for it, and until somebody does, no call is told
 * as a change of that.
 */

const name = 'orderOfMocks'

const location = (execution: Execution): ReturnType<Execution['identities']['named']> => execution.identities.named('the order of the calls of mocks')

/** A mock was called. */
export function calledAmongMocks(execution: Execution, site: SiteId): void {
  if (!execution.identities.assumptions.unasked.has(name)) execution.accesses.append(location(execution), STATE, site, {})
}

/** Somebody asks which numbers the calls of a mock have. */
export function asksForOrderOfMocks(execution: Execution, site: SiteId): void {
  if (execution.identities.assumptions.unasked.lose(name)) execution.accesses.startAnew()
  execution.accesses.read(location(execution), STATE, site, undefined, 'order')
}

/** The number of the first call in this exploration. */
let first: number | undefined

/** By how much the numbers of an execution are larger than those of the first one: the test framework goes on counting. */
const shifts = new PerExecution<{ by?: number }>(() => ({}))

/** An exploration begins. */
export function numbersMocksAnew(): void {
  first = undefined
}

function numberIn(execution: Execution, number: number): number {
  first ??= number
  const shift = shifts.of(execution)
  shift.by ??= number - first
  return number - shift.by
}

// oxlint-disable-next-line typescript/unbound-method
const { push } = Array.prototype

/** In this list the calls of each execution get the numbers that they would have in the first one. */
export function numbersLikeFirst(list: unknown): void {
  if (!Array.isArray(list) || Object.hasOwn(list, 'push')) return
  const numbered = (...numbers: number[]): unknown => Reflect.apply(push, list, running === null ? numbers : [...numbers].map((number) => numberIn(running!, number)))
  standsForPlatform(numbered)
  Object.defineProperty(list, 'push', { value: numbered, configurable: true, writable: true })
}
