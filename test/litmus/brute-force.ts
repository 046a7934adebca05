import type { FailureKind, Outcome, ProcessId, Program } from '../../src/engine/index.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { StandIn, type Choose, type Use } from './stand-in.ts'

export interface Enumeration {
  /** How each class ends: the kind of its failure, or `undefined`. */
  readonly classes: ReadonlyMap<string, FailureKind | undefined>
  /** Maximal interleavings, equivalent ones counted apart. */
  readonly interleavings: number
}

/** A state on the way to the current one, and what was found below it. */
interface Branch {
  readonly form: string
  readonly enabled: readonly ProcessId[]
  taken: number
  interleavings: number
}

/** Runs a program under every schedule, with nothing of the engine but its driver. */
export class BruteForce {
  readonly #standIn = new StandIn()
  readonly #driver: ProgramDriver

  constructor(program: Program) {
    this.#driver = new ProgramDriver(program, this.#standIn.search)
  }

  /** What the executions so far have used. */
  get uses(): ReadonlySet<Use> {
    return this.#standIn.uses
  }

  /**
   * Depth first, running again from the start for each choice. With `merge`, a prefix equivalent to one already tried
   * is not tried again: it leads to the same state. `undefined` if more than `cap` states go on.
   */
  enumerate({ cap, merge = true }: { cap: number; merge?: boolean }): Enumeration | undefined {
    const classes = new Map<string, FailureKind | undefined>()
    const counted = new Map<string, number>()
    const path: Branch[] = []
    let states = 0
    let interleavings = 0
    for (;;) {
      let depth = 0
      let known: number | undefined
      const outcome = this.#execute((enabled) => {
        if (depth === path.length) {
          const form = this.#standIn.form.text
          known = merge ? counted.get(form) : undefined
          if (known !== undefined) return undefined
          states++
          path.push({ form, enabled: enabled.slice(), taken: 0, interleavings: 0 })
        }
        const branch = path[depth++]!
        return branch.enabled[branch.taken]
      })
      if (outcome.status === 'complete') classes.set(this.#standIn.form.text, outcome.failure?.kind)
      interleavings = addUp(path, known ?? 1, counted)
      if (states > cap) return undefined
      if (path.length === 0) return { classes, interleavings }
    }
  }

  /** The form of the execution with this schedule. Refuses one that is not a whole execution. */
  formOf(schedule: readonly number[]): string {
    let step = 0
    const outcome = this.#execute((enabled) => {
      const process = this.#standIn.processes[schedule[step++] ?? -1]
      return process !== undefined && enabled.includes(process) ? process : undefined
    })
    if (outcome.status !== 'complete' || step !== schedule.length) {
      throw new Error(`the schedule ${schedule.join('.')} is no whole execution: it ends or fails at step ${step}`)
    }
    return this.#standIn.form.text
  }

  #execute(choose: Choose): Outcome {
    this.#standIn.begin(choose)
    this.#driver.execute()
    return this.#standIn.outcome!
  }
}

/**
 * Adds what the last execution found to the branches whose last choice it was, and goes on to the next choice.
 * Answers what was found below the last branch that is done.
 */
function addUp(path: Branch[], interleavings: number, counted: Map<string, number>): number {
  let found = interleavings
  for (;;) {
    const branch = path.at(-1)
    if (branch === undefined) return found
    branch.interleavings += found
    branch.taken++
    if (branch.taken < branch.enabled.length) return found
    path.pop()
    found = branch.interleavings
    counted.set(branch.form, found)
  }
}
