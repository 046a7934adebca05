import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

class Queue<T> {
  readonly #items: T[] = []
  readonly #takers: ((item: T) => void)[] = []

  put(item: T): void {
    const taker = this.#takers.shift()
    if (taker) taker(item)
    else this.#items.push(item)
  }

  async take(): Promise<T> {
    if (this.#items.length > 0) return this.#items.shift()!
    return new Promise((resolve) => this.#takers.push(resolve))
  }
}

let moduleCache: Map<string, number> | undefined
const moduleList: number[] = []

/** Programs of the kind that applications consist of; the counts are worked out by hand. */
const programs: Record<string, [executions: number, subject: Tasks | (() => unknown)]> = {
  // Who is first: 2. The other asks before the release, and waits, or after it: 2 each.
  'a semaphore for one, two tasks': [4, {
    setup: () => ({ semaphore: new Semaphore(1), inside: 0, most: 0 }),
    tasks: [1, 2].map(() => async (state: { semaphore: Semaphore; inside: number; most: number }) => {
      await state.semaphore.acquire()
      state.most = Math.max(state.most, ++state.inside)
      await null
      state.inside--
      state.semaphore.release()
    }),
    invariant: ({ inside, most }) => inside === 0 && most === 1,
  }],
  // take put: (take put | put take) 2; put take: the same 2; put put take take: 1.
  'a queue, two items, one producer and one consumer': [5, {
    setup: () => new Queue<number>(),
    tasks: {
      producer: async (queue: Queue<number>) => {
        queue.put(1)
        await null
        queue.put(2)
      },
      consumer: async (queue: Queue<number>) => {
        expect([await queue.take(), await queue.take()]).toEqual([1, 2])
      },
    },
  }],
  // Both have a job when the body waits. One of two is done first, three times; the last has no choice.
  'two workers, four jobs': [8, async () => {
    const jobs = [1, 2, 3, 4]
    const done: number[] = []
    let next = 0
    const worker = async () => {
      while (next < jobs.length) {
        const job = jobs[next++]!
        await null
        done.push(job)
      }
    }
    await Promise.all([worker(), worker()])
    expect(done.toSorted()).toEqual(jobs)
  }],
  // Who of three makes the entry; the other two only read it.
  'a memoised promise, three callers': [3, async () => {
    const memo = new Map<string, Promise<object>>()
    const load = async () => {
      await null
      return {}
    }
    const get = async () => {
      await null
      let entry = memo.get('k')
      if (!entry) memo.set('k', (entry = load()))
      return entry
    }
    const [a, b, c] = await Promise.all([get(), get(), get()])
    expect(a === b && b === c).toBe(true)
  }],
  // One process has set both timers, so they fire in the order in which they were set: first the answer's, but the
  // answer itself may come later. The answer first, then the timeout is cleared or fires for nothing; or the timeout first.
  'an answer at the moment of its timeout': [3, async () => {
    const answer = async () => {
      await sleep(10)
      return 'answer'
    }
    const answering = answer()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, 10, 'late')))
    const result = await Promise.race([answering, late]).finally(() => clearTimeout(timer))
    expect(['answer', 'late']).toContain(result)
  }],
  'an answer before its timeout': [1, async () => {
    const result = await Promise.race([sleep(5).then(() => 'answer'), sleep(10).then(() => 'late')])
    expect(result).toBe('answer')
  }],
  // The calls take both locks one after the other within the first step: there is nothing left to choose.
  'locks made of promises, always in one order': [1, async () => {
    const makeLock = () => {
      let tail: Promise<unknown> = Promise.resolve()
      return <T>(work: () => Promise<T>): Promise<T> => {
        const result = tail.then(work)
        tail = result
        return result
      }
    }
    const [first, second] = [makeLock(), makeLock()]
    let n = 0
    const bump = () => first(() => second(async () => {
      const before = n
      await null
      n = before + 1
    }))
    await Promise.all([bump(), bump()])
    expect(n).toBe(2)
  }],
  'a parallel merge sort': [1, async () => {
    const sort = async (list: readonly number[]): Promise<number[]> => {
      if (list.length < 2) return [...list]
      const middle = list.length >> 1
      const [left, right] = (await Promise.all([sort(list.slice(0, middle)), sort(list.slice(middle))])) as [number[], number[]]
      const merged: number[] = []
      while (left.length > 0 && right.length > 0) merged.push((left[0]! < right[0]! ? left : right).shift()!)
      return [...merged, ...left, ...right]
    }
    expect(await sort([3, 1, 2, 5, 4, 7, 6, 0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  }],
  'five chains of twenty awaits': [1, () => Promise.all([1, 2, 3, 4, 5].map(async () => {
    let n = 0
    for (let i = 0; i < 20; i++) {
      await null
      n++
    }
    return n
  }))],
  'two hundred calls on state of their own': [1, () => Promise.all(Array.from({ length: 200 }, async (_, i) => {
    const own = { i }
    await null
    own.i++
  }))],
  // State of a module, fresh in every execution.
  'a cache of the module': [2, async () => {
    expect(moduleCache).toBeUndefined()
    expect(moduleList).toHaveLength(0)
    moduleList.push(1)
    const cache = (moduleCache ??= new Map())
    await Promise.all([1, 2].map(async (n) => {
      await null
      cache.set('k', n)
    }))
  }],
}

describe('classes of a program', () => {
  test.each(Object.entries(programs).map(([name, [executions, subject]]) => [name, executions, subject] as const))('%s: %i', async (_, executions, subject) => {
    const result = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
    expect(result).toMatchObject({ verdict: 'holds', executions, blocked: 0 })
  })
})
