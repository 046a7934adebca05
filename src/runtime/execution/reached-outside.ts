import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'
import type { Process } from './process.ts'

/** A step that has done something outside. */
interface Reach {
  readonly turn: ObjectId
  readonly process: Process
  /** It has done something with these alone; undefined: nobody knows what it leads to. */
  connections: Set<object> | undefined
}

/** Connections both ends of which are in this process, by one of their ends. What is done with them shows there, and nowhere else. */
export type Connections = readonly object[] | undefined

/** What the steps of an execution have done outside, where nothing is put back: what comes from there later may be due to it. */
export class ReachedOutside {
  /** Something that came from outside was taken for due to what several processes had done there. */
  mergesCauses = false
  #wasLookedAt = false

  readonly #execution: Execution
  readonly #reached: Reach[] = []
  #lastStep = -1

  constructor(execution: Execution) {
    this.#execution = execution
  }

  /** The running step does something outside: what comes from there later may be due to it. */
  reach(connections?: Connections): void {
    const { accesses, foreign, identities, process, stepCount } = this.#execution
    accesses.loop?.hasEffect()
    accesses.isLone = false
    foreign.reached()
    if (!accesses.isExploring) return
    if (this.#lastStep === stepCount) {
      const last = this.#reached.at(-1)!
      if (connections === undefined) last.connections = undefined
      else for (const connection of connections) last.connections?.add(connection)
      return
    }
    this.#lastStep = stepCount
    const turn = identities.turnOfStep()
    accesses.takeTurn(turn)
    this.#reached.push({ turn, process, connections: connections && new Set(connections) })
  }

  /** The running step looks at or changes what is outside, and tells what. Where something else outside is under way, that may change it as well. */
  look(): void {
    const { accesses, foreign } = this.#execution
    this.#wasLookedAt = true
    accesses.isLone = false
    if (foreign.pending || accesses.hasRealThings) accesses.loop?.hasEffect()
  }

  /** Whether a step has been outside. */
  get wasReached(): boolean {
    return this.#wasLookedAt || this.#reached.length > 0
  }

  /** Something comes from outside now, by these connections: tells the step in which it does that it may be due to all that has been done there. */
  comes(connections?: Connections): () => void {
    const reached = this.#reached.length
    return () => {
      const { accesses, identities, search } = this.#execution
      const causes = search.isDrawn ? reached : identities.causes.of(reached, { isRecorded: search.forced !== undefined })
      const due = this.#reached.slice(0, causes).filter((reach) => mayLeadTo(reach, connections))
      for (const { turn } of due) accesses.followTurn(turn)
      this.mergesCauses ||= due.some(({ process }) => process !== due[0]!.process)
    }
  }
}

function mayLeadTo({ connections: of }: Reach, connections: Connections): boolean {
  return of === undefined || connections === undefined || connections.some((connection) => of.has(connection))
}
