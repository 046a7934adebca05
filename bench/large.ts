import { explore, type AlgorithmName, type Program } from '../src/engine/index.ts'
import * as papers from '../test/litmus/from-papers.ts'
import { casRotation, philosophers, readThenWrite, treiberPush } from '../test/litmus/small.ts'

/** Large litmus programs under every algorithm: seconds, and executions with those given up. `npm run bench -- large [name]`. */
const programs: readonly (readonly [string, Program])[] = [
  ['readers(15)', papers.readers(15)],
  ['lastzero(15)', papers.lastzero(15)],
  ['fib-join(6)', papers.fibJoin(6)],
  ['circular buffer(8)', papers.circularBuffer(8)],
  ['indexer(15)', papers.indexer(15)],
  ['filesystem(19)', papers.filesystem(19)],
  ['exp-mem(8)', papers.expMem(8)],
  ['(N!)^2 at 5', readThenWrite(5)],
  ['casrot(8)', casRotation(8)],
  ['Treiber push(4)', treiberPush(4)],
  ['philosophers(12)', philosophers(12, { ordered: false })],
]

const algorithms: readonly AlgorithmName[] = ['source', 'optimal', 'pop']

export function benchLarge(only: string | undefined): void {
  console.log(`program              executions${algorithms.map((name) => `${name} s`.padStart(12) + 'blocked'.padStart(9)).join('')}`)
  for (const [name, program] of programs) {
    if (only !== undefined && !name.includes(only)) continue
    const cells = algorithms.map((algorithm) => {
      const start = performance.now()
      const { executions, blocked } = explore(program, { algorithm, stopOnFirst: false })
      return { executions, blocked, seconds: (performance.now() - start) / 1000 }
    })
    const counts = new Set(cells.map(({ executions }) => executions))
    if (counts.size > 1) throw new Error(`${name}: the algorithms disagree, ${[...counts].join(' and ')} executions`)
    const columns = cells.map(({ seconds, blocked }) => seconds.toFixed(2).padStart(12) + String(blocked).padStart(9))
    console.log(name.padEnd(20) + String(cells[0]?.executions).padStart(11) + columns.join(''))
  }
}
