import { Search, type Exploration, type Program } from '../../src/engine/index.ts'
import type { Exploring } from '../../src/engine/options.ts'
import { dividedAlgorithm } from '../../src/engine/algorithms/algorithms.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { Part } from '../../src/engine/parts/share.ts'

/** How to divide: into parts, of which each has some of the pieces. Without `pieces`, as the option `part` does. */
export type Division = Exploring & {
  readonly parts: number
  readonly pieces?: number | undefined
}

/** What each of the parts explores. */
export function exploreParts(program: Program, { parts, pieces, ...exploring }: Division): Exploration[] {
  return Array.from({ length: parts }, (_, index) => {
    const search =
      pieces === undefined
        ? new Search({ ...exploring, stopOnFirst: false, part: `${index + 1}/${parts}` })
        : new Search({ ...exploring, stopOnFirst: false }, (trace) => dividedAlgorithm(exploring, trace, new Part({ index, count: parts, pieces })))
    const driver = new ProgramDriver(program, search)
    while (search.next()) driver.execute()
    return search.result()
  })
}
