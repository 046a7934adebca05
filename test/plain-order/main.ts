import { parseArgs } from 'node:util'
import { Random } from '../reference/random.ts'
import { compareOrders } from './compare.ts'
import { findDifference } from './compare-emissions.ts'
import { minimise } from './minimise.ts'
import { emitting } from './generate-emissions.ts'
import { allKinds, generate } from './generate.ts'

/** `npm run oracle:plain -- --programs 10000 --seed 1`: whether execution 1 has the order of a plain run; with `--emissions`, of programs about one thing that emits. */
const { values } = parseArgs({ options: { programs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' }, without: { type: 'string', default: '' }, interleave: { type: 'string', default: 'await' }, show: { type: 'string', default: '3' }, emissions: { type: 'boolean', default: false } } })
const kinds = { ...allKinds, ...Object.fromEntries(values.without.split(',').map((kind) => [kind, false])) }
const [count, seed] = [Number(values.programs), Number(values.seed)]
const interleave = values.interleave as 'await' | 'event-loop'
// What is left of a program may throw anywhere.
process.on('uncaughtException', () => {})
let differing = 0
let shown = 0
const kindsOfEmissions = values.emissions ? Object.keys(emitting) : []
for (const kind of kindsOfEmissions) {
  const found = await findDifference(kind, { seed, count: Math.ceil(count / kindsOfEmissions.length), interleave })
  if (!found) continue
  differing++
  console.log(`${kind}${found.source}\n  Node    ${found.plain}\n  shown   ${found.outcomes.join('\n          ')}\n`)
}
for (let start = values.emissions ? count : 0; start < count; start += 50) {
  const sources = Array.from({ length: Math.min(50, count - start) }, (_, i) => generate(new Random(seed + start + i), kinds))
  const orders = await compareOrders(sources, { interleave })
  const bad = orders.filter(({ plain, first }) => first === undefined || !first.endsWith(plain)).toSorted((a, b) => a.source.length - b.source.length)
  differing += bad.length
  for (const { source } of bad) {
    if (shown++ >= Number(values.show)) break
    const [order] = await compareOrders([await minimise(source, { interleave })], { interleave })
    console.log(`${order!.source}\n  Node    ${order!.plain}\n  first   ${order!.first}\n`)
  }
}
console.log(`${count} programs, ${differing} of them in another order than Node's`)
process.exitCode = differing > 0 ? 1 : 0
