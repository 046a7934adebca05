import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
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

test.each(['event-loop', 'await'] as const)("what Node reads in turns of the event loop is waited for, also twice, by '%s'", async (interleave) => {
  const text = (body: string | Blob): Promise<string> => new Response(body).text()
  const found = await explore(async () => {
    const first = new Response(new Blob(['a'])).blob()
    await first
    expect([await text(await first), await text(new Blob(['b'])), await new Blob(['c']).text(), await text('d')]).toEqual(['a', 'b', 'c', 'd'])
  }, { interleave })
  expect(found.verdict).toBe('holds')
})
