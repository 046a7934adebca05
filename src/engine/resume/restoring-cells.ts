import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import { checkOf } from './check.ts'
import { ProgramChanged } from './program-changed.ts'
import type { Ordinal } from '../ids.ts'
import type { Saved, SavedCells } from './saved.ts'
import type { Checked } from './restoring.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** An algorithm that goes on from a stack of numbers. */
export interface RestorableCells extends Algorithm {
  save(): SavedCells
  /** Prepares the next execution. */
  goOn(saved: SavedCells): void
}

/** Has such an algorithm go on: first the beginning of its next execution is run, to see that it still does what it did. That does not count. */
export class RestoringCells implements Algorithm {
  readonly #trace: Trace
  readonly #algorithm: RestorableCells
  readonly #checked: Checked
  #isRestored = false

  constructor(trace: Trace, algorithm: RestorableCells, { saved, checked }: { readonly saved: SavedCells; readonly checked: Checked }) {
    this.#trace = trace
    this.#algorithm = algorithm
    this.#checked = checked
    algorithm.goOn(saved)
  }

  get counts(): boolean {
    return this.#isRestored
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (!this.#isRestored && this.#trace.steps.count >= this.#checked.steps) return NONE
    return this.#algorithm.choose(enabled, count)
  }

  missing(): void {
    if (!this.#isRestored) throw new ProgramChanged()
  }

  stepEnded(): void {
    this.#algorithm.stepEnded()
  }

  ended(execution: EndedExecution): void {
    if (this.#isRestored) return this.#algorithm.ended(execution)
    const { steps, check } = this.#checked
    if (this.#trace.steps.count < steps || checkOf(this.#trace, steps) !== check) throw new ProgramChanged()
  }

  get more(): boolean {
    return !this.#isRestored || this.#algorithm.more
  }

  advance(): number {
    if (this.#isRestored) return this.#algorithm.advance()
    this.#isRestored = true
    this.#checked.restored()
    return this.#checked.steps
  }

  get leftOut(): string | undefined {
    return this.#algorithm.leftOut
  }

  get explored(): string | undefined {
    return this.#isRestored ? this.#algorithm.explored : undefined
  }

  save(): Saved {
    return this.#algorithm.save()
  }
}
