import { parseArgs } from 'node:util'
import { validity } from '../../src/engine/validity.ts'
import { scope } from '../reference/scope.ts'
import { compare, type Comparison } from './compare.ts'
import { generate, type Kind } from './generate.ts'
import { lostBetween } from './inclusion.ts'
import { Tally } from './tally.ts'

/**
 * `npm run oracle:latencies -- --programs 5000 --seed 1 --kind promises`: the outcomes of random bodies, a step being an event. With `--within await`,
 * whether these are also found with a switch at every `await`.
 */
const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: 'state,promises,asks,mixed,settling,combining,immediates,calls,streams,idioms,platform,nodeStreams,webStreams,bodies,emitters' },
    time: { type: 'string', default: 'idle' },
    within: { type: 'string' },
    /** Orders above which a body is passed over. */
    limit: { type: 'string', default: '300' },
    /** How many wrong bodies to print. */
    show: { type: 'string', default: '3' },
  },
})

// It takes most of the time, and says nothing about which outcomes are found.
validity.checked = values.within === undefined

const limit = Number(values.limit)
const time = values.time as 'idle' | 'race'

const compared = (source: string): Promise<Comparison> => compare(source, { scope, limit, time })

async function within(source: string): Promise<Comparison> {
  const nothing = { lost: [], invented: [], executions: 0, orders: 0 }
  try {
    const lost = await lostBetween(source, { interleave: 'event-loop', time }, { interleave: 'await', time }, limit)
    return { ...nothing, status: lost === undefined ? 'too large' : lost.length > 0 ? 'lost' : 'agrees', lost: lost ?? [] }
  } catch (error) {
    return { ...nothing, status: 'error', error: (error as Error).stack ?? String(error) }
  }
}

for (const kind of values.kind.split(',') as Kind[]) {
  const tally = new Tally()
  const first = Number(values.seed)
  for (let seed = first; seed < first + Number(values.programs); seed++) {
    const source = generate(kind, seed)
    tally.add(await (values.within === 'await' ? within : compared)(source), { seed, shown: source })
  }
  tally.print(kind, Number(values.show))
}
