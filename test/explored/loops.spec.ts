/* oxlint-disable no-unmodified-loop-condition */
import { describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const tick = async () => {
  await null
}

type Asks = () => boolean

/** Ways to wait by asking again. */
const ways: Record<string, (asks: Asks) => Promise<void>> = {
  'await null': async (asks) => { while (asks()) await null },
  'a settled promise': async (asks) => { while (asks()) await Promise.resolve() },
  'for (;;) and an async function': async (asks) => { for (;;) { if (!asks()) break; await tick() } },
  'do': async (asks) => { do await null; while (asks()) },
  'two awaits': async (asks) => { while (asks()) { await null; await tick() } },
  'continue': async (asks) => { for (;;) { if (!asks()) return; await null; continue } },
  'setImmediate': async (asks) => { while (asks()) await new Promise((resolve) => setImmediate(resolve)) },
  'a call of itself': (asks) => { const ask = async (): Promise<void> => { if (!asks()) return; await null; return ask() }; return ask() },
  'a call of itself in a declaration': (asks) => { async function ask(tries: number): Promise<string> { return asks() ? (await tick(), ask(tries)) : `${tries}` } return ask(1).then(() => {}) },
  'a call of itself that is awaited': (asks) => { const ask = async (): Promise<void> => { if (asks()) { try { await null } catch { return } return await ask() } }; return ask() },
  'a call of its method': (asks) => new (class { async ask(): Promise<void> { if (!asks()) return; await tick(); return this.ask() } })().ask(),
  'a call of its private method': (asks) => { class Asking { begin(): Promise<void> { return this.#ask() } async #ask(): Promise<void> { if (!asks()) return; await null; return this.#ask() } } return new Asking().begin() },
  'a callback of then': (asks) => new Promise((done) => { const ask = () => { if (asks()) void Promise.resolve().then(ask); else done() }; ask() }),
  'a callback that then waits for': (asks) => { const ask = (): Promise<void> | undefined => (asks() ? Promise.resolve().then(ask) : undefined); return Promise.resolve().then(ask) },
  'a callback of setImmediate': (asks) => new Promise((done) => { const ask = () => { if (asks()) setImmediate(ask); else done() }; ask() }),
  'a callback of queueMicrotask': (asks) => new Promise((done) => { const ask = () => { if (asks()) queueMicrotask(ask); else done() }; ask() }),
  'queueMicrotask': async (asks) => { while (asks()) await new Promise<void>((resolve) => queueMicrotask(resolve)) },
}
const modes = ['await', 'event-loop'] as const

describe.each(modes)("interleave: '%s'", (interleave) => {
  // There nothing else runs as long as a microtask follows another: it is Node itself that does not end.
  const possible = Object.entries(ways).filter(([name]) => interleave === 'await' || !/queueMicrotask|then/.test(name))
  describe.each(possible)('%s', (_name, waitWhile) => {
    const body = (isSet: boolean) => async () => {
      let ready = false
      let x = 0
      const got: number[] = []
      const asking = async () => {
        await waitWhile(() => !ready)
        got.push(x)
      }
      const setting = async () => {
        await null
        x = 1
        await null
        ready = isSet
        await null
        x = 2
      }
      await Promise.all([asking(), setting()])
      return got
    }

    test('goes on as soon as something has changed, or later', async () => {
      const { seen, verdict, executions } = await outcomes(body(true), { interleave })
      expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: ['[1]', '[2]'] })
      expect(executions).toBeLessThan(16)
    })

    test('or never', async () => {
      const { verdict, failures } = await explore(body(false), { interleave })
      expect(verdict).toBe('fails')
      expect(failures[0]).toMatchObject({ kind: 'livelock' })
      expect(String(failures[0]!.error)).toMatch(/nobody can change any more what this asks for again and again: .*loops\.spec\.ts:.*, which looks at (?:this\.ask\(\), )?ready$/)
    })
  })
})

test('a loop of microtasks keeps an event from ending: nothing else runs', async () => {
  const { failures, plainFails } = await explore(
    async () => {
      let ready = false
      setTimeout(() => (ready = true))
      while (!ready) await new Promise<void>((resolve) => queueMicrotask(resolve))
    },
    { interleave: 'event-loop' },
  )
  expect(failures).toMatchObject([{ kind: 'livelock', execution: 1 }])
  expect(plainFails).toBe(true)
})

describe('what a loop may leave behind', () => {
  test('variables that it changes count', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const state = { isReady: false }
      let asked = 0
      while (!state.isReady && asked < 5) {
        asked++
        await null
      }
      for (let i = 0; i < 5; i++) await null
      return asked
    })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['5'] })
  })

  test('so do those of loops around it', async () => {
    const { seen, verdict } = await outcomes(async () => {
      for (const round of [1, 2, 3]) {
        for (;;) {
          await null
          if (round > 0) break
        }
      }
      for (const round in [1, 2, 3]) {
        do {
          await null
        } while (Number(round) > 5)
      }
      return 'over'
    })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['"over"'] })
  })

  test.each([true, false])('a loop that counts is part of the one around it: %s', async (isSet) => {
    const body = async () => {
      let ready = false
      const asking = async () => {
        for (;;) {
          for (let i = 0; i < 3; i++) await null
          if (ready) return 'found'
        }
      }
      return (await Promise.all([asking(), tick().then(() => (ready = isSet))]))[0]
    }
    if (isSet) expect(await outcomes(body)).toMatchObject({ verdict: 'holds', seen: ['"found"'] })
    else expect(await explore(body)).toMatchObject({ verdict: 'fails', failures: [{ kind: 'livelock' }] })
  })

  test('a loop that waits begins anew where the one around it counts', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const state = { left: 0 }
      const asking = async () => {
        for (let i = 0; i < 3; i++) {
          while (state.left === i) await null
        }
        return 'over'
      }
      const setting = async () => {
        for (let i = 1; i < 4; i++) {
          await null
          state.left = 3
        }
      }
      return (await Promise.all([asking(), setting()]))[0]
    })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['"over"'] })
  })

  test('what it has found and keeps over an await does, too', async () => {
    const { seen, verdict } = await outcomes(async () => {
      let x = 0
      const asking = async () => {
        for (;;) {
          const found = x
          await null
          if (found === 1) return 'found'
        }
      }
      return (await Promise.all([asking(), tick().then(() => (x = 1))]))[0]
    })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['"found"'] })
  })

  test('and what others can see: such a loop does not end', async () => {
    const { verdict } = await explore(
      async () => {
        let asked = 0
        let ready = false
        const asking = async () => {
          while (!ready) {
            asked++
            await null
          }
          return asked
        }
        await Promise.all([asking(), tick().then(() => (ready = asked > 1))])
      },
      { maxExecutions: 20, maxSteps: 300 },
    )
    expect(verdict).toBe('inconclusive')
  })
})

