import { parseArgs } from 'node:util'
import { generateTasks, outcomesOf } from './delays.ts'
import { exploreBody } from './project.ts'

/** `npm run oracle:delays -- --programs 1000 --seed 1`: whether who is first in races is what Node comes to, however long the waits take. */
const { values } = parseArgs({ options: { programs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' }, nested: { type: 'boolean', default: false }, show: { type: 'string', default: '3' } } })
const total = { agree: 0, lost: 0, invented: 0, error: 0 }
let shown = 0
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.programs); seed++) {
  const program = generateTasks(seed, values)
  const known = await outcomesOf(program, 9)
  let found: readonly string[] = []
  let error: unknown
  try {
    ;({ outcomes: found } = await exploreBody(program.source))
  } catch (thrown) {
    error = thrown
  }
  const kind = error ? 'error' : known.some((outcome) => !found.includes(outcome)) ? 'lost' : found.some((outcome) => !known.includes(outcome)) ? 'invented' : 'agree'
  total[kind]++
  if (kind !== 'agree' && shown++ < Number(values.show)) console.log(`seed ${seed}: ${kind} ${error ?? ''}\n${program.source}\nNode  ${known.join(' ')}\nfound ${found.join(' ')}\n`)
}
console.log(`races: ${Object.entries(total).map(([kind, count]) => `${count} ${kind}`).join(', ')}`)
process.exitCode = total.agree === Number(values.programs) ? 0 : 1
