import { expect, test } from 'vitest'
import { searchBy } from './instrumented/answering-requests.ts'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

test.each(['await', 'event-loop'] as const)("requests of node:http that this process answers are answered in any order, interleave: '%s'", async (interleave) => {
  const searches = async () => {
    const box = { shown: '' }
    await Promise.all([searchBy(box, '/a'), searchBy(box, '/ab')])
    return box.shown
  }
  expect((await outcomesOf({ tasks: [searches] }, { interleave })).outcomes).toEqual(['["/a"]', '["/ab"]'])
})
