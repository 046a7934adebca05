import type { Algorithm, EndedExecution } from '../algorithms/algorithm.ts'
import { Frontier } from './frontier.ts'
import type { Root } from '../algorithms/root.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import type { NONE } from '../trace/processes.ts'
import type { Share } from './share.ts'
import type { Trace } from '../trace/trace.ts'

/** Choices above which no frontier lies, even if there are few pieces: each costs a round of executions. */
const mostChoices = 32

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

  get counts(): boolean {
    return this.#frontier.counts
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
    return new Frontier(this.#trace, { choices: this.#choices, share, pieces, sleeps, noticesWoken, explore })
  }
}
