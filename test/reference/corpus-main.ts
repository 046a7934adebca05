import { parseArgs } from 'node:util'
import { validity } from '../../src/engine/validity.ts'
import { checkCase, readKnownGaps, writeKnownGaps } from './check-case.ts'
import { corpus } from './corpus/index.ts'

validity.checked = validity.decided = true

const { values } = parseArgs({
  options: {
    /** Only this group. */
    group: { type: 'string' },
    /** Only cases whose name contains this. */
    name: { type: 'string', default: '' },
    /** Prints the bodies too. */
    source: { type: 'boolean', default: false },
    /** Takes off the list of known gaps what passes now. */
    prune: { type: 'boolean', default: false },
    /** Adds to it what does not pass. */
    add: { type: 'boolean', default: false },
  },
})

const knownGaps = new Set(readKnownGaps())
let passed = 0
let failed = 0
for (const [group, cases] of Object.entries(corpus)) {
  if (values.group !== undefined && values.group !== group) continue
  for (const body of cases) {
    if (!body.name.includes(values.name)) continue
    const name = `${group}: ${body.name}`
    const { ofTheCase, ofTheProject } = await checkCase(body)
    const problems = [...ofTheCase, ...ofTheProject]
    if (problems.length === 0) {
      passed++
      if (values.prune) knownGaps.delete(name)
      continue
    }
    failed++
    if (values.add && ofTheCase.length === 0) knownGaps.add(name)
    console.log(`${knownGaps.has(name) ? 'known  ' : 'NEW    '} ${name}: ${problems.join('; ')}`)
    if (values.source) console.log(body.source, '\n')
  }
}
if (values.prune || values.add) writeKnownGaps(knownGaps)
console.log(`corpus: ${passed} pass, ${failed} do not`)
