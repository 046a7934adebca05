import { parseArgs } from 'node:util'
import type { SystematicName } from '../../src/engine/options.ts'
import { validity } from '../../src/engine/validity.ts'
import { runCampaign } from './campaign.ts'
import { kinds } from './generate.ts'
import { show } from './show.ts'

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: 'all' },
    algorithm: { type: 'string', default: 'optimal' },
    cap: { type: 'string', default: '3000' },
    members: { type: 'string', default: '2' },
    ordered: { type: 'boolean', default: false },
    checked: { type: 'boolean', default: false },
  },
})
validity.checked = validity.decided = values.checked
const chosen = values.kind === 'all' ? kinds : kinds.filter((kind) => kind === values.kind)
if (chosen.length === 0) {
  console.error(`--kind is one of ${kinds.join(', ')}, all`)
  process.exit(2)
}
const programs = Math.ceil(Number(values.programs) / chosen.length)
console.log('kind       programs  skipped  refused  outcomes  executions   ordered  blocked  passes   lost  invented  differing  seconds')
let wrong = 0
for (const kind of chosen) {
  const start = performance.now()
  const tally = runCampaign({
    kind, programs, seed: Number(values.seed), cap: Number(values.cap), members: Number(values.members), countsOrdered: values.ordered, algorithm: values.algorithm as SystematicName,
  })
  const tried = tally.programs - tally.skipped - tally.refused
  const columns: [unknown, number][] = [
    [tally.programs, 9], [tally.skipped, 9], [tally.refused, 9], [tally.outcomes, 10], [tally.executions, 12], [tally.ordered, 10], [tally.blocked, 9],
    [(tally.passes / Math.max(1, tried)).toFixed(2), 8], [tally.lost, 7], [tally.invented, 10], [tally.differing, 11], [((performance.now() - start) / 1000).toFixed(1), 9],
  ]
  console.log(kind.padEnd(10) + columns.map(([value, width]) => String(value).padStart(width)).join(''))
  if (tally.wrong !== undefined) console.log(`  seed ${tally.wrong.seed}:\n${show(tally.wrong.program).replace(/^/gm, '    ')}`)
  wrong += tally.lost + tally.invented + tally.differing
}
process.exitCode = wrong > 0 ? 1 : 0
