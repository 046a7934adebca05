import { describe, expect, test } from 'vitest'
import { explore, program, type Thread } from '../../src/engine/index.ts'

const lostUpdate = program(({ shared, thread }) => {
  const x = shared('x', 0)
  for (const name of ['a', 'b']) {
    thread(name, function* () {
      const value = yield* x.read()
      yield* x.write(value + 1)
    })
  }
  return () => x.value === 2
})

describe('a failing invariant', () => {
  test('is found, with a schedule that replays it', () => {
    const { verdict, failures, executions } = explore(lostUpdate)
    expect({ verdict, executions }).toEqual({ verdict: 'fails', executions: 2 })
    expect(failures).toMatchObject([{ kind: 'invariant', schedule: '0.1x2.0', execution: 2 }])
    const replayed = explore(lostUpdate, { replay: failures[0]!.schedule })
    expect(replayed).toMatchObject({ verdict: 'fails', executions: 1, failures: [{ schedule: '0.1x2.0' }] })
  })

  test('is listed for each failing execution without stopOnFirst', () => {
    const { failures, executions } = explore(lostUpdate, { stopOnFirst: false })
    expect(executions).toBe(4)
    expect(failures.map(({ schedule }) => schedule).toSorted()).toEqual(['0.1.0.1', '0.1x2.0'])
  })

  test('may throw', () => {
    const failing = program(() => () => {
      throw new Error('no')
    })
    expect(explore(failing).failures).toMatchObject([{ kind: 'invariant', error: new Error('no') }])
  })
})

describe('an error in a thread', () => {
  test('ends that thread and fails the execution, which goes on to its end', () => {
    const seen: string[] = []
    const failing = program(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield* x.read()
        throw new Error('broken')
      })
      thread('b', function* () {
        yield* x.read()
        seen.push('b')
      })
    })
    expect(explore(failing)).toMatchObject({ verdict: 'fails', steps: 2, failures: [{ kind: 'error', error: new Error('broken') }] })
    expect(seen).toEqual(['b'])
  })
})

describe('a deadlock', () => {
  test('is a complete execution and a failure that names who waits for what', () => {
    const stuck = program(({ shared, mutex, signal, thread, until, join }) => {
      const x = shared('x', 0)
      const lock = mutex('m')
      const flag = signal('s')
      const a = thread('a', function* () {
        yield* lock.lock()
        yield* until(x, (value) => value === 1)
      })
      thread('b', function* () {
        yield* join(a)
      })
      thread('c', function* () {
        yield* flag.wait()
      })
    })
    const { executions, failures } = explore(stuck)
    expect(executions).toBe(1)
    expect(failures[0]).toMatchObject({ kind: 'deadlock', schedule: '0' })
    expect(String(failures[0]!.error)).toBe(
      "DeadlockError: deadlock: 'a' waits for a value of x; 'b' waits for the end of 'a'; 'c' waits for signal s",
    )
  })
})

describe('signals', () => {
  test('order who waits after who raises, and two who raise race', () => {
    const made = program(({ signal, thread }) => {
      const flag = signal('s')
      for (const name of ['a', 'b']) thread(name, () => flag.raise())
      thread('c', () => flag.wait())
    })
    expect(explore(made).executions).toBe(2)
  })

  test('can enable an atomic step, and be raised in one', () => {
    const order: number[] = []
    const made = program(({ signal, shared, thread, atomic }) => {
      const x = shared('x', 0)
      const flag = signal('s')
      thread('after', function* () {
        order.push(yield* atomic(() => x.get(), { after: flag }))
      })
      thread('before', () => atomic(() => [x.set(1), flag.set()]))
    })
    expect(explore(made).executions).toBe(1)
    expect(order).toEqual([1])
  })
})

describe('delays', () => {
  test('end in the order of their times, after everything that could run', () => {
    const order: string[] = []
    const made = program(({ shared, thread, delay }) => {
      const x = shared('x', 0)
      for (const time of [20, 10]) {
        thread(`after ${time}`, function* () {
          yield* delay(time)
          yield* x.write(time)
          order.push(`${time}`)
        })
      }
      thread('now', function* () {
        yield* x.read()
        order.push('now')
      })
    })
    expect(explore(made).executions).toBe(1)
    expect(order).toEqual(['now', '10', '20'])
  })

  test('that end at the same time race', () => {
    const made = program(({ shared, thread, delay }) => {
      const x = shared('x', 0)
      for (const first of [5, 3]) {
        thread(`after ${first}`, function* () {
          yield* delay(first)
          yield* delay(8 - first)
          yield* x.write(first)
        })
      }
    })
    expect(explore(made).executions).toBe(2)
  })

  test('do not hide that a lock could have been taken before time advanced', () => {
    const made = program(({ mutex, thread, delay }) => {
      const lock = mutex('m')
      thread('holds it for long', function* () {
        yield* lock.lock()
        yield* delay(10)
        yield* lock.unlock()
      })
      thread('also wants it', function* () {
        yield* lock.lock()
        yield* lock.unlock()
      })
    })
    expect(explore(made).executions).toBe(2)
  })
})

