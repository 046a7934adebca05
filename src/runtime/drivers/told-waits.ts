import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Asked } from './asked.ts'
import type { Line } from './question.ts'

/** What the running step has led to at servers. */
interface Come {
  /** Those that wait now, and by which lines. */
  readonly waiting: ReadonlyMap<Asked, readonly Line[]>
  /** Was answered, and its line may have let go of something; or waits from now on. */
  readonly by: Asked | undefined
}

/** Who waits otherwise than before, or was let on by one of those for whom it waits. */
interface Change {
  readonly asked: Asked
  /** For which it waits now and did not, or no more. */
  readonly lines: readonly Line[]
}

/**
 * Who waits at servers for whom, as it is told: each line that somebody waits for has a location, and so has each that waits. Of two for which one waits the last
 * that lets go ends that; and of those in a circle the last that comes to wait finds it.
 */
export class ToldWaits {
  #told: ReadonlyMap<Asked, readonly Line[]> = new Map()

  /** Before anything is told of those that have waited: what is found by this decides for whom they wait, or that they wait no more. */
  look({ accesses, identities }: Execution, come: Come): void {
    if (come.by) accesses.lookForTurn(locationOf(identities, 'who waits for', come.by.line))
    for (const { asked } of this.#changes(come)) if (asked !== come.by) asked.waitsOn()
  }

  tell({ accesses, identities }: Execution, come: Come): void {
    for (const { asked, lines } of this.#changes(come)) {
      accesses.takeTurn(locationOf(identities, 'what is waited for by', asked.line))
      for (const line of lines) accesses.takeTurn(locationOf(identities, 'who waits for', line))
    }
    this.#told = new Map(come.waiting)
  }

  #changes({ waiting, by }: Come): readonly Change[] {
    const changes: Change[] = []
    for (const asked of new Set([...this.#told.keys(), ...waiting.keys()])) {
      const [before, now] = [this.#told.get(asked) ?? [], waiting.get(asked) ?? []]
      const lines = [...before.filter((line) => !now.includes(line)), ...now.filter((line) => !before.includes(line))]
      if (lines.length > 0 || (by !== undefined && before.includes(by.line))) changes.push({ asked, lines })
    }
    return changes
  }
}

/** Of a line that is nobody's there is one. */
const locationOf = (identities: Execution['identities'], what: string, line: Line): ObjectId => identities.named(`${what} ${'object' in line ? String(line.object) : 'nobody'}`)
