import { io } from '../../src/runtime/index.ts'
import { exploreBody } from '../reference/project.ts'
import { enumerate } from './enumerate.ts'

/** What an exploration by events found, against what latencies can do. */
export interface Comparison {
  readonly status: 'agrees' | 'lost' | 'invented' | 'error' | 'too large'
  readonly lost: readonly string[]
  readonly invented: readonly string[]
  readonly error?: string
  readonly orders: number
  readonly executions: number
}

/** Compares all outcomes but that of the plain run, in which nothing stands for I/O. */
export async function compare(source: string, { scope = () => ({}), limit = 300, time = 'idle' }: { readonly scope?: () => Readonly<Record<string, unknown>>; readonly limit?: number; readonly time?: 'idle' | 'race' } = {}): Promise<Comparison> {
  const { outcomes, orders, isOverLimit } = await enumerate(source, { scope, limit, time })
  const nothing = { lost: [], invented: [], orders, executions: 0 }
  if (isOverLimit) return { ...nothing, status: 'too large' }
  try {
    const explored = await exploreBody(source, { scope: () => ({ ...scope(), io }), interleave: 'event-loop', time, limit: 20_000, skipsPlainRun: true })
    const lost = outcomes.filter((outcome) => !explored.outcomes.includes(outcome))
    const invented = explored.outcomes.filter((outcome) => !outcomes.includes(outcome))
    const status = lost.length > 0 ? 'lost' : invented.length > 0 ? 'invented' : 'agrees'
    return { ...nothing, status, lost, invented, executions: explored.executions }
  } catch (error) {
    return { ...nothing, status: 'error', error: (error as Error).stack ?? String(error) }
  }
}
