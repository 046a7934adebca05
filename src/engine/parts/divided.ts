import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import { Frontier, type FrontierOptions } from './frontier.ts'
import type { Root } from '../algorithms/root.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import type { NONE } from '../trace/processes.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved, SavedPieces } from '../resume/saved.ts'
import { mostChoices, type Share } from './share.ts'
import type { Trace } from '../trace/trace.ts'

export interface DividedOptions {
  readonly share: Share
  /** Whether a process that was explored at a node sleeps there from then on. */
  readonly sleeps: boolean
  /** Whether `explore` looks at who was woken. */
  readonly noticesWoken: boolean
  /** Explores what begins with a node. */
  readonly explore: (root: Root) => Algorithm
}

const nobody = { owns: () => false, left: () => 1 }

/**
 * A share of the executions that an algorithm explores. Rounds of executions that nobody owns come first, with the
 * frontier ever deeper, until there are enough pieces or no execution is long enough for more.
 */
export class Divided implements Algorithm {
  readonly #trace: Trace
  readonly #options: DividedOptions
  #choices = 1
  #isMeasured = false
  #frontier: Frontier
  /** Where another one has come to. */
  #from: FrontierOptions['from']

  constructor(trace: Trace, options: DividedOptions) {
    this.#trace = trace
    this.#options = options
    this.#frontier = this.#frontierFor(nobody, Infinity)
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    return this.#frontier.choose(enabled, count)
  }

  stepEnded(): void {
    this.#frontier.stepEnded()
  }

  ended(execution: EndedExecution): void {
    this.#frontier.ended(execution)
  }

  missing(process: Ordinal): void {
    this.#frontier.missing(process)
  }

  get counts(): boolean {
    return this.#frontier.counts
  }

  get doubt(): string | undefined {
    return this.#frontier.doubt
  }

  save(): SavedPieces | undefined {
    return this.#isMeasured ? this.#frontier.save() : undefined
  }

  restoring(saved: Saved, checked: Checked): this {
    this.#from = { saved: saved as SavedPieces, checked }
    return this
  }

  get more(): boolean {
    return this.#frontier.more || !this.#isMeasured
  }

  advance(): number {
    // Somebody else may have taken the last piece since `more` was asked.
    if (this.#isMeasured || this.#frontier.more) return this.#frontier.advance()
    const { pieces, isReached } = this.#frontier
    this.#isMeasured = pieces >= this.#options.share.pieces || !isReached || this.#choices >= mostChoices
    if (!this.#isMeasured) this.#choices++
    this.#frontier = this.#isMeasured ? this.#frontierFor(this.#options.share, pieces) : this.#frontierFor(nobody, Infinity)
    return 0
  }

  #frontierFor(share: Pick<Share, 'owns' | 'left'>, pieces: number): Frontier {
    const { sleeps, noticesWoken, explore } = this.#options
    const from = this.#isMeasured ? this.#from : undefined
    return new Frontier(this.#trace, { choices: this.#choices, share, pieces, sleeps, noticesWoken, explore, from })
  }
}
