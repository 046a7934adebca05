import type { Execution } from './execution.ts'

/**
 * What belongs to an execution, made when somebody needs it, and gone with it. Most executions need none, and have no entry: each would cost the garbage
 * collector as much as a small execution takes.
 */
export class PerExecution<T> {
  readonly #all = new WeakMap<Execution, T>()
  readonly #make: (execution: Execution) => T

  constructor(make: (execution: Execution) => T) {
    this.#make = make
  }

  of(execution: Execution): T {
    let one = this.#all.get(execution)
    if (one === undefined) this.#all.set(execution, (one = this.#make(execution)))
    return one
  }

  /** The same, if somebody has needed it. */
  known(execution: Execution): T | undefined {
    return this.#all.get(execution)
  }
}
