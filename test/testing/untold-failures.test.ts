import { expect, test } from 'vitest'
import { UntoldFailure } from '../../src/testing/failure-error.ts'

const untold = (error: Error): string => new UntoldFailure({ kind: 'error', error, schedule: '0', execution: 1 } as never, { commandLineReplay: undefined, seed: undefined, isOrdinary: false }).message

test('a failure by calls that go too deep says what instrumentation has to do with that', () => {
  const deeper = (): void => deeper()
  let thrown: unknown
  try {
    deeper()
  } catch (error) {
    thrown = error
  }
  expect(untold(thrown as Error)).toContain("execArgv: ['--stack-size=3000']")
  expect(untold(new RangeError('too large'))).not.toContain('stack')
})
