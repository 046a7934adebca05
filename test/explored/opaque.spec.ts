import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { explore, resource } from 'vitest-dpor'
import { namespace, reset } from './uninstrumented/bundled-namespace.ts'
import { double, every, stop, twice } from './uninstrumented/flushing.ts'
import { outcomes } from './uninstrumented/outcomes.ts'
import { countCalls, limiter } from './uninstrumented/utilities.ts'
import { opaque as unseen } from './uninstrumented/state.ts'
import { batched, bucket, createReduced, createStore, labelOf, Ledger, Loaded, lookMore, makeRegistry, memoize, partLabelOf, stamp, stampLater, stampThen, Versioned, visits } from './uninstrumented/stores.ts'

const both = (...tasks: (() => Promise<unknown>)[]) => Promise.all(tasks.map(async (task) => (await null, await task())))

describe('state that code which is not instrumented keeps to itself: a lost update is found', () => {
  const bodies: Record<string, () => Promise<unknown>> = {
    'a store': async () => {
      const store = createStore({ n: 0 })
      const add = async () => {
        const { n } = store.getState()
        await null
        store.setState({ n: n + 1 })
      }
      await both(add, add)
      return store.getState().n
    },
    'a store whose functions were taken out of it': async () => {
      const { getState, setState } = createStore({ n: 0 })
      const add = async () => {
        const { n } = getState()
        await null
        setState({ n: n + 1 })
      }
      await both(add, add)
      return getState().n
    },
    'a reducer': async () => {
      const store = createReduced<number>((state, { type }) => (type === 'double' ? state * 2 : state + 1), 1)
      await both(async () => store.dispatch({ type: 'double' }), async () => store.dispatch({ type: 'add' }))
      return store.getState() - 2
    },
    'an instance of a class': async () => {
      const ledger = new Ledger()
      const add = async () => {
        const sum = ledger.sum()
        await null
        ledger.add(1 - sum)
      }
      await both(add, add)
      return ledger.sum()
    },
    'a module': async () => {
      bucket.reset(1)
      let taken = 0
      const take = async () => {
        if (bucket.peek() < 1) return
        await null
        bucket.take()
        taken++
      }
      await both(take, take)
      return taken
    },
  }
  test.each(Object.entries(bodies))('%s', async (_, body) => {
    const { verdict, seen } = await outcomes(body)
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['1', '2'] })
  })

  test('a cache: the first one makes what both get', async () => {
    const { seen } = await outcomes(async () => {
      const made: string[] = []
      let who = ''
      const get = memoize((key) => (made.push(who), `${key} by ${who}`))
      const got = await both(async () => ((who = 'a'), get('k')), async () => ((who = 'b'), get('k')))
      return [...got, made.length]
    })
    expect(seen).toEqual(['["k by a","k by a",1]', '["k by b","k by b",1]'])
  })
})