describe('a queue that is asked until there is something in it', () => {
  const takes = { shift: (queue: number[]) => queue.shift(), pop: (queue: number[]) => queue.pop() }
  describe.each(Object.entries(takes))('%s', (_name, take) => {
    const body = (isFilled: boolean) => async () => {
      const queue: number[] = []
      const taking = async () => {
        for (;;) {
          const taken = take(queue)
          if (taken !== undefined) return taken
          await null
        }
      }
      return Promise.all([taking(), tick().then(() => isFilled && queue.push(7))])
    }

    test('goes on once there is', async () => {
      const { seen, verdict, executions } = await outcomes(body(true))
      expect({ seen, verdict, executions }).toEqual({ verdict: 'holds', seen: ['[7,1]'], executions: 2 })
    })

    test('or never does', async () => {
      expect(await explore(body(false))).toMatchObject({ verdict: 'fails', failures: [{ kind: 'livelock' }] })
    })
  })
})

describe('virtual time', () => {
  test('passes in a loop that sleeps, until somebody else sets what it asks for', async () => {
    const { seen, verdict, executions } = await outcomes(async () => {
      let ready = false
      const log: string[] = []
      setTimeout(() => (ready = true), 25)
      setTimeout(() => log.push('before'), 28)
      setTimeout(() => log.push('after'), 32)
      while (!ready) await sleep(10)
      log.push('ready')
      await sleep(20)
      return log
    })
    expect({ seen, verdict, executions }).toEqual({ verdict: 'holds', seen: ['["before","ready","after"]'], executions: 1 })
  })

  test('or for ever', async () => {
    const { failures } = await explore(async () => {
      const state = { isReady: false }
      while (!state.isReady) await sleep(10)
    })
    expect(failures[0]).toMatchObject({ kind: 'livelock' })
    expect(String(failures[0]!.error)).toContain('which looks at state.isReady')
  })

  test('passes while a loop waits that does not sleep', async () => {
    const { seen, verdict } = await outcomes(async () => {
      let ready = false
      setTimeout(() => (ready = true), 50)
      while (!ready) await null
      return Date.now() > 0
    })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['true'] })
  })

  const asking = async () => {
    let ready = false
    const start = Date.now()
    setTimeout(() => (ready = true), 10)
    while (!ready && Date.now() < start + 5) await null
    return [ready, Date.now() - start]
  }

  test('passes by itself where a loop asks for it', async () => {
    const { seen, verdict } = await outcomes(asking)
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['[false,5]'] })
  })

  test('passes within an event that such a loop keeps from ending', async () => {
    const { seen, verdict } = await outcomes(asking, { interleave: 'event-loop' })
    expect({ seen, verdict }).toEqual({ verdict: 'holds', seen: ['[false,5]', '[false,6]'] })
  })
})

