import { describe, expect, test } from 'vitest'
import { ProgramError, explore, program, type AlgorithmName, type ProgramBuilder, type ThreadBody } from '../../src/engine/index.ts'

const algorithms: readonly AlgorithmName[] = ['source', 'optimal', 'naive']

/** What every algorithm says of the program: the one message, and that it fails. */
function complaint(build: (builder: ProgramBuilder) => unknown): string {
  const messages = algorithms.map((algorithm) => {
    const { verdict, failures } = explore(program(build as never), { algorithm })
    expect(verdict).toBe('fails')
    const { error } = failures[0]!
    expect(error).toBeInstanceOf(ProgramError)
    return String(error)
  })
  expect(new Set(messages).size).toBe(1)
  return messages[0]!
}

describe('a value that is changed in place and waited for is refused', () => {
  const listIn = ({ shared }: ProgramBuilder) => shared<string[]>('list', ['a'])
  const waiting = (write: (builder: ProgramBuilder, list: ReturnType<typeof listIn>) => ThreadBody) => (builder: ProgramBuilder) => {
    const list = listIn(builder)
    builder.thread('a', write(builder, list))
    builder.thread('b', function* () {
      yield* builder.until(list, (items) => items.includes('b'))
    })
  }

  test('by update', () => {
    const wrong = waiting((_, list) => () => list.update((items) => (items.push('b'), items)))
    expect(complaint(wrong)).toMatch(/the value of list is changed in place and waited for with until.*give update, write or set a new value, such as \[...list, item\]/)
  })

  test('by write and set, of what was read', () => {
    const written = waiting((_, list) => function* () {
      const items = yield* list.read()
      items.push('b')
      yield* list.write(items)
    })
    const set = waiting(({ atomic }, list) => () =>
      atomic(() => {
        const items = list.get()
        items.push('b')
        list.set(items)
      }),
    )
    expect(complaint(written)).toContain('the value of list was changed in place')
    expect(complaint(set)).toContain('list is changed in place')
  })

  test('although a new value follows', () => {
    const wrong = waiting((_, list) => () => list.update((items) => (items.push('c'), [...items, 'b'])))
    expect(complaint(wrong)).toContain('list is changed in place')
  })

  test('but not where nobody waits: there it is a write like any other', () => {
    const counted = program(({ shared, thread }) => {
      const list = shared<number[]>('list', [])
      for (const i of [1, 2, 3]) thread(`push ${i}`, () => list.update((items) => (items.push(i), items)))
      return () => list.value.length === 3
    })
    for (const algorithm of algorithms) expect(explore(counted, { algorithm })).toMatchObject({ verdict: 'holds', executions: 6 })
  })
})

describe('a value that is changed without any access is refused where somebody sees it', () => {
  test.each<[string, unknown, (value: unknown) => unknown]>([
    ['an array', [1], (value: unknown) => (value as number[]).push(2)],
    ['a plain object', { a: 1 }, (value: unknown) => ((value as { a: number }).a = 2)],
    ['a Map', new Map([[1, 1]]), (value: unknown) => (value as Map<number, number>).set(1, 2)],
    ['a Set', new Set([1]), (value: unknown) => (value as Set<number>).add(2)],
  ])('%s', (_, initial, change) => {
    const text = complaint(({ shared, thread }) => {
      const x = shared<unknown>('x', structuredClone(initial))
      thread('a', function* () {
        change(yield* x.read())
      })
      thread('b', () => x.read())
    })
    expect(text).toMatch(/the value of x was changed in place, which is no access: give update, write or set a new value instead/)
  })
})

describe('an operation without the star', () => {
  test('is refused at once, by the name of its thread and its variable', () => {
    const wrong = ({ shared, thread }: ProgramBuilder) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield x.write(1) as never
      })
      return () => x.value === 0
    }
    expect(complaint(wrong)).toBe("ProgramError: thread 'a' has yield x.write(...) without the star, which does nothing: write yield* x.write(...)")
    expect(explore(program(wrong)).steps).toBe(0)
  })

  test('and without yield as well', () => {
    const text = complaint(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        x.write(1)
        yield* x.read()
      })
    })
    expect(text).toBe('ProgramError: x.write(...) was made and never taken: write yield* x.write(...)')
  })

  test('or yielded a second time', () => {
    const text = complaint(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        const read = x.read()
        yield* read
        yield* read
      })
    })
    expect(text).toBe('ProgramError: x.read() was yielded twice: make a new operation for every step')
  })
})