describe('what it is handed', () => {
  test.each<[string, (order: { state: string }) => unknown]>([
    ['it changes', (order) => stamp(order)],
    ['it changes later in the same step', (order) => stampLater(order)],
    ['it kept and changes', (order) => {
      const registry = makeRegistry()
      registry.register(order)
      registry.flush()
    }],
    ['it changes, handed over in a list', (order) => [order].forEach(stamp)],
    ['it changes, bound', (order) => stamp.bind(null, order)()],
  ])('%s', async (_, change) => {
    const { seen } = await outcomes(async () => {
      const order = { state: 'new' }
      const [, label] = await both(async () => void (await change(order)), async () => order.state === 'new')
      return label
    })
    expect(seen).toEqual(['false', 'true'])
  })

  test('it changes by itself, before it gets the object once more in the same step', async () => {
    const { seen } = await outcomes(async () => {
      const order = { state: 'new' }
      const [, state] = await both(async () => void stampThen(order, () => labelOf(order)), async () => order.state)
      return state
    })
    expect(seen).toEqual(['"new"', '"stamped"'])
  })

  test('it gets an object once more in the same step, in which there is more now', async () => {
    const { seen } = await outcomes(async () => {
      const part = { state: 'new' }
      const order: { state: string; part?: typeof part } = { state: 'new' }
      const look = async () => {
        labelOf(order)
        order.part = part
        return partLabelOf(order)
      }
      const [label] = await both(look, async () => void (part.state = 'paid'))
      return label
    })
    expect(seen).toEqual(['"new"', '"paid"'])
  })

  test('it looks at', async () => {
    const { executions, seen } = await outcomes(async () => {
      const order = { state: 'new' }
      const [, label] = await both(async () => void (order.state = 'paid'), async () => labelOf(order))
      return label
    })
    expect({ executions, seen }).toEqual({ executions: 2, seen: ['"order new"', '"order paid"'] })
  })

  test('a callback that is called runs as instrumented code', async () => {
    const { seen } = await outcomes(async () => {
      const store = createStore({ n: 0 })
      let heard = 0
      store.subscribe(({ n }) => void (heard = n))
      const [, result] = await both(async () => store.setState({ n: 1 }), async () => heard)
      return result
    })
    expect(seen).toEqual(['0', '1'])
  })

  test('and what is older than the execution is put back', async () => {
    const older = { state: 'new', list: [1], map: new Map([['a', 1]]) }
    const { seen } = await outcomes(async () => {
      const before = [older.state, older.list.length, older.map.size]
      await both(async () => stamp(older), async () => createStore({ older }).setState(({ older: same }) => (same.list.push(2), same.map.set('b', 2), { older: same })))
      return [before, older.state, older.list.length, older.map.size]
    })
    expect(seen).toEqual(['[["new",1,1],"stamped",2,2]'])
    expect([older.state, older.list, older.map.size]).toEqual(['new', [1], 1])
  })

  test('as it was before a call within which another one gets it', async () => {
    const list = { length: 1 }
    const { seen } = await outcomes(async () => {
      twice(list, () => double(list))
      return list.length
    })
    expect(seen).toEqual(['3'])
    expect(list.length).toBe(1)
  })

  test('but nothing to what it was in the midst of a call that others of its package are called in', async () => {
    const { verdict, seen } = await outcomes(async () => {
      let count = 0
      await new Promise<void>((resolve) => {
        every(10, (subscription) => {
          if (++count < 3) return
          stop(subscription)
          resolve()
        })
      })
      return count
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['3'] })
  })

  test.skipIf(!('resize' in ArrayBuffer.prototype)).for([2, 2 ** 25])('and the size of a buffer of %i bytes', async (size) => {
    const older = new ArrayBuffer(size, { maxByteLength: 2 ** 26 })
    const result = await explore(async () => {
      const before = older.byteLength
      await both(async () => unseen.resize(older, 4), async () => unseen.resize(older, 2 ** 26))
      return before
    })
    expect(result.failures).toEqual([])
    expect(older.byteLength).toBe(size)
  })
})

