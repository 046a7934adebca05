import { TestRunner } from 'vitest'
import { onDefinition } from '../../runtime/calls/definitions.ts'
import type { Finding } from '../../testing/finding.ts'
import type { RunnerTest } from '../passes/runner-test.ts'

const known = new WeakSet<object>()

/** From now on tests are known whose function has returned once it has run: no order of anything can change how they end, and they run as they are. */
export function knowTestsOverAtOnce(): void {
  onDefinition(() => {
    const { tasks } = TestRunner.getCurrentSuite()
    const before = tasks.length
    return () => tasks.slice(before).forEach((task) => known.add(task))
  })
}

export const isOverAtOnce = (test: RunnerTest): boolean => known.has(test)

/** What is said of one before it has run. */
export const foundAtOnce: Finding = { found: 'alone' }
const fails: Finding = { found: 'fails' }
const unawaited: Finding = { found: 'unexplored', reason: 'it does not await what it expects of a promise' }
const said: ReadonlySet<unknown> = new Set([foundAtOnce, fails, unawaited])

/** Runs a test that is not explored. Of one that is over at once Vitest waits for assertions about promises all the same. */
export async function asItIs(test: RunnerTest, run: () => unknown): Promise<unknown> {
  if (!said.has(test.meta['dporFound'])) return run()
  Reflect.deleteProperty(test, 'promises')
  try {
    const result = await run()
    test.meta['dporFound'] = 'promises' in test ? unawaited : foundAtOnce
    return result
  } catch (error) {
    // Where it is skipped it has not failed.
    test.meta['dporFound'] = test.result?.pending ? undefined : fails
    throw error
  }
}
