import { afterEach, describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { exploreRecorded } from '../../src/runtime/index.ts'

/** Two tasks that get in each other's way: several executions. */
const twice = async (change: (i: number) => unknown) => {
  await Promise.all([1, 2].map(async (i) => (await null, change(i))))
}

describe('what the plain run of a test leaves behind', () => {
  const log: number[] = []
  let counter: { next(): number } | undefined
  let expected: number[] = []

  /** With variables of its own, which later tests find as they were left. */
  function makeCounter() {
    let isUsed = false
    let count = 0
    return {
      next() {
        if (!isUsed) isUsed = true
        return ++count
      },
    }
  }

  afterEach(() => {
    expect(log).toEqual(expected)
  })

  dporTest('hooks find it', { hooks: 'once' }, async () => {
    await twice((i) => log.push(i))
    expect(log.length).toBe(2)
    counter = makeCounter()
    counter.next()
    expected = [1, 2]
  })

  dporTest('and the next test does, in each of its executions', async () => {
    const seen: number[] = []
    expect(log).toEqual([1, 2])
    await twice(() => seen.push(counter!.next()))
    expect(seen.toSorted()).toEqual([2, 3])
  })

  test('and one that does not explore', () => {
    expect(counter!.next()).toBe(4)
  })
})

describe.each(['await', 'event-loop'] as const)("timers that the plain run of a test leaves, by '%s'", (interleave) => {
  const sleep = (time: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, time))
  const seen: string[] = []
  let second: number | undefined
  let flushing: ReturnType<typeof setTimeout> | undefined
  let late: Promise<void> | undefined

  /** A clock that is read once a second. */
  function now(): number {
    if (second === undefined) {
      second = Math.floor(Date.now() / 1000)
      setTimeout(() => (second = undefined), 1000)
    }
    return second
  }

  function flushSoon(): void {
    flushing ??= setTimeout(() => {
      flushing = undefined
      seen.push('flushed')
    }, 100)
  }

  dporTest('they are set', { interleave }, async () => {
    await sleep(5000)
    now()
    flushSoon()
    setTimeout(() => seen.push('much later'), 60_000)
    setInterval(() => seen.push('interval'), 10)
    late = (async () => {
      await new Promise<void>((resolve) => setTimeout(() => resolve(), 50))
      seen.push('of a test that is over')
    })()
    late.catch(() => {})
    setTimeout(() => Promise.reject(new Error('late')).catch(() => {}), 20)
  })

  dporTest('in each execution of the next test they fire when they are due', { interleave }, async () => {
    seen.length = 0
    const before = now()
    flushSoon()
    await twice((i) => seen.push(String(i)))
    await sleep(99)
    expect(seen.toSorted()).toEqual(['1', '2'])
    await sleep(2)
    expect(seen.toSorted()).toEqual(['1', '2', 'flushed'])
    await sleep(1900)
    expect(now() - before).toBeGreaterThanOrEqual(2)
    expect(now() - before).toBeLessThanOrEqual(3)
    flushSoon()
  })

  dporTest('what has fired does not fire again, and they can be cleared by who has set them', { interleave }, async () => {
    clearTimeout(flushing)
    flushing = undefined
    seen.length = 0
    await sleep(1000)
    expect(seen).toEqual([])
    flushSoon()
  })

  dporTest('or set anew', { interleave }, async () => {
    await sleep(90)
    flushing!.refresh()
    await sleep(90)
    expect(seen).toEqual([])
    await sleep(20)
    expect(seen).toEqual(['flushed'])
    flushSoon()
  })

  test('where nothing is explored they are real', async () => {
    seen.length = 0
    await sleep(150)
    expect(seen).toEqual(['flushed'])
  })
})

test('an exploration without a test around it leaves nothing', async () => {
  const log: number[] = []
  expect(await explore(() => twice((i) => log.push(i)))).toMatchObject({ verdict: 'holds' })
  expect(log).toEqual([])
})

test('what is fixed already may be fixed again; what was not stays so, which is said', async () => {
  const fixed = [Object.freeze({ a: 1 }), Object.seal({ a: 1 }), Object.preventExtensions({ a: 1 })] as const
  const again = await explore(() => twice(() => [Object.freeze(fixed[0]), Object.seal(fixed[1]), Object.preventExtensions(fixed[2])]))
  expect(again).toMatchObject({ verdict: 'holds', executions: 1 })
  const open = { a: 1 }
  expect((await explore(async () => Object.freeze(open))).inconclusiveReason).toMatch(/could not be undone: the state of an Object, changed at test\/explored\/left-behind\.spec\.ts:140:25 \(explore callback\)\. Let what makes them happen before, as in beforeAll/)
})

