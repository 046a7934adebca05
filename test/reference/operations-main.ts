import { parseArgs } from 'node:util'
import { validity } from '../../src/engine/validity.ts'
import { problemsOf } from './check-case.ts'
import { compare } from './compare.ts'
import { pairsOfOperations, pairsOfSlowOperations } from './operations.ts'
import { scope } from './scope.ts'

validity.checked = validity.decided = true

const { values } = parseArgs({
  options: {
    /** Only pairs whose name contains this. */
    name: { type: 'string', default: '' },
  },
})

let count = 0
let wrong = 0
for (const { name, source } of [...pairsOfOperations(), ...pairsOfSlowOperations()]) {
  if (!name.includes(values.name)) continue
  count++
  const problems = problemsOf(await compare(source, { scope }))
  if (problems.length === 0) continue
  wrong++
  console.log(`${name}: ${problems.join('; ')}`)
}
console.log(`operations: ${count} pairs, ${wrong} differ`)
process.exitCode = wrong > 0 ? 1 : 0
