import { enumerate } from './enumerate.ts'
import { exploreBody, keepsFixedOrders } from './project.ts'
import { possibleInNode } from './slower.ts'

/** What the project did with a body, against what the reference says. */
export interface Comparison {
  readonly status: 'agrees' | 'differs' | 'too large'
  /** Outcomes that the exploration never had. */
  readonly lost: readonly string[]
  /** Outcomes of the exploration that no interleaving has. */
  readonly invented: readonly string[]
  /** How the first execution ended. */
  readonly first?: string | undefined
  /** What the exploration threw. */
  readonly error?: string
  /** How the body can end, by the reference. */
  readonly outcomes: readonly string[]
  readonly interleavings: number
  readonly executions: number
}

export interface CompareOptions {
  readonly scope?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Interleavings above which a body is passed over. Default 20,000. */
  readonly limit?: number
  /** What explores instead of the project: to see that it is found out. */
  readonly explore?: typeof exploreBody
  /** Whether an outcome of Node's, whatever its awaits take, counts as one that can happen, where the model does not have it. Default false. */
  readonly allowsPlainRuns?: boolean
}

/** Explores the body with the project and by enumeration, and compares the outcomes. */
export async function compare(source: string, { scope, limit = 20_000, explore = exploreBody, allowsPlainRuns = false }: CompareOptions = {}): Promise<Comparison> {
  const { outcomes, interleavings, isOverLimit } = await enumerate(source, { scope, limit, fixedOrders: keepsFixedOrders })
  const comparison = { lost: [], invented: [], outcomes, interleavings, executions: 0 }
  if (isOverLimit) return { ...comparison, status: 'too large' }
  try {
    const explored = await explore(source, { scope, limit })
    const lost = outcomes.filter((outcome) => !explored.outcomes.includes(outcome))
    const unknown = explored.outcomes.filter((outcome) => !outcomes.includes(outcome))
    // What Node does can happen, if the model does not have it.
    const possible = allowsPlainRuns && unknown.length > 0 ? await possibleInNode(source, scope, unknown) : []
    const invented = unknown.filter((outcome) => !possible.includes(outcome))
    const status = lost.length + invented.length > 0 ? 'differs' : 'agrees'
    return { ...comparison, lost, invented, status, first: explored.first, executions: explored.executions }
  } catch (error) {
    return { ...comparison, status: 'differs', error: (error as Error).stack ?? String(error) }
  }
}
