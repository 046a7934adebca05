import { explore, type DporOptions, type Tasks } from 'vitest-dpor'

export interface Outcomes {
  readonly verdict: string
  readonly executions: number
  /** What the tasks returned, and what was found afterwards, as text, each once. */
  readonly outcomes: readonly string[]
}

/** Explores all orders of tasks. What is noted here outlives the executions, because this file is not instrumented. */
export async function outcomesOf({ setup, tasks }: Tasks, { after, ...options }: DporOptions & { readonly after?: () => unknown } = {}): Promise<Outcomes> {
  const seen = new Set<string>()
  const invariant = (_state: unknown, results: unknown[]) => void seen.add(JSON.stringify(after ? [...results, after()] : results))
  const { verdict, executions } = await explore({ setup, tasks, invariant }, { stopOnFirst: false, ...options })
  return { verdict, executions, outcomes: [...seen].toSorted() }
}
