import { isOfRuntime, type Key } from './keys.ts'

/** A call of an async function that may go on in the event of a timer. */
interface Continuing {
  readonly name: string
  readonly process: { readonly id: number } | undefined
  readonly caller: Continuing | undefined
}

/** A step, as far as it tells whether it is one. */
export interface TimedStep<Call> {
  readonly process: number
  readonly accesses: readonly { readonly told: { readonly kind: string; readonly key: Key }; readonly call: Call | undefined }[]
}

/** What is known of the processes, by ordinal. */
interface Processes<Call> {
  readonly names: readonly string[]
  /** During which call a process was begun. */
  readonly begunBy: readonly (Call | undefined)[]
  /** All calls, in the order in which they began. */
  readonly calls: Iterable<Call>
  /** The process that a call has of its own, if it has one. */
  readonly processOf: (call: Call) => number | undefined
}

export interface ContinuedCalls<Call> {
  /** By ordinal. */
  readonly names: readonly string[]
  /** By the first process in which each goes on. */
  readonly calls: ReadonlyMap<Call, number>
  /** By the process of a timer, which of them goes on there. */
  readonly callOf: ReadonlyMap<number, Call>
}

/**
 * Where a step is an event: timers by which a call only waits, as by a promise that one settles. To a reader the call goes on there, and has the name that it would have if it
 * waited for an answer.
 */
export function continuedCalls<Call extends Continuing>(steps: readonly TimedStep<Call>[], { names, begunBy, calls: all, processOf }: Processes<Call>): ContinuedCalls<Call> {
  const numbers = numbered(all)
  const shown = [...names]
  const calls = new Map<Call, number>()
  const callOf = new Map<number, Call>()
  for (const { process, accesses } of steps) {
    if (accesses[0]?.told.key.kind !== 'fired' || callOf.has(process)) continue
    const call = goesOn(accesses)
    if (!call || !isWithin(begunBy[process], call)) continue
    callOf.set(process, call)
    const known = processOf(call) ?? calls.get(call)
    if (known === undefined) calls.set(call, process)
    shown[process] = known === undefined ? freeName(call.name, numbers.get(call) ?? 1, shown) : shown[known]!
  }
  return { names: shown, calls, callOf }
}

/** Whose code it is that runs in the step: nobody's where a callback does something itself. */
function goesOn<Call>(accesses: TimedStep<Call>['accesses']): Call | undefined {
  return accesses.find(({ told }) => told.kind !== 'wait' && told.kind !== 'settle' && !isOfRuntime(told.key))?.call
}

function isWithin<Call extends Continuing>(one: Call | undefined, call: Call): boolean {
  for (let at: Continuing | undefined = one; at; at = at.caller) if (at === call) return true
  return false
}

/** Of those that have one name. */
function numbered<Call extends Continuing>(calls: Iterable<Call>): Map<Call, number> {
  const counts = new Map<string, number>()
  const numbers = new Map<Call, number>()
  for (const call of calls) {
    const number = (counts.get(call.name) ?? 0) + 1
    counts.set(call.name, number)
    numbers.set(call, number)
  }
  return numbers
}

function freeName(name: string, from: number, names: readonly string[]): string {
  let number = from
  while (names.includes(`${name}#${number}`)) number++
  return `${name}#${number}`
}