describe("Vitest's own ways to wait", () => {
  const waits: Record<string, (ready: Asks) => Promise<unknown>> = {
    'vi.waitUntil': (ready) => vi.waitUntil(ready),
    'vi.waitFor': (ready) => vi.waitFor(() => expect(ready()).toBe(true)),
    'expect.poll': (ready) => expect.poll(ready).toBe(true),
  }
  // They ask once, and then when time has passed: when nothing else can run.
  test.each(Object.entries(waits))('%s', async (name, wait) => {
    const { seen, verdict, executions } = await outcomes(async () => {
      let ready = false
      let x = 0
      const asking = async () => {
        await wait(() => ready)
        return x
      }
      const setting = async () => {
        await null
        x = 1
        await null
        ready = true
        await null
        x = 2
      }
      return Promise.all([asking(), setting()])
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: name === 'expect.poll' ? ['[1,null]', '[2,null]'] : ['[2,null]'] })
    expect(executions).toBeLessThan(16)
  })
})

test('a livelock replays', async () => {
  const body = async () => {
    let isOpen = true
    let turn = 0
    const closing = async () => {
      await null
      if (turn === 0) isOpen = false
    }
    const asking = async () => {
      await null
      turn = 1
      while (isOpen) await null
    }
    await Promise.all([closing(), asking()])
  }
  const { failures, executions } = await explore(body, { stopOnFirst: false })
  expect(failures).toMatchObject([{ kind: 'livelock' }])
  expect(executions).toBeLessThan(8)
  const replayed = await explore(body, { replay: failures[0]!.schedule })
  expect(replayed.failures).toMatchObject([{ kind: 'livelock', schedule: failures[0]!.schedule }])
})

describe('a callback that sets itself again', () => {
  test.each<[string, (ask: (n: number) => unknown, n: number) => unknown, string[]]>([
    ['then', (ask, n) => Promise.resolve(n).then(ask), ['[1]', '[2]', '[3]']],
    ['setImmediate', (ask, n) => setImmediate(ask, n), ['[1]', '[2]', '[3]']],
    // The first call comes before what is awaited only then.
    ['queueMicrotask, and a variable', (ask, n) => queueMicrotask(() => ask(n)), ['[2]', '[3]']],
  ])('goes on as often as it does where it is given something else each time: %s', async (_name, set, all) => {
    const { seen, verdict } = await outcomes(async () => {
      let ready = false
      const found = new Promise((done) => {
        const ask = (n: number) => {
          if (ready || n === 3) done(n)
          else set(ask, n + 1)
        }
        ask(0)
      })
      await null
      ready = true
      return [await found]
    })
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: all })
  })

  test('and so where it counts', async () => {
    const { seen } = await outcomes(async () => {
      let count = 0
      return [
        await new Promise((done) => {
          const ask = () => {
            if (++count === 20) done(count)
            else void Promise.resolve().then(ask)
          }
          ask()
        }),
      ]
    })
    expect(seen).toEqual(['[20]'])
  })

  test('and more than once does not wait', async () => {
    const { seen } = await outcomes(async () => {
      let ready = false
      let count = 0
      const ask = () => {
        if (ready || ++count > 2) return
        void Promise.resolve().then(ask)
        void Promise.resolve().then(ask)
      }
      ask()
      await new Promise((resolve) => setTimeout(resolve, 1))
      ready = true
      return [count]
    })
    expect(seen).toEqual(['[5]'])
  })

  // Each of them makes pairs of what the other goes through as well.
  test.each(modes)("two that go through a Map, for ever: a livelock with interleave: '%s'", async (interleave) => {
    const { failures } = await explore(
      async () => {
        const shop = new Map([['a', 0]])
        const asking = async () => {
          const first = JSON.stringify(Object.fromEntries(shop))
          while (JSON.stringify(Object.fromEntries(shop)) === first) await null
        }
        const sleeping = async () => {
          const first = JSON.stringify([...shop])
          while (JSON.stringify([...shop]) === first) await sleep(1)
        }
        await Promise.all([asking(), sleeping()])
      },
      { interleave, maxSteps: 500 },
    )
    expect(failures).toMatchObject([{ kind: 'livelock' }])
  })

  test.each(modes)("by a timer, for ever: a livelock with interleave: '%s'", async (interleave) => {
    const { failures } = await explore(
      async () => {
        const ready = { isSet: false }
        await new Promise<void>((done) => {
          const ask = () => {
            if (ready.isSet) done()
            else setTimeout(ask, 10)
          }
          ask()
        })
      },
      { interleave },
    )
    expect(failures).toMatchObject([{ kind: 'livelock' }])
    expect(String(failures[0]!.error)).toMatch(/loops\.spec\.ts:.*, which looks at ready\.isSet$/)
  })
})

