import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { dporTest } from 'vitest-dpor'

/** Does so in a microtask, after so many others. */
function hops(count: number, work: () => void): void {
  if (count === 0) work()
  else queueMicrotask(() => hops(count - 1, work))
}

describe("what a test has left has no step between its end and what it has asked for then, by 'event-loop'", () => {
  const options = { interleave: 'event-loop', hooks: 'once' } as const

  dporTest('a timer', options, async () => {
    let isOver = false
    const timer = setTimeout(() => expect(isOver).toBe(true), 5)
    onTestFinished(() => {
      isOver = true
      clearTimeout(timer)
    })
    await later(1)
  })

  dporTest('an answer', options, async () => {
    let isOver = false
    void readFile(import.meta.filename).then(() => expect(isOver).toBe(true))
    onTestFinished(() => {
      isOver = true
    })
  })

  dporTest('a server that is closed', options, async () => {
    let isClosed = false
    const server = createServer((_, response) => response.end())
    server.on('close', () => (isClosed = true))
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      expect(isClosed).toBe(true)
    })
    await new Promise<void>((resolve) => void server.listen(0, resolve))
  })

  dporTest('but for microtasks', options, () => {
    let count = 0
    for (let i = 1; i < 5; i++) hops(i, () => count++)
    onTestFinished(() => expect(count).toBe(4))
  })

  dporTest('what is asserted there does not count', options, async () => {
    expect.assertions(1)
    onTestFinished(() => expect(1).toBe(1))
    expect(1).toBe(1)
    await null
  })

  dporTest.fails('what is left goes on, beside and after that', options, async () => {
    let isOver = false
    void readFile(import.meta.filename).then(() => expect(isOver).toBe(false))
    onTestFinished(async () => {
      await readFile(import.meta.filename)
      isOver = true
    })
  })

  dporTest.fails('it fails with that', options, async () => {
    onTestFinished(async () => {
      await null
      throw new Error('not so')
    })
  })
})

describe("hooks after a test come at once as well, by 'event-loop'", () => {
  const options = { interleave: 'event-loop' } as const
  let isOver = false
  const order: string[] = []

  describe('one after another', () => {
    beforeEach(() => {
      isOver = false
      order.length = 0
    })
    afterEach(() => {
      order.push('outer')
    })
    describe('within', () => {
      afterEach(() => {
        isOver = true
        order.push('first')
      })
      afterEach(async () => {
        await new Promise<void>((resolve) => queueMicrotask(resolve))
        order.push('second')
      })
      afterAll(() => expect(order).toEqual(['second', 'first', 'outer', 'finished']))

      dporTest('an answer comes later', options, async () => {
        void readFile(import.meta.filename).then(() => expect(isOver).toBe(true))
        onTestFinished(() => void order.push('finished'))
      })
      dporTest('what is asserted there does not count', options, async () => {
        expect.assertions(1)
        expect(isOver).toBe(false)
        onTestFinished(() => {
          order.push('finished')
          expect(order).toEqual(['second', 'first', 'outer', 'finished'])
        })
      })
      test('so it is in a test that is not explored', async () => {
        void readFile(import.meta.filename).then(() => expect(isOver).toBe(true))
        onTestFinished(() => void order.push('finished'))
      })
    })
  })

  describe('with what a hook before the test returns', () => {
    const calls: string[] = []
    beforeEach(() => {
      calls.length = 0
      return () => void calls.push('returned')
    })
    afterEach(() => void calls.push('hook'))
    afterAll(() => expect(calls).toEqual(['hook', 'returned', 'finished']))

    dporTest('the order is the same', options, async () => {
      onTestFinished(() => void calls.push('finished'))
      await null
    })
  })

  describe('where the execution is given up', () => {
    let begun = 0
    let ended = 0
    afterEach(async () => {
      begun++
      await readFile(import.meta.filename)
      ended++
    })
    afterAll(() => expect(ended).toBe(begun))

    dporTest('what they have to do is done', options, async () => {
      const list: number[] = []
      await Promise.all([1, 2].map(async (i) => {
        await readFile(import.meta.filename)
        list.push(i)
      }))
      void readFile(import.meta.filename).then(() => list.push(3))
    })
  })
})
