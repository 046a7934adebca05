import { parseArgs } from 'node:util'
import type { AlgorithmName, SearchOptions } from '../../src/engine/index.ts'
import { validity } from '../../src/engine/validity.ts'
import { checkProgram } from './check.ts'

validity.checked = validity.decided = true

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    limit: { type: 'string', default: '1500' },
    time: { type: 'string', default: 'idle' },
    algorithm: { type: 'string', default: 'source' },
    search: { type: 'string', default: 'dfs' },
    show: { type: 'string', default: '3' },
  },
})

const total = { agrees: 0, 'too large': 0, disagrees: 0 }
let executions = 0
let blocked = 0
const first = Number(values.seed)
for (let seed = first; seed < first + Number(values.programs); seed++) {
  const result = await checkProgram({ seed, limit: Number(values.limit), algorithm: values.algorithm as AlgorithmName, search: values.search as SearchOptions['search'], time: values.time as 'idle' | 'race' })
  total[result.status]++
  executions += result.executions
  blocked += result.blocked
  if (result.report && total.disagrees <= Number(values.show)) console.log(result.report, '\n')
}
console.log(`async programs: ${total.agrees} agree, ${total.disagrees} disagree, ${total['too large']} too large; ${executions} executions, ${blocked} blocked`)
process.exitCode = total.disagrees > 0 ? 1 : 0
