import { ACQUIRE, JOIN, RELEASE, UNTIL, WAIT, isChange, isLock } from '../access.ts'
import { ExecutionOrder, type OrderedRace, type OrderedStep, type OrderReason } from '../execution-order.ts'
import type { Ordinal } from '../ids.ts'
import { assertValid } from '../validity.ts'
import { NONE } from './processes.ts'
import type { Trace } from './trace.ts'

/** The order of the execution in the trace, with its reasons, from what the trace has kept: origins, races, barriers. */
export function orderOf(trace: Trace): ExecutionOrder {
  const order = new OrderReader(trace).order()
  assertValid(() => trace.steps.count > longestChecked || isSameOrder(trace, order), 'the order that is handed out is the one that was explored')
  return order
}

/** The comparison takes the square of the steps. */
const longestChecked = 300

/** Whether it orders just those steps that the trace orders. Slow. */
export function isSameOrder(trace: Trace, order: ExecutionOrder): boolean {
  for (let second = 0; second < trace.steps.count; second++) {
    for (let first = 0; first <= second; first++) {
      if (trace.happensBefore(first, second) !== order.happensBefore(first, second)) return false
    }
  }
  return true
}

/** Goes through the steps once, in their order. */
class OrderReader {
  readonly #trace: Trace
  readonly #steps: OrderedStep[] = []
  /** Those of steps that were both taken. */
  readonly #races: OrderedRace[] = []
  /** By step: those that it conflicts with, and nothing but that orders them. */
  readonly #conflicts: number[][] = []
  /** Of a step that waited for a value or a lock: before which steps it could have come. */
  readonly #earlier: number[][] = []
  /** By location: the steps that changed it, but for those that another of them happens after. */
  readonly #changed = new Map<number, readonly number[]>()
  /** By location: the last step that took the lock or gave it back. */
  readonly #locked = new Map<number, number>()
  /** By process: its last step. */
  readonly #last = new Map<number, number>()

  constructor(trace: Trace) {
    this.#trace = trace
    const { races } = trace
    for (let race = 0; race < races.count; race++) {
      const [first, second] = [races.first[race] as number, races.step[race] as number]
      // What a woken process would have done only could have come before a step.
      if (second === NONE || !trace.happensBefore(first, second)) continue
      this.#races.push({ first, second })
      const list = races.blocking[race] === NONE ? this.#conflicts : this.#earlier
      ;(list[second] ??= []).push(first)
    }
  }

  order(): ExecutionOrder {
    const { steps } = this.#trace
    for (let step = 0; step < steps.count; step++) {
      this.#steps.push({ process: steps.process[step] as number, since: this.#since(step), after: this.#after(step) })
      this.#took(step)
    }
    return new ExecutionOrder({ steps: this.#steps, races: this.#races })
  }

  /** The number of the first step after the last barrier before this one. */
  #since(step: number): number {
    const { barrier } = this.#trace.steps
    if (barrier[step] === 0) return 0
    return step > 0 && barrier[step - 1] === barrier[step] ? this.#steps[step - 1]!.since : step
  }

  #after(step: number): OrderedStep['after'] {
    const { steps } = this.#trace
    const after = new Map<number, OrderReason>()
    const add = (before: number | undefined, reason: OrderReason): void => {
      if (before !== undefined && before !== NONE && !after.has(before)) after.set(before, reason)
    }
    const origin = steps.origin[step] as number
    add(origin, origin !== NONE && steps.process[origin] === steps.process[step] ? 'program order' : 'spawn')
    for (let access = steps.start[step] as number; access < (steps.end[step] as number); access++) this.#enabled(step, access, add)
    for (let before = 0; before < (steps.follows[step] as number); before++) add(before, 'wait')
    add(steps.enabler[step], 'wait')
    for (const conflict of this.#conflicts[step] ?? []) add(conflict, 'conflict')
    return [...after].map(([before, reason]) => ({ step: before, reason }))
  }

  /** What the access says of what enabled its step. */
  #enabled(step: number, access: number, add: (before: number | undefined, reason: OrderReason) => void): void {
    const { steps, processes } = this.#trace
    const location = steps.location[access] as number
    switch (steps.kind[access]) {
      case WAIT:
        for (const change of this.#changed.get(location) ?? []) add(change, 'wait')
        return
      case JOIN:
        return add(this.#last.get(location) ?? processes.origin(location as Ordinal), 'join')
      case ACQUIRE:
      case RELEASE:
        return add(this.#locked.get(location), 'conflict')
      case UNTIL:
        for (const change of this.#changed.get(location) ?? []) add(change, this.#earlier[step]?.includes(change) ? 'conflict' : 'wait')
        return
      default:
    }
  }

  #took(step: number): void {
    const { steps } = this.#trace
    for (let access = steps.start[step] as number; access < (steps.end[step] as number); access++) {
      const [kind, location] = [steps.kind[access] as number, steps.location[access] as number]
      if (isLock(kind)) this.#locked.set(location, step)
      if (!isChange(kind)) continue
      const before = this.#changed.get(location) ?? []
      this.#changed.set(location, [...before.filter((change) => !this.#trace.happensBefore(change, step)), step])
    }
    this.#last.set(steps.process[step] as number, step)
  }
}