/** Two commuting changes, and readers of the variable. */
const sum = (readers: number) =>
  program(({ shared, thread, atomic }) => {
    const x = shared('x', 0)
    thread('a', () => x.combine((value) => value + 1))
    thread('b', () => atomic(() => x.merge((value) => value + 2)))
    for (let i = 0; i < readers; i++) thread('reader', () => x.read())
    return () => x.value === 3
  })

describe('combine', () => {
  test('commutes with itself and with nothing else', () => {
    expect(explore(sum(0))).toMatchObject({ verdict: 'holds', executions: 1 })
    expect(explore(sum(1)).executions).toBe(4)
  })

  test('of a variable that is waited for is refused', () => {
    const made = program(({ shared, thread, until }) => {
      const x = shared('x', 0)
      thread('a', () => x.combine((value) => value + 1))
      thread('b', function* () {
        yield* until(x, (value) => value === 1)
      })
    })
    expect(String(explore(made).failures[0]!.error)).toContain('both combined and waited for')
  })
})

describe('variables made by threads', () => {
  test('are the same location in every execution that makes them', () => {
    const made = program(({ shared, thread, spawn, join }) => {
      const x = shared('x', 0)
      for (const name of ['a', 'b']) {
        thread(name, function* () {
          yield* x.write(1)
          const own = shared(`own ${name}`, 0)
          const children: Thread[] = []
          for (let i = 0; i < 2; i++) children.push(yield* spawn(`${name}${i}`, () => own.write(i)))
          for (const child of children) yield* join(child)
        })
      }
    })
    expect(explore(made).executions).toBe(8)
  })
})

describe('misuse is told apart from a bug of the engine', () => {
  test.each([
    ['unlocking what is not held', "unlocks m, which it does not hold (nobody does)", program(({ mutex, thread }) => {
      const lock = mutex('m')
      thread('a', () => lock.unlock())
    })],
    ['yielding something foreign', 'yielded something that is no operation', program(({ thread }) => {
      thread('a', function* () {
        yield 5 as never
      })
    })],
    ['get outside atomic', 'x.get() was called outside atomic', program(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield* x.read()
        x.get()
      })
    })],
  ])('%s', (_, message, wrong) => {
    const { verdict, failures } = explore(wrong)
    expect(verdict).toBe('fails')
    expect(String(failures[0]!.error)).toContain(`ProgramError: `)
    expect(String(failures[0]!.error)).toContain(message)
  })

  test('join of what is no thread, thread after the start', () => {
    expect(() => explore(program(({ join, thread }) => void thread('a', () => join({} as never))))).toThrow('no thread of this execution')
    const late = program(({ thread, shared }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield* x.read()
        thread('b', () => x.read())
      })
    })
    expect(String(explore(late).failures[0]!.error)).toContain('use yield* spawn')
  })

  test('explore of something else', () => {
    expect(() => explore({} as never)).toThrow('needs what program(...) returns')
  })
})

test('a program that never ends is inconclusive', () => {
  const endless = program(({ shared, thread }) => {
    const x = shared('x', 0)
    thread('a', function* () {
      for (;;) yield* x.update((value) => value + 1)
    })
  })
  expect(explore(endless, { maxSteps: 100 })).toMatchObject({ verdict: 'inconclusive', executions: 0, inconclusiveReason: 'maxSteps of 100' })
})

test('a build that differs from run to run is caught', () => {
  let builds = 0
  const fickle = program(({ shared, thread }) => {
    const variables = [shared('x', 0), shared('y', 0)]
    const extra = variables[builds++ % 2]!
    for (const name of ['a', 'b']) {
      thread(name, function* () {
        yield* extra.read()
        yield* variables[0]!.write(1)
      })
    }
  })
  expect(() => explore(fickle)).toThrow('made other accesses than before')
})

test('a thread that waits in a loop does not starve the one it waits for', () => {
  const polling = program(({ shared, thread }) => {
    const ready = shared('ready', false)
    thread('poll', function* () {
      while (!(yield* ready.read()));
    })
    thread('announce', () => ready.write(true))
  })
  expect(explore(polling)).toMatchObject({ executions: 3, verdict: 'holds' })
})
