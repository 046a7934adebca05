import { parseArgs } from 'node:util'
import { runBoundedCampaign, type Bounded } from './bounded.ts'
import { kinds, singleAccessKinds, type Kind } from './generate.ts'
import { show } from './show.ts'

const { values } = parseArgs({
  options: { programs: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' }, kind: { type: 'string', default: 'all' }, by: { type: 'string', default: 'tree' }, parts: { type: 'string', default: '1' } },
})
const bounded: Bounded = { by: values.by === 'trust' ? 'trust' : 'tree', parts: Number(values.parts) }
const possible = bounded.by === 'trust' ? singleAccessKinds : kinds
const chosen = values.kind === 'all' ? possible.filter((kind) => kind !== 'long') : [values.kind as Kind]
const programs = Math.ceil(Number(values.programs) / chosen.length)
let wrong = 0
for (const kind of chosen) {
  const tally = runBoundedCampaign({ kind, programs, seed: Number(values.seed), bounded })
  const { skipped, refused, wanted, executions, blocked, lost, repeated } = tally
  console.log(kind.padEnd(10), { programs, skipped, refused, wanted, executions, blocked, lost, repeated })
  if (tally.wrong !== undefined) console.log(`  seed ${tally.wrong.seed}:\n${show(tally.wrong.program).replace(/^/gm, '    ')}`)
  wrong += lost + repeated
}
process.exitCode = wrong > 0 ? 1 : 0
