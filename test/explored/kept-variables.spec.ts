import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

declare const __dpor: { keeps(get: () => readonly [boolean, number], set: (scheduled: boolean, count: number) => void, holders: () => readonly unknown[]): void }

/** As the queue of React does: work that is still to be done is done in a turn of the event loop. */
const queue: (() => void)[] = []
let isScheduled = false
let turns = 0

function add(work: () => void): void {
  queue.push(work)
  if (isScheduled) return
  isScheduled = true
  setImmediate(flush)
}

function flush(): void {
  turns++
  queue.shift()?.()
  if (queue.length > 0) setImmediate(flush)
  else isScheduled = false
}

__dpor.keeps(() => [isScheduled, turns], (scheduled, count) => ([isScheduled, turns] = [scheduled, count]), () => [queue])

test('work that a package has put off before an exploration is done before it, so that it is not put back as still to be done', async () => {
  const done: number[] = []
  for (const n of [1, 2]) add(() => done.push(n))
  await explore(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
  })
  expect([done, isScheduled, queue.length]).toEqual([[1, 2], false, 0])
  await new Promise<void>((resolve) => add(resolve))
})
