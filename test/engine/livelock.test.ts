import { describe, expect, test } from 'vitest'
import { explore, LivelockError, program, type AlgorithmName, type Operation, type ProgramBuilder, type Shared } from '../../src/engine/index.ts'
import { Random } from '../oracle/random.ts'

/** One thread asks for a flag, and then for data; another one writes. */
const flag = ({ sets }: { readonly sets: boolean }) =>
  program(({ shared, thread }) => {
    const [ready, data] = [shared('ready', 0), shared('data', 0)]
    let seen = 0
    thread('asks', function* () {
      while ((yield* ready.read()) === 0);
      seen = yield* data.read()
    })
    thread('writes', function* () {
      yield* data.write(1)
      if (sets) yield* ready.write(1)
    })
    return () => seen === 1
  })

/** Threads that take a lock of their own making. */
const spinLock = (threads: number, take: (lock: Shared<number>) => Generator<Operation<unknown>, void>) =>
  program(({ shared, thread }) => {
    const [lock, count] = [shared('lock', 0), shared('count', 0)]
    for (let i = 0; i < threads; i++) {
      thread(`adds ${i}`, function* () {
        yield* take(lock)
        yield* count.write((yield* count.read()) + 1)
        yield* lock.write(0)
      })
    }
    return () => count.value === threads
  })

const all: readonly AlgorithmName[] = ['optimal', 'source', 'pop', 'trust', 'naive']

