import { Search, type Exploration, type Program } from '../../src/engine/index.ts'
import type { SystematicName } from '../../src/engine/options.ts'
import { dividedAlgorithm } from '../../src/engine/algorithms/algorithms.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { Part } from '../../src/engine/parts/share.ts'

/** How to divide: into parts, of which each has some of the pieces. Without `pieces`, as the option `part` does. */
export interface Division {
  readonly algorithm: SystematicName
  readonly parts: number
  readonly pieces?: number | undefined
}

/** What each of the parts explores. */
export function exploreParts(program: Program, { algorithm, parts, pieces }: Division): Exploration[] {
  return Array.from({ length: parts }, (_, index) => {
    const search =
      pieces === undefined
        ? new Search({ algorithm, stopOnFirst: false, part: `${index + 1}/${parts}` })
        : new Search({ algorithm, stopOnFirst: false }, (trace) => dividedAlgorithm(algorithm, trace, new Part({ index, count: parts, pieces })))
    const driver = new ProgramDriver(program, search)
    while (search.next()) driver.execute()
    return search.result()
  })
}
