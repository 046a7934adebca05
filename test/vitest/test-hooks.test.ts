import { describe, expect, test } from 'vitest'
import { TestHooks } from '../../src/vitest/test-hooks.ts'

const failing = (signal: AbortSignal) => ({ context: { signal }, result: { state: 'fail', errors: [new Error('noted')] as unknown[] | undefined } })

describe('what marks a test as failed', () => {
  test('is of the execution in which expect.soft has noted it', () => {
    const running = failing(new AbortController().signal)
    expect(() => new TestHooks(running).check()).toThrow('noted')
    expect(running.result).toEqual({ state: 'run' })
  })

  test('stays once Vitest has ended the test, by its timeout for instance', () => {
    const ended = failing(AbortSignal.abort())
    const hooks = new TestHooks(ended)
    hooks.begin()
    hooks.check()
    hooks.end()
    expect(ended.result).toMatchObject({ state: 'fail', errors: [{ message: 'noted' }] })
  })
})
