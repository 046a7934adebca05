import type { LocationId, ProcessId } from '../../src/engine/index.ts'
import type { Exploration, Outcome } from '../../src/engine/index.ts'
import type { ExecutionSearch } from '../../src/runtime/execution/execution.ts'

/** One way an execution went: the class it belongs to, and what could be seen at its end. */
export interface Enumerated {
  readonly trace: string
  readonly outcome: string
}

interface Access {
  readonly event: string
  readonly kind: 'read' | 'write' | 'wait' | 'combine'
  readonly step: number
}

/** Drives the runtime through every interleaving, without any reduction; independent of the engine. */
export class Enumeration implements ExecutionSearch {
  readonly found: Enumerated[] = []
  readonly #limit: number
  readonly #seen: () => string
  readonly #ids = new Map<string, ProcessId>()
  readonly #names: string[] = []
  #prefix: number[] = []
  #widths: number[] = []
  #depth = 0
  #isFirst = true
  #startsAnew = false
  isOverLimit = false
  /** Whether keys came or went, in an order that matters only to those who look at it. */
  hasOrders = false
  /** Whether a timer was set so often that it fired only when nothing else could run, for which not every order is explored. */
  hasBounds = false
  // Of the running execution.
  #children = new Map<number, number>()
  #roots = 0
  #order: ProcessId[] = []
  #counts = new Map<number, number>()
  #event = ''
  #step = new Map<number, Access['kind']>()
  #locations = new Map<number, Access[]>()
  #barriers = 0
  #events: string[] = []
  // Steps by number, and which others happen before each.
  step = 0
  #before: Set<number>[] = []
  #beforeBarrier = 0
  /** The running step comes after all before this number. */
  #followsUntil = 0
  #lastStep = new Map<string, number>()
  #origins = new Map<ProcessId, number>()

  /** @param seen what can be observed at the end of an execution */
  constructor({ limit, seen }: { limit: number; seen: () => string }) {
    this.#limit = limit
    this.#seen = seen
  }

  next(): boolean {
    if (this.#startsAnew) {
      this.#startsAnew = false
      this.#isFirst = true
      this.#prefix = []
      this.#widths = []
      this.found.length = 0
    }
    if (!this.#isFirst) {
      let i = this.#prefix.length - 1
      while (i >= 0 && this.#prefix[i]! + 1 >= this.#widths[i]!) i--
      if (i < 0) return false
      this.#prefix = [...this.#prefix.slice(0, i), this.#prefix[i]! + 1]
      this.#widths.length = i + 1
    }
    if (this.found.length >= this.#limit) {
      this.isOverLimit = true
      return false
    }
    this.#isFirst = false
    this.#depth = 0
    this.#children = new Map()
    this.#roots = 0
    this.#order = []
    this.#counts = new Map()
    this.#locations = new Map()
    this.#barriers = 0
    this.#events = []
    this.step = 0
    this.#before = []
    this.#beforeBarrier = 0
    this.#lastStep = new Map()
    this.#origins = new Map()
    return true
  }

  spawn(parent?: ProcessId): ProcessId {
    const index = parent === undefined ? this.#roots++ : (this.#children.get(parent) ?? 0)
    if (parent !== undefined) this.#children.set(parent, index + 1)
    const name = parent === undefined ? `${index}` : `${this.#names[parent]}/${index}`
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.#names.length as ProcessId
      this.#ids.set(name, id)
      this.#names.push(name)
    }
    this.#order.push(id)
    if (parent !== undefined) this.#origins.set(id, this.step)
    return id
  }

  ordinal(process: ProcessId): number {
    return this.#order.indexOf(process)
  }

