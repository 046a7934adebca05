import type { BruteForce, Enumeration } from './brute-force.ts'
import type { Execution } from './listed.ts'

/** What is wrong with a list of executions; nothing if they are one of each class. */
export interface Differences {
  /** Forms of the classes that none of the executions belongs to. */
  readonly missing: readonly string[]
  /** Schedules of executions whose class had come before. */
  readonly repeated: readonly string[]
  /** Schedules of executions that end otherwise than their class does, or that cannot be. */
  readonly wrong: readonly string[]
}

export const none: Differences = { missing: [], repeated: [], wrong: [] }

export function compare(executions: readonly Execution[], { classes }: Enumeration, bruteForce: BruteForce): Differences {
  const found = new Set<string>()
  const repeated: string[] = []
  const wrong: string[] = []
  for (const { schedule, end } of executions) {
    const form = bruteForce.formOf(schedule)
    if (found.has(form)) repeated.push(schedule.join('.'))
    if (!classes.has(form) || classes.get(form) !== end) wrong.push(schedule.join('.'))
    found.add(form)
  }
  const missing = [...classes.keys()].filter((form) => !found.has(form))
  return { missing, repeated, wrong }
}