describe('the getters for the invariant', () => {
  test.each([
    ['in a thread', ({ shared, thread }: ProgramBuilder) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield* x.write(x.value + 1)
      })
    }, "thread 'a' looks at x.value, which is for the invariant: use yield* x.read(), or x.get() inside atomic"],
    ['in a thread that catches the error', ({ shared, thread }: ProgramBuilder) => {
      const x = shared('x', 0)
      thread('a', function* () {
        yield* x.read()
        try {
          void x.value
        } catch {}
        yield* x.read()
      })
    }, "thread 'a' looks at x.value"],
    ['in a predicate, of another variable', ({ shared, thread, until }: ProgramBuilder) => {
      const [x, y] = [shared('x', 0), shared('y', 0)]
      thread('a', () => until(x, (value) => value === y.value))
    }, 'looks at y.value'],
    ['of a signal', ({ signal, thread, atomic }: ProgramBuilder) => {
      const flag = signal('flag')
      thread('a', () => atomic(() => flag.raised))
    }, "thread 'a' looks at flag.raised, which is for the invariant"],
  ])('are refused %s', (_, build, message) => {
    expect(complaint(build)).toContain(message)
  })

  test('can be used in build and in the invariant', () => {
    const fine = program(({ shared, signal, thread }) => {
      const [x, flag] = [shared('x', 1), signal('flag')]
      const y = shared('y', x.value)
      thread('a', () => flag.raise())
      return () => flag.raised && x.value === y.value
    })
    expect(explore(fine)).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

describe('what is async or a plain function where it must not be', () => {
  test('an invariant that returns a promise fails, even one that is rejected', () => {
    for (const answer of [() => Promise.resolve(true), () => Promise.reject(new Error('no'))]) {
      expect(complaint(({ thread, shared }) => {
        const x = shared('x', 0)
        thread('a', () => x.read())
        return answer
      })).toContain('the invariant returned a promise, for which nobody waits')
    }
  })

  test.each<[string, unknown, string]>([
    ['a plain function', () => {}, 'is a plain function, where a generator function is needed'],
    ['an async function', async () => {}, 'is async, where a generator function is needed'],
    ['an async function that throws', async () => {
      throw new Error('no')
    }, 'is async, where a generator function is needed'],
    ['an async generator function', async function* () {}, 'is async, where a generator function is needed'],
    ['no function', 5, 'is no function'],
  ])('the body of a thread: %s', (_, body, found) => {
    const message = `the body of thread 'a' ${found}: write thread('a', function* () { ... }), with yield* before every operation`
    expect(() => explore(program(({ thread }) => void thread('a', body as never)))).toThrow(new ProgramError(message))
    expect(complaint(({ thread, spawn }) => void thread('b', () => spawn('a', body as never) as never))).toBe(`ProgramError: ${message}`)
  })

  test('the function given to program', () => {
    expect(() => explore(program((async () => {}) as never))).toThrow('the function given to program returned a promise')
    expect(() => explore(program((() => true) as never))).toThrow('the function given to program returned a value of type boolean')
  })

  test('the body of atomic, the function of an update, a predicate', () => {
    const withX = (operation: (builder: ProgramBuilder, x: ReturnType<ProgramBuilder['shared']>) => unknown) => (builder: ProgramBuilder) => {
      const x = builder.shared<unknown>('x', 0)
      builder.thread('a', () => operation(builder, x) as never)
    }
    expect(complaint(withX(({ atomic }) => atomic(async () => {})))).toContain("the body of atomic in thread 'a' must be a plain function")
    expect(complaint(withX(({ atomic }) => atomic(function* () {})))).toContain("the body of atomic in thread 'a' must be a plain function")
    expect(complaint(withX((_, x) => x.update(async () => 1)))).toContain("x was given a promise in thread 'a'")
    expect(complaint(withX(({ until }, x) => until(x, (async () => false) as never)))).toContain('the predicate of until(x, ...) in the program returned a promise')
  })
})

describe('a function that throws', () => {
  test('given to update, combine or merge, although the thread catches it', () => {
    const fail = (): never => {
      throw new Error('boom')
    }
    const text = complaint(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('a', function* () {
        try {
          yield* x.update(fail)
        } catch {}
      })
    })
    expect(text).toContain("the function given to x.update in thread 'a' threw Error: boom: let it return the new value, or the old one, in every case")
    expect(complaint(({ shared, thread }) => void thread('a', () => shared('x', 0).combine(fail)))).toContain('given to x.combine')
    expect(complaint(({ shared, thread, atomic }) => {
      const x = shared('x', 0)
      thread('a', () => atomic(() => x.merge(fail)))
    })).toContain('given to x.merge')
  })

  test('as a predicate, at once', () => {
    const text = complaint(({ shared, thread, until }) => {
      const x = shared<{ length: number } | undefined>('x', undefined)
      thread('a', function* () {
        yield* until(x, (value) => value!.length > 0)
      })
      thread('b', () => x.write([1]))
    })
    expect(text).toMatch(/the predicate of until\(x, \.\.\.\) in thread 'a' threw TypeError: .*: it is asked about every value that the variable has/)
  })

  test('as a predicate, about a value that was gone before the wait', () => {
    const build = program(({ shared, thread, until }) => {
      const [x, y] = [shared<number | undefined>('x', undefined), shared('y', 0)]
      thread('a', () => x.write(1))
      thread('b', function* () {
        yield* y.read()
        yield* until(x, (value) => value!.toFixed() === '1')
      })
    })
    for (const algorithm of algorithms.slice(0, 2)) {
      expect(() => explore(build, { algorithm })).toThrow("the predicate of until(x, ...) in thread 'b' threw TypeError")
    }
  })
})
