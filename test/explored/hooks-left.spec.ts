import { pbkdf2Sync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, describe, expect, test, type TestContext } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { exploreRecorded, type Staged } from '../../src/runtime/index.ts'

/** Real milliseconds that a hook may take. Of one that an execution has left, as it was given up, that time is over a while later. */
const limit = 2_000

describe("hooks of an execution whose time is over, by 'event-loop'", () => {
  let begun = 0

  describe('are', () => {
    afterEach(async () => {
      begun++
      await null
    })
    afterEach(async () => {
      // Most of what an execution takes, so that its time is over here.
      pbkdf2Sync('a', 'b', 300_000, 64, 'sha512')
      for (let i = 0; i < 10; i++) await readFile(import.meta.filename)
    }, limit)

    dporTest('left', { interleave: 'event-loop', maxTime: 600, onInconclusive: 'pass' }, async () => {
      const list: number[] = []
      await Promise.all([1, 2, 3].map(async (i) => {
        await readFile(import.meta.filename)
        list.push(i)
      }))
      expect(list.length).toBe(3)
    })
  })

  test('when the time limit of one of them is over, neither do those begin that would come next, nor does its test end', async ({ task }) => {
    const [are] = task.suite!.tasks as unknown as readonly [{ readonly tasks: readonly [{ readonly context: TestContext }] }]
    const before = begun
    await later(limit + 200)
    expect(begun).toBe(before)
    expect(are.tasks[0].context.signal.aborted).toBe(false)
  })
})

test("what comes after a body, by 'event-loop', does not go on once its execution is over, whatever settles what it waits for", async () => {
  let settle!: () => void
  const promise = new Promise<void>((resolve) => (settle = resolve))
  const begun: string[] = []
  const staged: Staged = {
    run: async (stages) => {
      const hooks = [() => promise, () => begun.push('the next')]
      const errors: unknown[] = []
      await stages.explored(async () => {}, () => hooks).catch((error: unknown) => errors.push(error))
      return errors
    },
  }
  const { result } = await exploreRecorded(staged, { interleave: 'event-loop' })
  expect(result.failures[0]?.kind).toBe('deadlock')
  settle()
  await later(1)
  expect(begun).toEqual([])
})
