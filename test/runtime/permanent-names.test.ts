import { expect, test } from 'vitest'
import { beginNaming, endNaming, isOfRunningExecution, isPermanent, namePermanently } from '../../src/runtime/execution/permanent-names.ts'

test('what is made between the steps of an execution is older than the next one, and not than that one', () => {
  const [before, between] = [{}, {}]
  namePermanently(before, 1)
  beginNaming()
  namePermanently(between, 1)
  expect([before, between].map((made) => [isPermanent(made), isOfRunningExecution(made)])).toEqual([[true, false], [true, true]])
  endNaming()
  beginNaming()
  expect(isOfRunningExecution(between)).toBe(false)
  endNaming()
})
