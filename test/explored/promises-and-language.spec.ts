import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'
import { Signal } from './uninstrumented/signals.ts'

/** How many classes of interleavings two tasks have over what `setup` makes. */
async function classesOf(subject: Tasks): Promise<number> {
  const { verdict, executions } = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
  expect(verdict).toBe('holds')
  return executions
}

const pair = <S>(setup: () => S, one: (state: S) => unknown, other: (state: S) => unknown): Tasks<S> => ({
  setup,
  tasks: [async (state) => one(state), async (state) => other(state)],
})

const deferreds = () => ({ a: Promise.withResolvers?.() ?? deferred(), b: Promise.withResolvers?.() ?? deferred() })

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<unknown>((...settlers) => {
    ;[resolve, reject] = settlers
  })
  return { promise, resolve, reject }
}

class Log extends Map<string, number> {
  override set(key: string, value: number) {
    return super.set(key, value)
  }
}

class Base {
  static limit = 1
}
class Sub extends Base {
  declare n: number
  set() {
    // @ts-expect-error the property is of no class
    super.n = 1
  }
  static look() {
    return super.limit
  }
}

class Mine<T> extends Promise<T> {}

async function* letters() {
  yield 'a'
  yield 'b'
}

// oxlint-disable-next-line unicorn/no-thenable
const thenable = (give: () => number) => ({ then: (done: (n: number) => void) => done(give()) })

const queued = () => ({ n: 0, list: [Promise.resolve(1)], set: new Set([Promise.resolve(1)]) })

const conflicting: Record<string, Tasks<any>> = {
  'a race through catch, and a settling': pair(deferreds, ({ a, b }) => void Promise.race([a.promise.catch(() => {}), b.promise]), ({ a }) => a.resolve(1)),
  'a race through an async function that returns its part, and a settling': pair(deferreds, ({ a, b }) => void Promise.race([(async () => a.promise)(), b.promise]), ({ a }) => a.resolve(1)),
  'a race over Promise.all, and a settling of a part': pair(deferreds, ({ a, b }) => void Promise.race([Promise.all([a.promise, 1]), b.promise]), ({ a }) => a.resolve(1)),
  'Promise.all of a list, and push': pair(queued, async ({ list }) => Promise.all(list), ({ list }) => list.push(Promise.resolve(2))),
  'Promise.any of a Set, and add': pair(queued, async ({ set }) => Promise.any(set), ({ set }) => set.add(Promise.resolve(2))),
  'a thenable that looks, and a change': pair(queued, async (o) => thenable(() => o.n), (o) => (o.n = 1)),
  'super.set of one key': pair(() => new Log(), (log) => log.set('a', 1), (log) => log.set('a', 2)),
  'super.n = v, and n': pair(() => new Sub(), (o) => o.set(), (o) => o.n),
  'super.limit of a class, and an assignment': pair(() => { Base.limit = 1 }, () => Sub.look(), () => (Base.limit = 2)),
  'an opaque setter, and its getter': pair(() => new Signal(0), (signal) => (signal.value = 1), (signal) => signal.value),
  'an opaque setter, and its getter in a pattern': pair(() => new Signal(0), (signal) => (signal.value = 1), ({ value }) => value),
  'two that resolve a promise of a subclass': pair(() => {
    let settle: (n: number) => void = () => {}
    const promise = new Mine<number>((resolve) => (settle = resolve))
    return { promise, settle }
  }, ({ settle }) => settle(1), ({ settle }) => settle(2)),
}

const disjoint: Record<string, Tasks<any>> = {
  'settlings of two promises that others pass on': pair(() => {
    const { a, b } = deferreds()
    return { a, b, all: Promise.all([a.promise.catch(() => {}), b.promise.then()]) }
  }, ({ a }) => a.resolve(1), ({ b }) => b.resolve(2)),
  'Promise.all of two lists': pair(() => [queued(), queued()] as const, async ([one]) => Promise.all(one.list), async ([, other]) => Promise.all(other.list)),
  'thenables of two tasks': pair(() => {}, async () => thenable(() => 1), async () => thenable(() => 2)),
  'super.set of two keys': pair(() => new Log(), (log) => log.set('a', 1), (log) => log.set('b', 2)),
  'super.n = v of two objects': pair(() => [new Sub(), new Sub()] as const, ([one]) => one.set(), ([, other]) => other.set()),
  'opaque accessors of two objects': pair(() => [new Signal(0), new Signal(0)] as const, ([one]) => (one.value = 1), ([, other]) => other.value++),
  'getters of the platform': pair(() => new AbortController(), (controller) => controller.signal, (controller) => controller.signal),
  'two promises of a subclass': pair(() => {}, async () => Mine.resolve(1).then(() => {}), async () => Mine.all([Mine.resolve(2)])),
  'two async generators': pair(() => [letters(), letters()] as const, async ([one]) => one.next(), async ([, other]) => other.next()),
  'two for await loops over one list': pair(queued, async ({ list }) => { for await (const item of list) void item }, async ({ list }) => { for await (const item of list) void item }),
}

describe('two tasks that conflict: 2 classes', () => {
  test.each(Object.entries(conflicting))('%s', async (_, tasks) => {
    expect(await classesOf(tasks)).toBe(2)
  })
})

describe('two tasks that are apart: 1 class', () => {
  test.each(Object.entries(disjoint))('%s', async (_, tasks) => {
    expect(await classesOf(tasks)).toBe(1)
  })
})

describe('an async generator of two tasks', () => {
  test('either is first, and the second finds it at work or not: 4 classes', async () => {
    expect(await classesOf(pair(letters, async (it) => it.next(), async (it) => it.next()))).toBe(4)
  })

  test('one that has ended changes no more: 1 class', async () => {
    const ended = async () => {
      const it = letters()
      await it.return()
      return it
    }
    expect(await classesOf({ setup: ended, tasks: [async (it) => it.next(), async (it) => it.next()] })).toBe(1)
  })
})

describe('the microtasks of the language decide within one step', () => {
  const winners: Record<string, [winner: string, race: () => Promise<unknown>]> = {
    'what is passed on is later': ['q', () => Promise.race([Promise.resolve('p').catch(() => {}), Promise.resolve('q')])],
    'what is given first is first': ['p', () => Promise.race([Promise.resolve('p').then(), Promise.resolve('q').then()])],
    'an async function that ends at once is settled': ['p', () => Promise.race([(async () => 'p')(), Promise.resolve('q')])],
    'one that returns a promise is later': ['q', () => Promise.race([(async () => Promise.resolve('p'))(), Promise.resolve('q').then()])],
  }

  test.each(Object.entries(winners))('%s', async (_, [winner, race]) => {
    const { verdict, executions } = await explore(async () => expect(await race()).toBe(winner), { stopOnFirst: false })
    expect([verdict, executions]).toEqual(['holds', 1])
  })
})

test('a promise of a subclass keeps its class, and its reactions are steps', async () => {
  const { verdict, executions } = await explore(
    async () => {
      let last = 0
      const parts = [1, 2].map((n) => Mine.resolve(n).then((value) => (last = value)))
      expect(parts.every((part) => part instanceof Mine)).toBe(true)
      await Mine.all(parts)
      return last
    },
    { stopOnFirst: false, equivalence: 'trace' },
  )
  expect([verdict, executions]).toEqual(['holds', 2])
})
