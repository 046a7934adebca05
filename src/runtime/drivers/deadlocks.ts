import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Continuation, Process } from '../execution/process.ts'
import type { Asked, OpenLine } from './asked.ts'

/** Questions that wait for each other, along one circle or several that share some of them. */
interface Deadlock {
  /** Its location: the first of those that could end it does so. */
  readonly object: ObjectId
  isOver: boolean
}

/** What servers keep waiting. */
interface Waits {
  heldUp(): readonly Asked[]
  /** By which lines. */
  holdersOf(asked: Asked): readonly OpenLine[]
  /** The running step has it given up. */
  giveUp(asked: Asked): void
}

/** What waits in circles. The server ends one of a circle, and which one nobody can choose: each has a process that does so, if it is taken first. */
export class Deadlocks {
  readonly #execution: Execution
  readonly #waits: Waits
  /** The last one that each was in. */
  readonly #deadlocks = new Map<Asked, Deadlock>()

  constructor(execution: Execution, waits: Waits) {
    this.#execution = execution
    this.#waits = waits
  }

  /** In the running step some have come to wait, or wait for others than before. */
  look(): void {
    for (const asked of this.#waits.heldUp()) {
      if (this.#unended(asked) || !this.#pathOf(asked, asked)) continue
      const deadlock = this.#unendedAround(asked) ?? { object: this.#execution.identities.fresh(), isOver: false }
      this.#deadlocks.set(asked, deadlock)
      this.#execution.wake(new Ending(this.#execution, asked, () => this.#end(asked, deadlock)))
    }
  }

  #unended(asked: Asked): Deadlock | undefined {
    const deadlock = this.#deadlocks.get(asked)
    return deadlock?.isOver === false ? deadlock : undefined
  }

  /** That of one which shares a circle with it. */
  #unendedAround(asked: Asked): Deadlock | undefined {
    const other = this.#waits.heldUp().find((one) => this.#unended(one) && this.#pathOf(asked, one) && this.#pathOf(one, asked))
    return other && this.#unended(other)
  }

  #end(asked: Asked, deadlock: Deadlock): void {
    this.#execution.accesses.takeTurn(deadlock.object)
    if (deadlock.isOver) return
    const circle = this.#pathOf(asked, asked)
    if (!circle) return
    deadlock.isOver = true
    asked.question.isVictim?.(circle.map(({ question }) => question))
    this.#waits.giveUp(asked)
  }

  /** From one that waits, itself included, to one that waits for the other. */
  #pathOf(from: Asked, to: Asked): readonly Asked[] | undefined {
    const heldUp = this.#waits.heldUp()
    const seen = new Set<Asked>()
    const search = (one: Asked, path: readonly Asked[]): readonly Asked[] | undefined => {
      for (const line of this.#waits.holdersOf(one)) {
        const next = heldUp.find((held) => held.line === line)
        if (next === to) return path
        if (!next || seen.has(next)) continue
        seen.add(next)
        const found = search(next, [...path, next])
        if (found) return found
      }
      return undefined
    }
    return search(from, [from])
  }
}

class Ending implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site
  readonly #execution: Execution
  readonly #end: () => void

  constructor(execution: Execution, { site }: Asked, end: () => void) {
    this.#execution = execution
    this.process = execution.processes.spawn('deadlock')
    this.site = site
    this.#end = end
  }

  resume(): void {
    this.#execution.enter(null)
    this.#end()
  }

  delegate(): undefined {
    return undefined
  }
}