test.each(['await', 'event-loop'] as const)('where others begin with what the plain run has fixed, nothing is said of all orders, switches at %s', async (interleave) => {
  const open = { a: 1 }
  const found = await explore(() => twice(() => { if (!Object.isFrozen(open)) Object.freeze(open) }), { interleave })
  expect(found).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('could not be undone: the state of an Object') })
})

test('what changes again and again comes back as it was before the first time', async () => {
  let count = 0
  const older: { kept: number; gone?: number; added?: number } = { kept: 1, gone: 2 }
  const entries = new Map([['a', 1]])
  const found = await explore(async () => {
    expect([count, { ...older }, [...entries]]).toEqual([0, { kept: 1, gone: 2 }, [['a', 1]]])
    await twice((i) => {
      for (let again = 0; again < 3; again++) {
        count += i
        count = count * 2
        older.kept += i
        delete older.gone
        older.gone = i
        delete older.gone
        older.added = count
        entries.set('a', count)
        entries.delete('a')
        entries.set('b', i)
      }
    })
  })
  expect(found.failures).toEqual([])
  expect(found.executions).toBeGreaterThan(1)
  expect([count, older, [...entries]]).toEqual([0, { kept: 1, gone: 2 }, [['a', 1]]])
})

describe('what fails leaves nothing', () => {
  const log: number[] = []
  dporTest.fails('in some order', async () => {
    await twice((i) => log.push(i))
    expect(log).toEqual([1, 2])
  })
  test('that anybody finds', () => expect(log).toEqual([]))
})

test('however long it takes to find out about a race, the plain run of an ordinary test leaves what it has changed', async () => {
  const runs: string[] = []
  const body = async () => {
    const order: number[] = []
    await twice((i) => order.push(i))
    runs.push(order.join())
    if (order[0] === 2) throw new Error('the other order')
  }
  const subject = {
    run: (stages: { explored(work: () => Promise<void>): Promise<unknown> }) =>
      stages.explored(body).then(
        () => [],
        (error: unknown) => [error],
      ),
  }
  const investigate = async (): Promise<void> => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
  const { result } = await exploreRecorded(subject, { leavesState: true, maxTime: 1_000, investigate })
  expect(result.verdict).toBe('fails')
  expect(runs).toEqual(['1,2'])
})

describe.each(['await', 'event-loop'] as const)("timers of one length that two tests leave, by '%s'", (interleave) => {
  const fired: string[] = []
  let set = 0
  const leave = (name: string): void => {
    set++
    setTimeout(() => fired.push(name), 1000)
  }

  dporTest('one sets a timer', { interleave }, () => leave('first'))
  dporTest('the next one sets another', { interleave }, () => leave('second'))
  dporTest('they fire in the order in which they were set', { interleave }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect([set, ...fired]).toEqual([2, 'first', 'second'])
  })
})

describe('a timer is all that a test leaves', () => {
  const told: string[] = []
  const tell = told.push.bind(told)
  dporTest('it sets one', () => void setTimeout(tell, 1000, 'fired'))
  dporTest('it fires in the next test', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(told).toEqual(['fired'])
  })
})

describe('reactions that were registered before the explored part keep their order', () => {
  let settle!: () => void
  const order: number[] = []
  dporTest('of one promise', {
    setup() {
      const promise = new Promise<void>((resolve) => (settle = resolve))
      for (const number of [1, 2, 3]) void promise.then(() => order.push(number))
    },
    tasks: [async () => settle(), async () => {}],
    invariant: () => {
      expect(order).toEqual([1, 2, 3])
      return true
    },
  })
})

describe.each(['await', 'event-loop'] as const)("an error's constructor that a test takes away, by '%s'", (interleave) => {
  const native = globalThis.AggregateError
  const found: string[] = []
  afterEach(() => {
    found.push(typeof globalThis.AggregateError)
    globalThis.AggregateError = native
  })

  dporTest('in one of two tasks', { interleave }, () => twice((i) => i === 1 && (globalThis.AggregateError = undefined!)))
  dporTest('is there again once a hook has put it back', { interleave }, async () => {
    await null
    expect(globalThis.AggregateError).toBe(native)
    globalThis.AggregateError = undefined!
  })
  dporTest('and hooks find it as the test has left it', { interleave }, () => {
    expect([found[0], found.at(-1)]).toEqual(['undefined', 'undefined'])
  })
})

describe("an error's constructor that a test leaves replaced", () => {
  class Replaced extends Error {}
  const native = globalThis.RangeError

  dporTest('where nobody puts it back', async () => {
    await null
    globalThis.RangeError = Replaced as unknown as RangeErrorConstructor
  })
  dporTest('is what the next one finds', () => {
    expect(globalThis.RangeError).toBe(Replaced)
  })
  test('and one that does not explore', () => {
    expect(globalThis.RangeError).toBe(Replaced)
    globalThis.RangeError = native
  })
})
