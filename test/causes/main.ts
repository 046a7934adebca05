import { parseArgs } from 'node:util'
import { checkCause } from './check.ts'

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Prints the first body of which this is said. */
    print: { type: 'string' },
  },
})

const counts = new Map<string, number>()
let wrong = 0
let compared = 0
let switching = 0
let printed = false
for (let i = 0; i < Number(values.programs); i++) {
  const seed = Number(values.seed) + i
  const { said = 'nothing to check', problem, fewest, source } = await checkCause(seed)
  counts.set(said, (counts.get(said) ?? 0) + 1)
  if (fewest !== undefined) compared++
  if (fewest) switching++
  if (values.print === said && !printed) {
    printed = true
    console.log(`seed ${seed}\n${source}\n`)
  }
  if (problem === undefined) continue
  wrong++
  console.log(`seed ${seed}: ${problem}\n${source}\n`)
}
console.log(`causes: ${[...counts].map(([said, count]) => `${count} ${said}`).join(', ')}; switches of ${compared} compared with all failing orders, ${switching} need some; ${wrong} wrong`)
