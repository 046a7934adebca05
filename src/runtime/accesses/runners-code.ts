import { running } from '../execution/running.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

/** Runs what a test runner does itself with a test, in a step: the test is called by it. */
export function byRunner<T>(work: () => T): T {
  const execution = running
  if (!execution?.line) return work()
  const { call, line } = execution
  execution.enter(null)
  try {
    return line.byRunner(work)
  } finally {
    execution.enter(call)
  }
}

/** Runs a fixture, which a test runner calls before the test. */
export function byFixture<T>(fixture: Fn, work: () => T): T {
  const line = running?.line
  if (!line) return work()
  // What it starts by itself nobody sees.
  if (kindOf(fixture) !== 'own') line.breaks()
  return line.inFixture(work)
}
