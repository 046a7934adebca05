import { expect, test } from 'vitest'
import type { Failure } from '../../src/engine/index.ts'
import { UntoldFailure } from '../../src/testing/failure-error.ts'
import { toldOnTimeout } from '../../src/vitest/told-on-timeout.ts'

const failureOf = (message: string): Failure => ({ kind: 'error', error: new Error(message), execution: 2, schedule: '0.1x2' }) as unknown as Failure
const errorOf = (failure: Failure): Error => new UntoldFailure(failure, { commandLineReplay: undefined, seed: undefined, isOrdinary: false })
const timeout = (): Error => new Error('Test timed out in 300ms.\nIf this is a long-running test, pass a timeout value.')

test('the error that ends a test whose time is up says what was found by then', () => {
  const controller = new AbortController()
  const onFailure = toldOnTimeout(controller.signal, errorOf)
  const error = timeout()
  onFailure(failureOf('expected 90 to be 70'))
  controller.abort(error)
  expect(error).toMatchObject({ name: 'dporTest', message: expect.stringMatching(/^expected 90 to be 70\nin execution 2\. [^]*0\.1x2[^]*\nTest timed out in 300ms\.$/), cause: { message: 'expected 90 to be 70' } })
  expect(error.stack).toMatch(/^dporTest: expected 90 to be 70\n/)
})

test('it stays as it is where nothing was found, or only in an attempt before, and where a test is ended for another reason', () => {
  const [nothing, before, other] = [new AbortController(), new AbortController(), new AbortController()]
  toldOnTimeout(nothing.signal, errorOf)
  toldOnTimeout(before.signal, errorOf)(failureOf('first attempt'))
  toldOnTimeout(before.signal, errorOf)
  toldOnTimeout(other.signal, errorOf)(failureOf('found'))
  for (const controller of [nothing, before]) {
    const error = timeout()
    controller.abort(error)
    expect(error.message).toMatch(/^Test timed out in 300ms\./)
  }
  const bail = new Error('cancelled')
  other.abort(bail)
  expect(bail.message).toBe('cancelled')
})
