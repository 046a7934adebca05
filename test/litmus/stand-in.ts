import type { Outcome, ProcessId, Search } from '../../src/engine/index.ts'
import { Form } from './form.ts'

export type Choose = (enabled: readonly ProcessId[]) => ProcessId | undefined

/** What not every algorithm takes. */
export type Use = 'combine' | 'delay'

/** Takes the place of the engine's `Search` under a driver: others choose, it writes the form of what happens. */
export class StandIn {
  readonly exhausted = false
  readonly form = new Form()
  /** In the order of creation within this execution. */
  readonly processes: ProcessId[] = []
  outcome: Outcome | undefined
  /** What any execution has used. */
  readonly uses = new Set<Use>()
  #choose: Choose = () => undefined
  /** Ids by parent and number among its children, the same in every execution. */
  readonly #ids = new Map<string, ProcessId>()
  readonly #children: number[] = []
  #running = 0

  /** Itself, for a driver, which calls the methods below only. */
  get search(): Search {
    return this as unknown as Search
  }

  begin(choose: Choose): void {
    this.#choose = choose
    this.form.begin()
    this.processes.length = 0
    this.#children.length = 0
    this.outcome = undefined
  }

  spawn(parent?: ProcessId): ProcessId {
    const family = parent === undefined ? 0 : parent + 1
    const child = (this.#children[family] = (this.#children[family] ?? 0) + 1)
    const name = `${family}.${child}`
    const id = this.#ids.get(name) ?? (this.#ids.size as ProcessId)
    this.#ids.set(name, id)
    this.processes.push(id)
    this.form.start(id)
    return id
  }

  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    const chosen = this.#choose(enabled)
    if (chosen !== undefined) this.#running = chosen
    return chosen
  }

  read(location: number): void {
    this.form.access(location, 'read')
  }

  until(location: number): void {
    this.form.access(location, 'read')
  }

  write(location: number): void {
    this.form.access(location, 'write')
  }

  assign(location: number): void {
    this.form.access(location, 'write')
  }

  combine(location: number): void {
    this.uses.add('combine')
    this.form.access(location, 'add')
  }

  order(): void {}
  look(): void {}

  acquire(location: number): void {
    this.form.access(location, 'lock')
  }

  release(location: number): void {
    this.form.access(location, 'lock')
  }

  wait(): void {}
  join(): void {}

  barrier(): void {
    this.uses.add('delay')
  }

  saw(): void {}

  endStep(): void {
    this.form.endStep(this.#running)
  }

  finish(outcome: Outcome): void {
    this.outcome = outcome
  }
}
