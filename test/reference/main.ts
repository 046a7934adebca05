import { parseArgs } from 'node:util'
import { validity } from '../../src/engine/validity.ts'
import { problemsOf } from './check-case.ts'
import { compare } from './compare.ts'
import { generate, print, type RandomBody } from './generate.ts'
import { minimise } from './minimise.ts'
import { scope } from './scope.ts'
import { sharedThings } from './shared-things.ts'

validity.checked = validity.decided = true

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    /** Interleavings above which a body is passed over. */
    limit: { type: 'string', default: '1500' },
    /** Names of what may be shared, with commas. */
    things: { type: 'string' },
    /** Tasks wait in loops that ask again and again. */
    asks: { type: 'boolean', default: false },
    /** Much is done before the tasks begin. */
    prepares: { type: 'boolean', default: false },
    /** Tasks use `queueMicrotask`. */
    microtasks: { type: 'boolean', default: false },
    /** How many wrong bodies to print. */
    show: { type: 'string', default: '3' },
    /** Makes the bodies that are printed smaller first. */
    minimise: { type: 'boolean', default: false },
  },
})

const limit = Number(values.limit)
const things = values.things?.split(',')
const total = { agree: 0, lost: 0, invented: 0, error: 0, 'too large': 0 }
let executions = 0
let interleavings = 0
/** What was shared in how many wrong bodies. */
const blamed = new Map<string, number>()

type Kind = keyof typeof total

async function check(body: RandomBody): Promise<{ kind: Kind; problems: string[] }> {
  const comparison = await compare(print(body), { scope, limit, allowsPlainRuns: true })
  executions += comparison.executions
  interleavings += comparison.interleavings
  const problems = problemsOf(comparison)
  if (comparison.status === 'too large') return { kind: 'too large', problems }
  if (comparison.error !== undefined) return { kind: 'error', problems }
  return { kind: comparison.lost.length > 0 ? 'lost' : comparison.invented.length > 0 ? 'invented' : 'agree', problems }
}

const first = Number(values.seed)
let shown = 0
for (let seed = first; seed < first + Number(values.programs); seed++) {
  let body = generate({ seed, things, asks: values.asks, prepares: values.prepares, microtasks: values.microtasks })
  let { kind, problems } = await check(body)
  total[kind]++
  if (kind === 'agree' || kind === 'too large') continue
  if (shown++ >= Number(values.show)) continue
  if (values.minimise) {
    body = await minimise(body, async (smaller) => (await check(smaller)).kind === kind)
    problems = (await check(body)).problems
  }
  for (const [name, { make }] of Object.entries(sharedThings)) {
    if (body.makes.some((made) => made.replaceAll(/\b[xyz](?=\b|[A-Z])/g, '~') === make)) blamed.set(name, (blamed.get(name) ?? 0) + 1)
  }
  console.log(`seed ${seed}: ${problems.join('\n  ')}\n${print(body)}\n`)
}
const wrong = total.lost + total.invented + total.error
console.log(`bodies: ${Object.entries(total).map(([kind, count]) => `${count} ${kind}`).join(', ')}; ${executions} executions, ${interleavings} interleavings`)
if (blamed.size > 0) console.log(`shared in those printed: ${[...blamed].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`).join(', ')}`)
process.exitCode = wrong > 0 ? 1 : 0
