import { parseArgs } from 'node:util'
import type { SearchOptions } from '../../src/engine/index.ts'
import { kinds } from './generate.ts'
import { runResumedCampaign } from './resumed.ts'
import { show } from './show.ts'

const { values } = parseArgs({
  options: { programs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' }, algorithm: { type: 'string', default: 'optimal' }, search: { type: 'string' }, bound: { type: 'string' }, parts: { type: 'string', default: '1' } },
})
const { algorithm, search, bound } = values
const options = { algorithm, search, ...(bound !== undefined && { preemptionBound: Number(bound) }) } as SearchOptions
const chosen = kinds.filter((kind) => kind !== 'long')
let wrong = 0
for (const kind of chosen) {
  const { firstWrong, ...tally } = runResumedCampaign({ kind, programs: Math.ceil(Number(values.programs) / chosen.length), seed: Number(values.seed), parts: Number(values.parts), ...(options as object) })
  console.log(kind.padEnd(10), tally)
  if (firstWrong !== undefined) console.log(show(firstWrong).replace(/^/gm, '    '))
  wrong += tally.wrong
}
process.exitCode = wrong > 0 ? 1 : 0