  choose(enabled: readonly ProcessId[]): ProcessId {
    const sorted = enabled.toSorted((a, b) => a - b)
    const depth = this.#depth++
    if (depth === this.#prefix.length) {
      this.#prefix.push(0)
      this.#widths.push(0)
    }
    this.#widths[depth] = sorted.length
    const process = sorted[this.#prefix[depth]!]
    if (process === undefined) throw new Error('the enumeration diverged')
    const count = this.#counts.get(process) ?? 0
    this.#counts.set(process, count + 1)
    this.#event = `${this.#names[process]}:${count}`
    this.#step.clear()
    return process
  }

  read(location: LocationId): void {
    const known = this.#step.get(location)
    if (known === undefined || known === 'wait') this.#step.set(location, 'read')
    if (known === 'combine') this.#step.set(location, 'write')
  }
  write(location: LocationId): void {
    this.#step.set(location, 'write')
  }
  assign(location: LocationId): void {
    this.write(location)
  }
  add(location: LocationId): void {
    this.write(location)
  }
  combine(location: LocationId): void {
    const known = this.#step.get(location)
    this.#step.set(location, known === 'read' || known === 'write' ? 'write' : 'combine')
  }
  append(location: LocationId): void {
    this.write(location)
  }
  insert(location: LocationId): void {
    this.hasOrders = true
    this.write(location)
  }
  remove(location: LocationId): void {
    this.insert(location)
  }
  clear(location: LocationId): void {
    this.insert(location)
  }
  look(): void {}
  shareBudget(): void {}
  saw(): void {}
  startAnew(): void {
    this.#startsAnew = true
  }
  wait(location: LocationId): void {
    if (!this.#step.has(location)) this.#step.set(location, 'wait')
  }

  endStep(): void {
    const footprint = [...this.#step].map(([location, kind]) => `${kind[0]}${location}`).toSorted()
    const all = this.#events.slice(0, this.#followsUntil).map((event) => event.slice(0, event.indexOf('@')))
    this.#events.push(`${this.#event}@${this.#barriers}${all.toSorted().join()}{${footprint.join()}}`)
    this.#orderStep()
    for (const [location, kind] of this.#step) {
      const list = this.#locations.get(location) ?? []
      this.#locations.set(location, list)
      list.push({ event: this.#event, kind, step: this.step })
    }
    this.step++
  }

  readonly isReplay = false

  hasChanged(location: LocationId, since: number): boolean {
    return (this.#locations.get(location) ?? []).some(({ kind, step }) => kind === 'write' && step > since)
  }

  awaitChange(location: LocationId): void {
    this.read(location)
  }

  isBefore(first: number, second: number): boolean {
    return first === second || this.#before[second]!.has(first)
  }

  /** What happens before the step: of its process, what made that, what it conflicts with or waited for, what was before time passed. */
  #orderStep(): void {
    const before = new Set<number>(Array.from({ length: this.#beforeBarrier }, (_, i) => i))
    const follow = (step: number | undefined): void => {
      if (step === undefined || step === this.step) return
      before.add(step)
      for (const earlier of this.#before[step]!) before.add(earlier)
    }
    const name = this.#event.slice(0, this.#event.indexOf(':'))
    follow(this.#lastStep.get(name) ?? this.#origins.get(this.#ids.get(name)!))
    for (const [location, kind] of this.#step) {
      for (const other of this.#locations.get(location) ?? []) if (conflict(other.kind, kind) || (kind === 'wait' && other.kind !== 'read' && other.kind !== 'wait')) follow(other.step)
    }
    for (let step = 0; step < this.#followsUntil; step++) follow(step)
    this.#followsUntil = 0
    this.#lastStep.set(name, this.step)
    this.#before.push(before)
  }

  followAll(step: number): void {
    this.hasBounds = true
    this.#followsUntil = step
  }

  barrier(): void {
    this.#barriers++
    this.#beforeBarrier = this.step
  }

  finish(outcome: Outcome): void {
    if (outcome.status === 'impossible') return
    if (outcome.status !== 'complete') throw new Error(`an enumerated execution ended ${outcome.status}`)
    const failure = outcome.failure ? `${outcome.failure.kind} ${outcome.failure.kind === 'deadlock' ? '' : String(outcome.failure.error)}` : ''
    this.found.push({ trace: this.#trace(), outcome: `${failure} ${this.#seen()}` })
  }

  stop(reason: string): void {
    throw new Error(reason)
  }

  get exhausted(): boolean {
    return this.#depth > 2000
  }

  result(): Exploration {
    return { verdict: 'holds', executions: this.found.length, blocked: 0, steps: 0, estimate: 0, interleave: 'await', equivalence: 'trace', passes: 1, failures: [] }
  }

  /** The events with their footprints, and for each access the earlier ones that it does not commute with. */
  #trace(): string {
    const orders = [...this.#locations].map(([location, accesses]) => {
      const after = accesses.map(({ event, kind }, i) => {
        const earlier = accesses.slice(0, i).filter((other) => conflict(other.kind, kind))
        return `${event}>${earlier.map((other) => other.event).toSorted().join('+')}`
      })
      return `${location}=${after.toSorted().join()}`
    })
    return `${this.#events.toSorted().join(';')}|${orders.toSorted().join(';')}`
  }
}

/** Waiting commutes with everything, looking with looking. */
function conflict(first: Access['kind'], second: Access['kind']): boolean {
  if (first === 'wait' || second === 'wait') return false
  return first !== second || first === 'write'
}
