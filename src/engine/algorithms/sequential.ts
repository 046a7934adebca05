import type { Algorithm } from './algorithm.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

export interface Sequence {
  /** Of siblings that could all begin, the youngest goes first. */
  readonly lastFirst?: boolean
  /** After so many steps what goes on then is held until nothing else can: its siblings come in between. */
  readonly holdsAfter?: number
}

/**
 * One execution, in which a process that was created goes on until it and all that it has created have ended or wait, before another
 * one does: what ran last, and what came from it, goes before its siblings, and these before their parent.
 */
export class Sequential implements Algorithm {
  readonly #trace: Trace
  readonly #sequence: Sequence
  #held: ProcessId | undefined
  readonly more = false

  constructor(trace: Trace, sequence: Sequence = {}) {
    this.#trace = trace
    this.#sequence = sequence
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (count === 0) return NONE
    const { steps, processes } = this.#trace
    const all = [...enabled.subarray(0, count)].map((ordinal) => processes.id(ordinal as Ordinal)).toSorted((one, other) => processes.compare(one, other))
    const last = steps.count === 0 ? undefined : processes.id(steps.process[steps.count - 1] as Ordinal)
    if (steps.count === this.#sequence.holdsAfter && last !== undefined) this.#held = this.#branchOf(last, all)
    const able = this.#withoutHeld(all)
    for (let around = last; around !== undefined; around = processes.parent(around)) {
      const within = able.filter((id) => processes.isWithin(id, around!))
      const chosen = this.#next(within.filter((id) => id !== around)) ?? within[0]
      if (chosen !== undefined) return processes.ordinal(chosen)
    }
    return processes.ordinal(able[0]!)
  }

  #next(able: readonly ProcessId[]): ProcessId | undefined {
    return this.#sequence.lastFirst ? able.at(-1) : able[0]
  }

  #withoutHeld(all: readonly ProcessId[]): readonly ProcessId[] {
    if (this.#held === undefined) return all
    const others = all.filter((id) => !this.#trace.processes.isWithin(id, this.#held!))
    if (others.length > 0) return others
    this.#held = undefined
    return all
  }

  /** The process, or what it comes from, that has a sibling which could go on. */
  #branchOf(process: ProcessId, able: readonly ProcessId[]): ProcessId | undefined {
    const { processes } = this.#trace
    const hasSibling = (branch: ProcessId, parent: ProcessId): boolean => able.some((id) => id !== parent && processes.isWithin(id, parent) && !processes.isWithin(id, branch))
    for (let branch = process, parent = processes.parent(branch); parent !== undefined; branch = parent, parent = processes.parent(branch)) {
      if (hasSibling(branch, parent)) return branch
    }
    return undefined
  }

  stepEnded(): void {}
  ended(): void {}

  advance(): number {
    return 0
  }
}
