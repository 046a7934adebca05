import { pbkdf2Sync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'

/** Real milliseconds that a hook may take. Of one that an execution has left, as it was given up, that time is over a while later. */
const limit = 2_000

describe("hooks of an execution whose time is over, by 'event-loop'", () => {
  let begun = 0
  let signal: AbortSignal | undefined

  describe('are', () => {
    afterEach(async () => {
      begun++
      await null
    })
    afterEach(async () => {
      // Most of what an execution takes, so that its time is over here.
      pbkdf2Sync('a', 'b', 300_000, 64, 'sha512')
      await readFile(import.meta.filename)
    }, limit)

    dporTest('left', { interleave: 'event-loop', maxTime: 600, onInconclusive: 'pass' }, async (context) => {
      signal = context.signal
      const list: number[] = []
      await Promise.all([1, 2, 3].map(async (i) => {
        await readFile(import.meta.filename)
        list.push(i)
      }))
      expect(list.length).toBe(3)
    })
  })

  test('when the time limit of one of them is over, neither do those begin that would come next, nor does its test end', async () => {
    const before = begun
    await later(limit + 200)
    expect(begun).toBe(before)
    expect(signal!.aborted).toBe(false)
  })
})
