import type { Ordinal, ProcessId } from '../../ids.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'

/** What earlier executions have shown of the steps of each process, by their number: who only does what is his own can go on at once. */
export class RacingSteps {
  /** By process: 1 for a step that was taken, 2 for one that has raced with another. */
  readonly #known: Uint8Array[] = []
  /** A step that had been taken without a race has raced in the last execution. */
  hasChanged = false

  /** The execution that has just ended. */
  add({ processes, races, steps }: Trace): void {
    this.hasChanged = false
    for (let race = 0; race < races.count; race++) {
      for (const step of [races.first[race] as number, races.step[race] as number]) {
        if (step !== NONE) this.#note(processes.id(steps.process[step] as Ordinal), steps.index[step] as number, 2)
      }
    }
    for (let step = 0; step < steps.count; step++) this.#note(processes.id(steps.process[step] as Ordinal), steps.index[step] as number, 1)
  }

  /** Whether the step of that number was taken, and never raced. */
  isAlone(process: ProcessId, index: number): boolean {
    return this.#known[process]?.[index] === 1
  }

  #note(process: ProcessId, index: number, what: number): void {
    let known = (this.#known[process] ??= new Uint8Array(16))
    if (index >= known.length) {
      const longer = new Uint8Array(index * 2)
      longer.set(known)
      this.#known[process] = known = longer
    }
    if ((known[index] as number) >= what) return
    if (known[index] === 1) this.hasChanged = true
    known[index] = what
  }
}
