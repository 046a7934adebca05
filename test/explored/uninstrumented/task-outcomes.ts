import { explore, type Tasks } from 'vitest-dpor'

export interface Outcomes {
  readonly verdict: string
  readonly executions: number
  /** What the tasks returned, as text, each once. */
  readonly outcomes: readonly string[]
}

/** Explores all orders of tasks. What is noted here outlives the executions, because this file is not instrumented. */
export async function outcomesOf({ setup, tasks }: Tasks): Promise<Outcomes> {
  const seen = new Set<string>()
  const invariant = (_state: unknown, results: unknown[]) => void seen.add(JSON.stringify(results))
  const { verdict, executions } = await explore({ setup, tasks, invariant }, { stopOnFirst: false })
  return { verdict, executions, outcomes: [...seen].toSorted() }
}
