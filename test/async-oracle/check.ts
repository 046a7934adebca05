import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { Search, type AlgorithmName, type SearchOptions, type Outcome } from '../../src/engine/index.ts'
import { explore, install } from '../../src/runtime/index.ts'
import { Enumeration } from './enumerate.ts'
import { generateModule } from './generate.ts'
import { Random } from './random.ts'

install()

interface Generated {
  readonly setup: () => unknown
  readonly tasks: ((state: unknown) => Promise<unknown>)[]
  readonly outcome: (state: unknown, results: unknown[]) => string
}

export interface Checked {
  readonly status: 'agrees' | 'too large' | 'disagrees'
  readonly executions: number
  readonly blocked: number
  readonly interleavings: number
  /** What is wrong, with the program. */
  readonly report?: string
}

export interface CheckOptions {
  readonly seed: number
  /** Interleavings above which a program is passed over. */
  readonly limit: number
  readonly algorithm?: AlgorithmName
  readonly search?: SearchOptions['search']
  readonly time?: 'idle' | 'race'
  /** Plants a bug in the search, to see that it is found. */
  readonly weaken?: (search: Search) => void
}

/** Explores one random program with the engine and by enumeration, and compares classes and outcomes. */
export async function checkProgram({ seed, limit, algorithm = 'source', search: order, time = 'idle', weaken }: CheckOptions): Promise<Checked> {
  const source = generateModule(new Random(seed), { asksForTime: time === 'race' })
  const file = `/random-${seed}.js`
  const { code } = rewrite(`export default function make() {${source}}`, file)!
  const make = new Function(`${code.replace('export default', 'return ')}`)() as () => Generated
  const generated = make()
  let state: unknown
  let last = ''
  const subject = {
    setup: () => (state = generated.setup()),
    tasks: generated.tasks,
    invariant: (_: unknown, results: unknown[]) => {
      last = generated.outcome(state, results)
      return true
    },
  }
  const seen = (): string => {
    const now = last
    last = ''
    return now
  }
  const options = { stopOnFirst: false, reproduce: 0, algorithm, search: order, time }
  const enumeration = new Enumeration({ limit, seen })
  try {
    await explore(subject, options, () => enumeration)
    const interleavings = enumeration.found.length
    if (enumeration.isOverLimit || enumeration.hasBounds) return { status: 'too large', executions: 0, blocked: 0, interleavings }
    const problems: string[] = []
    const outcomeOf = new Map<string, string>()
    for (const { trace, outcome } of enumeration.found) {
      const known = outcomeOf.get(trace)
      if (known !== undefined && known !== outcome) problems.push(`one class has two outcomes: ${known} / ${outcome}\n${trace}`)
      outcomeOf.set(trace, outcome)
    }
    const exploring = async (equivalence: 'trace' | 'observation') => {
      const outcomes = new Set<string>()
      const search = (given: object): Search => {
        const real = new Search(given)
        weaken?.(real)
        const finish = real.finish.bind(real)
        real.finish = (outcome: Outcome) => {
          if (outcome.status === 'complete') {
            const failure = outcome.failure ? `${outcome.failure.kind} ${outcome.failure.kind === 'deadlock' ? '' : String(outcome.failure.error)}` : ''
            outcomes.add(`${failure} ${seen()}`)
          }
          finish(outcome)
        }
        return real
      }
      const result = await explore(subject, { ...options, equivalence }, search)
      const missing = [...new Set(outcomeOf.values())].filter((outcome) => !outcomes.has(outcome))
      if (missing.length > 0) problems.push(`${equivalence}: outcomes never explored: ${missing.join(' / ')}`)
      // Each class once; where keys come and go, or nobody observes an order, classes are merged.
      const isExact = equivalence === 'trace' && !enumeration.hasOrders
      if (isExact ? result.executions !== outcomeOf.size : result.executions > outcomeOf.size) {
        problems.push(`${equivalence}: ${result.executions} executions for ${outcomeOf.size} classes`)
      }
      return result
    }
    const result = await exploring('trace')
    await exploring('observation')
    const counts = { executions: result.executions, blocked: result.blocked, interleavings }
    if (problems.length === 0) return { status: 'agrees', ...counts }
    return { status: 'disagrees', ...counts, report: `seed ${seed}\n${problems.slice(0, 3).join('\n')}\n${show(source)}` }
  } catch (error) {
    return { status: 'disagrees', executions: 0, blocked: 0, interleavings: 0, report: `seed ${seed}: ${String(error)}\n${(error as Error).stack}\n${show(source)}` }
  }
}

function show(source: string): string {
  return source.slice(source.indexOf('const tasks ='), source.indexOf('function outcome')).trim()
}
