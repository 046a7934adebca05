import { expect, test } from 'vitest'
import { io } from 'vitest-dpor'
import { counting, outcomes } from './uninstrumented/outcomes.ts'
import { inSlices, wait, work } from './uninstrumented/slices.ts'

/** What such code does in turns of its own stands in one place, however fast the machine is. */
test.each([0, 1, 2, 3, 4])('code that works in slices of some milliseconds does the same in each execution: the one number %i is slow', async (slow) => {
  const isSlow = counting(slow)
  const body = async (): Promise<unknown> => {
    const state = { n: 0 }
    const seen: number[] = []
    const milliseconds = isSlow() ? 7 : 0
    inSlices([() => work(milliseconds), () => void state.n++, () => work(milliseconds), () => void state.n++])
    const look = async (): Promise<void> => {
      await io(Promise.resolve())
      seen.push(state.n)
    }
    await Promise.all([look(), look()])
    return seen
  }
  // In the plain run both answers are there at once.
  expect(await outcomes(body, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', seen: ['[0,0]', '[2,2]'] })
})

test('one that waits for time to pass does not wait for ever', async () => {
  const body = async (): Promise<unknown> => {
    const state = { isOver: false }
    inSlices([() => wait(20), () => (state.isOver = true)])
    await io(Promise.resolve())
    await new Promise((resolve) => setTimeout(resolve, 5))
    return state.isOver
  }
  expect(await outcomes(body, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', seen: ['true'] })
})