describe('an async function that ends with a call of itself', () => {
  test.each<[string, (asks: Asks) => (n: number) => Promise<number>]>([
    ['is given something else each time', (asks) => { const ask = async (n: number): Promise<number> => { if (!asks() || n === 3) return n; await null; return ask(n + 1) }; return ask }],
    ['does something with what that gives', (asks) => { let left = 3; const ask = async (n: number): Promise<number> => { if (!asks() || left === 0) return n; left--; await null; return (await ask(n)) + 1 }; return ask }],
    ['handles its errors', (asks) => { let left = 3; const ask = async (n: number): Promise<number> => { if (!asks()) return n; if (left-- === 0) throw new Error('over'); await null; try { return await ask(n) } catch { return 3 } }; return ask }],
    ['counts', (asks) => { let asked = 0; const ask = async (): Promise<number> => { if (!asks() || asked === 3) return asked; asked++; await null; return ask() }; return ask }],
    ['asks another one', (asks) => { class Asking { left: number; next: Asking | undefined; constructor(left: number) { this.left = left; this.next = left > 0 ? new Asking(left - 1) : undefined } async ask(): Promise<number> { if (!asks() || !this.next) return 3 - this.left; await null; return this.next.ask() } } return () => new Asking(3).ask() }],
  ])('goes on as often as it does where it %s', async (_name, makes) => {
    const body = (isSet: boolean) => async () => {
      let ready = false
      const ask = makes(() => !ready)
      const setting = async () => {
        await null
        ready = isSet
      }
      return [(await Promise.all([ask(0), setting()]))[0]]
    }
    expect((await outcomes(body(false), { maxExecutions: 500 })).seen).toEqual(['[3]'])
    const { seen, verdict } = await outcomes(body(true), { maxExecutions: 500 })
    expect(verdict).toBe('holds')
    expect(seen.length).toBeGreaterThan(1)
  })

  test.each(modes)("by way of a sleep, interleave: '%s'", async (interleave) => {
    const { seen, verdict, executions } = await outcomes(
      async () => {
        let ready = false
        setTimeout(() => (ready = true), 25)
        const poll = async (): Promise<string> => {
          if (ready) return 'ready'
          await sleep(10)
          return poll()
        }
        return poll()
      },
      { interleave },
    )
    expect({ seen, verdict, executions }).toEqual({ verdict: 'holds', seen: ['"ready"'], executions: 1 })
  })

  test.each(modes)("for ever, with a sleep: a livelock with interleave: '%s'", async (interleave) => {
    const body = async () => {
      const state = { isReady: false }
      const poll = async (): Promise<void> => {
        if (state.isReady) return
        await sleep(10)
        await poll()
      }
      const polling = async (): Promise<void> => (state.isReady ? undefined : (await sleep(10), polling()))
      await Promise.all([poll(), polling()])
    }
    expect((await explore(body, { interleave, maxExecutions: 5, maxSteps: 300 })).verdict).toBe('inconclusive')
    const { failures } = await explore(async () => {
      const state = { isReady: false }
      const polling = async (): Promise<void> => (state.isReady ? undefined : (await sleep(10), polling()))
      await polling()
    }, { interleave })
    expect(failures).toMatchObject([{ kind: 'livelock' }])
  })
})

test('a loop with several iterations in one event has done what any of them has', async () => {
  const { verdict, executions, failures } = await explore(
    async () => {
      const reader = new ReadableStream<number>({ pull: (controller) => { [1, 2, 3].forEach((n) => controller.enqueue(n)); controller.close() } }).getReader()
      const got: number[] = []
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        got.push(value)
      }
      expect(got).toEqual([1, 2, 3])
    },
    { interleave: 'event-loop' },
  )
  expect({ verdict, executions, failures }).toEqual({ verdict: 'holds', executions: 2, failures: [] })
})

describe('a loop of thousands of microtasks that does something after its await has an end', () => {
  const counts = { n: 0 }
  const many = 1500
  test.each<[string, () => Promise<unknown>]>([
    ['a loop in a call', async () => { while (true) { await null; if (++counts.n > many) break } }],
    ['a call of itself', async function again(): Promise<void> { await null; if (++counts.n <= many) return await again() }],
  ])('%s', async (_name, count) => {
    const { failures, verdict } = await explore(async () => {
      counts.n = 0
      await count()
    }, { interleave: 'event-loop', maxExecutions: 2 })
    expect({ failures, isWrong: verdict === 'fails' }).toEqual({ failures: [], isWrong: false })
  })
})