describe('opaque objects of their own: 1 execution', () => {
  test('stores', async () => {
    const result = await explore({
      setup: () => [createStore({ n: 0 }), createStore({ n: 0 })] as const,
      tasks: [0, 1].map((i) => async (stores: readonly ReturnType<typeof createStore<{ n: number }>>[]) => {
        const { n } = stores[i]!.getState()
        await null
        stores[i]!.setState({ n: n + 1 })
      }),
    })
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('instances of a class', async () => {
    const result = await explore({
      setup: () => [new Ledger(), new Ledger()] as const,
      tasks: [0, 1].map((i) => async (ledgers: readonly Ledger[]) => {
        ledgers[i]!.add(1)
        await null
        ledgers[i]!.add(ledgers[i]!.sum())
      }),
    })
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

describe('code that goes on when a promise is settled', () => {
  const answer = async () => {
    await null
    return 'loaded'
  }
  const loads: Record<string, (store: Loaded<string>) => Promise<void>> = {
    'which a callback returned': (store) => store.load(answer),
    'which a callback got from another call': (store) => store.load(() => answer()),
    'which a callback made of another one': (store) => store.load(() => answer().then((text) => text)),
    'which it was handed': (store) => store.follow(answer()),
    'which a second call of the callback returned': (store) => {
      let calls = 0
      return store.retry(async () => {
        await null
        if (calls++ === 0) throw new Error('try again')
        return answer()
      })
    },
  }
  test.each(Object.entries(loads))('%s', async (_, load) => {
    const { verdict, seen } = await outcomes(async () => {
      const store = new Loaded('')
      const change = async () => {
        await null
        store.set('changed')
      }
      await Promise.all([load(store), change()])
      return store.get()
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['"changed"', '"loaded"'] })
  })

  test('in a tick of the same step', async () => {
    const { verdict, seen } = await outcomes(async () => {
      const rows = new Map([['a', 1]])
      const load = batched(async (keys) => {
        await null
        return keys.map((key) => rows.get(key)!)
      })
      const change = async () => {
        rows.set('a', 2)
        await null
        rows.set('a', 3)
      }
      const [got] = await both(async () => load('a'), change)
      return got
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['1', '2', '3'] })
  })
})

describe('state of a module that is not instrumented and outlives an execution', () => {
  test('numbers that nobody outside sees are no divergence', async () => {
    const { verdict, seen } = await outcomes(async () => {
      const store = new Versioned()
      await both(async () => store.add('a'), async () => store.add('b'))
      return store.names()
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['["a","b"]', '["b","a"]'] })
  })

  test('how often it looks at something is its own as well', async () => {
    const { verdict, seen } = await outcomes(async () => {
      const emitter = new EventEmitter()
      const [count] = await both(async () => lookMore(emitter), async () => emitter.on('a', () => {}))
      return count
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['0', '1'] })
  })

  test('what an earlier execution has left there is not taken for a failure of a later one', async () => {
    const hit = async (key: string) => visits.set(key, visits.get(key) + 1)
    const body = async () => {
      await both(() => hit('once'), () => hit('once'))
      expect(visits.get('once')).toBe(2)
    }
    await expect(explore(body)).rejects.toThrow(/a schedule that passed failed \(error\) when it was replayed/)
  })
})

test('a promise of code that is not instrumented is waited for in vain once, not in every run that checks the failure', async () => {
  const limited = limiter(1)
  const started = performance.now()
  const { failures } = await explore(() => limited(() => limited(async () => {})))
  expect(failures[0]!.kind).toBe('deadlock')
  expect(performance.now() - started).toBeLessThan(1900)
})

describe('the verdict says what was not seen', () => {
  test('functions that more than one process called, and how often', async () => {
    const { opaque } = await explore({
      setup: () => createStore({ n: 0 }),
      tasks: [async (store) => (store.setState({ n: 1 }), store.getState()), async (store) => store.getState()],
    })
    expect(opaque).toEqual([{ name: 'store.getState', isPackage: false, packages: [], calls: 2, processes: 2 }])
  })

  test('one execution in which nothing was shared', async () => {
    const apart = { tasks: [0, 1].map((i) => async () => [await null, i]) }
    const together = { setup: () => ({ n: 0 }), tasks: [async (o: { n: number }) => void (o.n = 1), async () => await null], invariant: (o: { n: number }) => o.n === 1 }
    expect((await explore(apart)).sharesNothing).toBe(true)
    expect((await explore({ ...together, tasks: [together.tasks[0]!, together.tasks[0]!] })).sharesNothing).toBe(false)
  })

  test('an error names what an execution called before it diverged', async () => {
    const body = async () => {
      const c = { n: 0 }
      await null
      if (countCalls() % 2 === 0) await null
      c.n++
    }
    await expect(explore(body)).rejects.toThrow(/Called here and not instrumented: countCalls/)
  })
})

describe('a resource', () => {
  const count = async (...tasks: (() => void)[]) => (await explore({ tasks: tasks.map((task) => async () => task()) }, { stopOnFirst: false })).executions

  test.each<[string, (() => void)[], number]>([
    ['two writes', [() => resource('device').write(), () => resource('device').write()], 2],
    ['a read and a write', [() => resource('device').read(), () => resource('device').write()], 2],
    ['two reads', [() => resource('device').read(), () => resource('device').read()], 1],
    ['two parts', [() => resource('device').write('a'), () => resource('device').write('b')], 1],
    ['one part', [() => resource('device').write('a'), () => resource('device').write('a')], 2],
    ['a part is read and another written', [() => resource('device').read('a'), () => resource('device').write('b')], 1],
    ['a part is written and all of it read', [() => resource('device').write('a'), () => resource('device').read()], 2],
    ['a part is read and all of it written', [() => resource('device').read('a'), () => resource('device').write()], 2],
    ['two resources', [() => resource('one').write(), () => resource('other').write()], 1],
  ])('%s', async (_, tasks, executions) => {
    expect(await count(...tasks)).toBe(executions)
  })

  test('outside an exploration does nothing', () => {
    expect(() => (resource('device').write(), resource('device').read('a'))).not.toThrow()
  })
})

test('CommonJS packages that were loaded before are opaque too', async () => {
  const counter = createRequire(import.meta.url)('./uninstrumented/counter.cjs') as Record<'double' | 'add' | 'reset', () => number>
  const { seen } = await outcomes(async () => {
    counter.reset()
    const [doubled, added] = await both(async () => counter.double(), async () => counter.add())
    return [doubled, added]
  })
  expect(seen).toEqual(['[2,3]', '[4,2]'])
})

describe('an object of getters, as bundlers make it of what a module exports', () => {
  test('to look at it changes nothing', async () => {
    const look = async () => [namespace.kept.name, typeof namespace.add]
    const { seen, executions } = await outcomes(() => both(look, look))
    expect({ seen, executions }).toEqual({ seen: ['[["kept","function"],["kept","function"]]'], executions: 1 })
  })

  test('a variable of the module is another one once a function of it has changed that', async () => {
    const { seen } = await outcomes(async () => {
      reset()
      const [count] = await both(async () => namespace.count, async () => namespace.add())
      return count
    })
    expect(seen).toEqual(['0', '1'])
  })
})
