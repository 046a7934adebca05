import { parseArgs } from 'node:util'
import type { AlgorithmName } from '../../src/engine/index.ts'
import { runCampaign, type Tally } from './campaign.ts'
import { kinds, singleAccessKinds, type Kind } from './generate.ts'
import { show } from './show.ts'

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: 'all' },
    algorithm: { type: 'string', default: 'source' },
    cap: { type: 'string', default: '4000' },
  },
})
const possible = values.algorithm === 'pop' || values.algorithm === 'trust' ? singleAccessKinds : kinds
const chosen: readonly Kind[] = values.kind === 'all' ? possible : kinds.filter((kind) => kind === values.kind)
if (chosen.length === 0) {
  console.error(`--kind is one of ${kinds.join(', ')}, all`)
  process.exit(2)
}
const programs = Math.ceil(Number(values.programs) / chosen.length)
console.log('kind       programs  skipped  refused  executions   blocked        lost  repeated  seconds')
let wrong = 0
for (const kind of chosen) {
  const start = performance.now()
  const tally = runCampaign({ kind, programs, seed: Number(values.seed), cap: Number(values.cap), algorithm: values.algorithm as AlgorithmName })
  printTally(tally, (performance.now() - start) / 1000)
  wrong += tally.lost + tally.repeated
}
process.exitCode = wrong > 0 ? 1 : 0

function printTally(tally: Tally, seconds: number): void {
  const share = ((100 * tally.blocked) / Math.max(1, tally.executions)).toFixed(2)
  console.log(
    [
      tally.kind.padEnd(10),
      String(tally.programs).padStart(8),
      String(tally.skipped).padStart(8),
      String(tally.refused).padStart(8),
      String(tally.executions).padStart(11),
      `${tally.blocked} (${share}%)`.padStart(15),
      String(tally.lost).padStart(6),
      String(tally.repeated).padStart(9),
      seconds.toFixed(1).padStart(8),
    ].join(' '),
  )
  if (tally.wrong !== undefined) console.log(`  seed ${tally.wrong.seed}:\n${show(tally.wrong.program).replace(/^/gm, '    ')}`)
}
