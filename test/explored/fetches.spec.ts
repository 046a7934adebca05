import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from './instrumented/answering.ts'
import { search } from './instrumented/search.ts'
import { answering as opaquely } from './uninstrumented/answering.ts'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

const native = globalThis.fetch

describe.each([
  ['instrumented', answering],
  ['not instrumented', opaquely],
])("what stands in the place of fetch, %s, answers when it likes", (_, standIn) => {
  beforeAll(() => {
    globalThis.fetch = standIn as never
  })
  afterAll(() => {
    globalThis.fetch = native
  })

  test.each(['await', 'event-loop'] as const)("interleave: '%s'", async (interleave) => {
    const searches = async () => {
      const box = { shown: '' }
      await Promise.all([search(box, 'a'), search(box, 'ab')])
      return box.shown
    }
    expect((await outcomesOf({ tasks: [searches] }, { interleave })).outcomes).toEqual(['["a"]', '["ab"]'])
  })
})