describe('a loop that asks again waits for a change', () => {
  test.each(all)('of a flag, by %s', (algorithm) => {
    expect(explore(flag({ sets: true }), { algorithm }).verdict).toBe('holds')
  })

  test.each(['optimal', 'trust'] as const)('by a compare-and-swap, by %s', (algorithm) => {
    const taken = spinLock(2, function* (lock) {
      while (!(yield* lock.compareAndSwap(0, 1)));
    })
    expect(explore(taken, { algorithm })).toMatchObject({ verdict: 'holds', executions: 6, blocked: 0 })
  })

  test.each(['optimal', 'trust'] as const)('by test and test-and-set, by %s', (algorithm) => {
    const taken = spinLock(2, function* (lock) {
      do while ((yield* lock.read()) === 1);
      while (!(yield* lock.compareAndSwap(0, 1)))
    })
    expect(explore(taken, { algorithm })).toMatchObject({ verdict: 'holds', blocked: 0 })
  })

  test('of several variables', () => {
    const both = program(({ shared, thread }) => {
      const [one, other] = [shared('one', 0), shared('other', 0)]
      thread('asks', function* () {
        while ((yield* one.read()) + (yield* other.read()) < 2);
      })
      for (const variable of [one, other]) {
        thread('writes', function* () {
          yield* variable.write(1)
        })
      }
    })
    expect(explore(both)).toMatchObject({ verdict: 'holds', blocked: 0 })
  })

  test.each(['optimal', 'source'] as const)('whatever of that has changed before the end of the round, by %s', (algorithm) => {
    const changes = program(({ shared, thread }) => {
      const [one, other] = [shared('one', 0), shared('other', 0)]
      thread('asks', function* () {
        do yield* other.read()
        while ((yield* one.read()) === 0)
      })
      thread('writes', function* () {
        yield* one.write(0)
        yield* one.write(1)
      })
      thread('writes the other', function* () {
        yield* other.write(1)
      })
    })
    expect(explore(changes, { algorithm })).toMatchObject({ verdict: 'holds', executions: 46 })
  })

  test.each(['optimal', 'source'] as const)('where what comes next is a compare-and-swap that looks at the others as well, by %s', (algorithm) => {
    const swaps = program(({ shared, thread }) => {
      const [taken, other] = [shared('taken', 0), shared('other', 0)]
      thread('writes', function* () {
        yield* taken.write(1)
        yield* taken.read()
      })
      thread('writes the other', function* () {
        yield* other.write(1)
      })
      thread('asks', function* () {
        do yield* other.read()
        while (!(yield* taken.compareAndSwap(1, 2)))
      })
    })
    expect(explore(swaps, { algorithm })).toMatchObject({ verdict: 'holds', executions: 24 })
  })

  test('and time passes meanwhile', () => {
    const late = program(({ shared, thread, delay }) => {
      const ready = shared('ready', 0)
      thread('asks', function* () {
        while ((yield* ready.read()) === 0);
      })
      thread('writes', function* () {
        yield* delay(10)
        yield* ready.write(1)
      })
    })
    expect(explore(late)).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

test.each(all)('where nobody changes anything any more, that is a livelock, by %s', (algorithm) => {
  const { verdict, failures } = explore(flag({ sets: false }), { algorithm })
  expect(verdict).toBe('fails')
  expect(failures[0]!.kind).toBe('livelock')
  expect(failures[0]!.error).toBeInstanceOf(LivelockError)
  expect(String(failures[0]!.error)).toContain("'asks' goes round for ever with ready.read()")
  expect(explore(flag({ sets: false }), { replay: failures[0]!.schedule }).failures[0]!.kind).toBe('livelock')
})

test('a loop that gives up is none that waits', () => {
  const tries = program(({ shared, thread }) => {
    const [ready, found] = [shared('ready', 0), shared('found', -1)]
    thread('asks', function* () {
      for (let i = 0; i < 3; i++) if ((yield* ready.read()) === 1) return yield* found.write(i)
    })
    thread('writes', function* () {
      yield* ready.write(1)
    })
  })
  expect(explore(tries, { algorithm: 'naive' })).toMatchObject({ verdict: 'holds', executions: 4 })
})

test.each([
  ['what it writes', (rounds: number, out: Shared<number>) => out.write(rounds)],
  ['the invariant', undefined],
] as const)('a loop that counts its rounds is seen by %s', (_, write) => {
  const counts = program(({ shared, thread }) => {
    const [ready, out] = [shared('ready', 0), shared('out', 0)]
    let rounds = 0
    thread('asks', function* () {
      while ((yield* ready.read()) === 0) rounds++
      if (write !== undefined) yield* write(rounds, out)
    })
    thread('writes', function* () {
      yield* ready.write(1)
    })
    return () => rounds < 10
  })
  const { verdict, inconclusiveReason } = explore(counts)
  expect(verdict).toBe('inconclusive')
  expect(inconclusiveReason).toMatch(/^a loop that waits, in 'asks': what comes later depends on how often it has gone round/)
})

/** A random program whose threads ask for values: in loops, or by `until`. */
function asking(random: Random, { inLoops }: { readonly inLoops: boolean }, end: (outcome: string) => void) {
  const threads = Array.from({ length: random.between(2, 3) }, () =>
    Array.from({ length: random.between(1, 3) }, () => ({ what: random.pick(['ask', 'ask', 'read', 'write', 'write'] as const), variable: random.below(2), value: random.below(2) })),
  )
  return program(({ shared, thread, until }: ProgramBuilder) => {
    const variables = [shared('x', 0), shared('y', 0)]
    const seen: string[] = []
    threads.forEach((steps, name) => {
      thread(`T${name}`, function* () {
        for (const { what, variable: at, value } of steps) {
          const variable = variables[at]!
          if (what === 'write') yield* variable.write(value)
          else if (what === 'read') seen[name] = `${seen[name]} ${yield* variable.read()}`
          else if (!inLoops) yield* until(variable, (now) => now !== value)
          else while ((yield* variable.read()) === value);
        }
      })
    })
    return () => end(`${seen.join(';')} ${variables.map((variable) => variable.value).join()}`)
  })
}

test.each(['optimal', 'source', 'pop', 'trust'] as const)('random programs end in all the ways that they have with until, by %s', (algorithm) => {
  for (let seed = 0; seed < 60; seed++) {
    const [byLoops, byUntil] = [true, false].map((inLoops) => {
      const ends = new Set<string>()
      const { verdict, failures } = explore(asking(new Random(seed), { inLoops }, (outcome) => void ends.add(outcome)), { algorithm, stopOnFirst: false })
      return { ends, verdict, stuck: failures.length > 0 }
    })
    expect(byLoops, `seed ${seed}`).toEqual(byUntil)
  }
})
