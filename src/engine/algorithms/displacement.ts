import { Array, Math } from '../intrinsics.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import { fewestPreemptions, type OrderedStep } from './preemptions.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'
import type { TreeNode } from './tree-node.ts'

/** What is left out of an execution at a node besides what its race leaves out. */
export interface LeftOut {
  /** The step taken at the node. */
  readonly step: number
  /** Whether only what comes before the last step of the process of e' is kept. */
  readonly keepsProgramOrder: boolean
}

/**
 * The steps that have to come before e' of a race so that it can come without e, or also without the step of a node above: what
 * happens before e' and not after those. They are to be taken at the node of the step that they displace.
 */
export class Displacement {
  readonly #trace: Trace
  readonly #path: readonly TreeNode[]
  readonly #race: number
  /** The node: how many steps come before. */
  readonly at: number
  readonly #leftOut: LeftOut | undefined
  /** The steps between the node and e'. */
  readonly #between: number[] = []

  constructor(trace: Trace, path: readonly TreeNode[], race: number, leftOut?: LeftOut) {
    this.#trace = trace
    this.#path = path
    this.#race = race
    this.#leftOut = leftOut
    const { races, steps } = trace
    this.at = leftOut?.step ?? (races.first[race] as number)
    const second = races.step[race] as number
    const before = leftOut?.keepsProgramOrder ? (races.origin[race] as number) : (races.cause[race] as number)
    const end = second === NONE ? steps.count : second
    for (let step = this.at + 1; step < end; step++) if (trace.isBefore(step, before) && !this.#isLeftOut(step)) this.#between.push(step)
  }

  /** Whether e' could be there without what is left out. */
  get isPossible(): boolean {
    if (this.#leftOut === undefined) return true
    const { races, steps } = this.#trace
    const { step } = this.#leftOut
    return steps.process[step] !== races.process[this.#race] && !this.#trace.isBefore(step, races.origin[this.#race] as number)
  }

  /** The processes in the order in which they are to be taken. */
  get guide(): ProcessId[] {
    const { races, steps, processes } = this.#trace
    return [...this.#between.map((step) => steps.process[step]), races.process[this.#race]].map((ordinal) => processes.id(ordinal as Ordinal))
  }

  /** The processes that can take the first of the steps. */
  get initials(): ProcessId[] {
    const { races, steps, processes } = this.#trace
    const between = this.#between
    if (between.length === 0) return [processes.id(races.process[this.#race] as Ordinal)]
    return between
      .filter((step, i) => !between.slice(0, i).some((earlier) => this.#trace.happensBefore(earlier, step)))
      .map((step) => processes.id(steps.process[step] as Ordinal))
  }

  /** The fewest preemptions of all executions that begin with the steps before the node and these; or fewer. Above `most`: more than that. */
  preemptions(most: number): number {
    const { races, clocks } = this.#trace
    const ordered = [...stepsBefore(this.at), ...this.#between].map((step) => orderedStep(this.#trace, this.#path, step))
    const before = this.#certainlyBefore()
    const second = races.step[this.#race] as number
    ordered.push({
      process: races.process[this.#race] as number,
      mayWait: second === NONE || this.#path[second + 1]!.step!.mayWait,
      after: (other) => Math.max(0, ...before.map((step) => clocks.get(step, other))),
    })
    return fewestPreemptions(ordered, most)
  }

  /** What e' comes after without what is left out. */
  #certainlyBefore(): number[] {
    const { races } = this.#trace
    const second = races.step[this.#race] as number
    const origin = races.origin[this.#race] as number
    const direct = second === NONE ? [] : this.#path[second + 1]!.step!.after
    return [...this.#between, ...direct.filter((step) => !this.#isLeftOut(step)), ...(origin === NONE ? [] : [origin])]
  }

  #isLeftOut(step: number): boolean {
    const first = this.#trace.races.first[this.#race] as number
    const { step: above = NONE } = this.#leftOut ?? {}
    return this.#trace.happensBefore(first, step) || (above !== NONE && this.#trace.happensBefore(above, step))
  }
}

/** A step of the execution along the path. */
function orderedStep({ clocks, steps }: Trace, path: readonly TreeNode[], step: number): OrderedStep {
  return { process: steps.process[step] as number, mayWait: path[step + 1]!.step!.mayWait, after: (other) => clocks.get(step, other) }
}

function stepsBefore(count: number): number[] {
  return Array.from({ length: count }, (_, step) => step)
}

/** The fewest preemptions of all executions that begin with the first steps of this one; or fewer. Above `most`: more than that. */
export function preemptionsBefore(count: number, { trace, path, most }: { readonly trace: Trace; readonly path: readonly TreeNode[]; readonly most: number }): number {
  return fewestPreemptions(stepsBefore(count).map((step) => orderedStep(trace, path, step)), most)
}
