import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

class Refused extends Error {}

/** What Node's functions are given is what the program has, a class or a function. */
describe('functions that Node calls at once, or only looks at', () => {
  dporTest('are compared as they are', async () => {
    const work = async () => 1
    assert.equal([work][0], work)
    assert.deepEqual([work, Refused], [work, Refused])
    expect(isDeepStrictEqual({ work }, { work })).toBe(true)
    expect(inspect(Refused)).toBe('[class Refused extends Error]')
    expect(AsyncResource.bind(() => 5)()).toBe(5)
  })

  dporTest('may be classes of errors', async () => {
    await assert.rejects(async () => {
      throw new Refused('no')
    }, Refused)
    assert.throws(() => {
      throw new Refused('no')
    }, Refused)
  })

  dporTest('an error of another class is the one that is reported', async () => {
    const failed = await assert.rejects(async () => {
      throw new TypeError('other')
    }, Refused).catch((error: Error) => error.message)
    expect(failed).toContain('instance of "Refused"')
  })

  test('nothing real is open for them', async () => {
    const { verdict, executions } = await explore(
      async () => {
        const seen = { n: 0 }
        const add = async () => {
          await null
          assert.doesNotThrow(() => {
            seen.n += 1
          })
        }
        await Promise.all([add(), add()])
        assert.equal(seen.n, 2)
      },
      { stopOnFirst: false },
    )
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })
})
