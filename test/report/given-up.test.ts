import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

const testFile = '/app/given-up.spec.cjs'
const modes = ['await', 'event-loop'] as const
const io = ({ file }: { file: string }): 'awaits' | 'nothing' => (file === testFile ? 'awaits' : 'nothing')

/** What is told in one mode: of what kind it is, and what is read first. */
async function toldOf(code: string, given: object, interleave: (typeof modes)[number]): Promise<{ kind: string; text: string }> {
  const { message, explanation } = await investigated(code, { given, testFile, interleave, ...(interleave === 'event-loop' && { io }) })
  return { kind: explanation.kind, text: stripVTControlCharacters(message).replaceAll(/\s+/g, ' ') }
}

const sleeping = 'const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))\n'

/** As in a client of Kafka: who has waited too long stays among those who wait. */
const lock = madeOf(
  `return (limit) => {
    const state = { locked: false, waiting: new Set() }
    return {
      acquire: async () => new Promise((resolve, reject) => {
        if (!state.locked) { state.locked = true; return resolve() }
        let timer = null
        const tryToAcquire = async () => {
          if (state.locked) return
          state.locked = true
          clearTimeout(timer)
          state.waiting.delete(tryToAcquire)
          resolve()
        }
        state.waiting.add(tryToAcquire)
        timer = setTimeout(() => reject(new Error('waited too long')), limit)
      }),
      release: async () => { state.locked = false; await state.waiting.values().next().value?.() },
    }
  }`,
  '/app/lock.cjs',
)

const held = (next: string): string => `${sleeping}
  const own = lock(1000)
  const long = async () => { await own.acquire(); await sleep(1500); await own.release() }
  const short = async () => { await own.acquire(); await own.release() }
  await Promise.all([long(), short().catch(() => 'gave up')])
  ${next}`

/** As in a pool of connections: what is given back to one who has given up is given to nobody. */
const waitingPool = madeOf(
  `return (limit) => {
    const own = { available: ['connection'], queue: [] }
    const give = () => {
      if (own.queue.length === 0 || own.available.length === 0) return
      const connection = own.available.pop()
      const request = own.queue.shift()
      if (request.isOver) return give()
      clearTimeout(request.timer)
      request.resolve(connection)
    }
    own.acquire = () => new Promise((resolve, reject) => {
      const request = { resolve, isOver: false }
      request.timer = setTimeout(() => { request.isOver = true; reject(new Error('waited too long')) }, limit)
      own.queue.push(request)
      give()
    })
    own.release = (connection) => { own.available.push(connection); give() }
    return own
  }`,
  '/app/pool.cjs',
)

describe.each(modes)('by %s', (mode) => {
  test('a lock that is given to one who has given up is a leaked permit for the next one, whose time runs out', async () => {
    const { kind, text } = await toldOf(held('await short()'), { lock }, mode)
    expect(kind).toBe('leaked-permit')
    expect(text).toMatch(/^Leaked permit on state\.locked: \S+ wrote true for short(?:#1)?, which had given up when timer#1 fired, and test read true and waited until timer#3 fired\./)
  })

  test('a place that is handed over to one who has given up is a leaked permit too, though nothing is written down of that', async () => {
    const semaphore = madeOf(
      `return (places, limit) => {
        const own = { free: places, queue: [] }
        return {
          enter: () => new Promise((resolve, reject) => {
            if (own.free > 0) { own.free--; return void resolve() }
            const timer = setTimeout(reject, limit, new Error('waited too long'))
            own.queue.push({ resolve, timer })
          }),
          leave() {
            if (own.queue.length === 0) return void own.free++
            const { resolve, timer } = own.queue.shift()
            clearTimeout(timer)
            resolve()
          },
        }
      }`,
      '/app/semaphore.cjs',
    )
    const { kind, text } = await toldOf(
      `${sleeping}
      const own = semaphore(1, 1000)
      const request = async (ms) => { await own.enter(); await sleep(ms); own.leave() }
      await Promise.all([request(1500), request(1).catch(() => 'busy')])
      await request(1)`,
      { semaphore },
      mode,
    )
    expect(kind).toBe('leaked-permit')
    expect(text).toMatch(/^Leaked permit on own\.free: request#1 decreased it to 0, then request#1 gave that to request(?:#2)?, which had given up when timer#\d fired, and test read 0 and waited until timer#\d fired\./)
  })

  test('a connection that is put to nobody by one who has ended is a leaked permit, whatever the assertion makes of that', async () => {
    const { kind, text } = await toldOf(
      `${sleeping}
      const own = waitingPool(100)
      const slow = async () => { const connection = await own.acquire(); await sleep(150); own.release(connection) }
      await Promise.all([slow(), own.acquire().catch(() => {})])
      await expect(own.acquire()).resolves.toBe('connection')`,
      { waitingPool, expect },
      mode,
    )
    expect(kind).toBe('leaked-permit')
    expect(text).toMatch(/^Leaked permit on available\.length: slow#1 emptied it and ended without taking that back, and test read 0 and waited until timer#\d fired\./)
  })

  test('which is said to be perhaps so, where the code makes another answer of that', async () => {
    const { text } = await toldOf(
      `${sleeping}
      const own = waitingPool(100)
      const slow = async () => { const connection = await own.acquire(); await sleep(150); own.release(connection) }
      const answer = async () => { try { await own.acquire() } catch { return 504 } return 200 }
      await Promise.all([slow(), answer()])
      if ((await answer()) !== 200) throw new Error('not answered')`,
      { waitingPool },
      mode,
    )
    expect(text).toMatch(/^The test threw.* Perhaps: Leaked permit on available\.length: slow#1 emptied it and ended/)
  })

  test('who holds it for longer than another one waits has done nothing of the kind', async () => {
    const { kind, text } = await toldOf(`${sleeping}
      const own = lock(1000)
      const long = async () => { await own.acquire(); await sleep(5000); await own.release() }
      const short = async () => { await own.acquire(); await own.release() }
      await Promise.all([long(), short()])`, { lock }, mode)
    expect(kind).not.toBe('leaked-permit')
    expect(text).not.toMatch(/Leaked permit|Self-deadlock|Lost wakeup/)
  })

  test('who is taken from the queue as another one gives up is never woken', async () => {
    const pool = madeOf(
      `return (isHis) => {
        const pool = { busy: false, queue: [] }
        return {
          take() {
            if (!pool.busy) { pool.busy = true; return Promise.resolve() }
            return new Promise((resolve, reject) => {
              const timer = setTimeout(() => { pool.queue = pool.queue.filter((one) => isHis(one, wake)); reject(new Error('waited too long')) }, 1000)
              const wake = () => { clearTimeout(timer); resolve() }
              pool.queue.push(wake)
            })
          },
          give() { pool.busy = false; if (pool.queue.length > 0) { pool.busy = true; pool.queue.shift()() } },
        }
      }`,
      '/app/pool.cjs',
    ) as (isHis: (one: unknown, his: unknown) => boolean) => unknown
    const body = `${sleeping}
      await own.take()
      const first = own.take().catch(() => 'gave up')
      await sleep(500)
      const second = own.take()
      await sleep(700)
      own.give()
      await first
      await second`
    const { kind, text } = await toldOf(body, { own: pool((one, his) => one === his && false) }, mode)
    expect(kind).toBe('lost-wakeup')
    expect(text).toMatch(/^Lost wakeup on queue: test pushed \[function wake\] to queue, then timer#\d wrote pool\.queue = \[\], and nobody has called what was there\. So test waited until timer#\d fired\./)
  })

  test('who gives up lets in the next one, though another one has not gone out', async () => {
    const chain = madeOf(
      `return () => {
        let last = Promise.resolve()
        return async (work) => {
          let release
          const own = new Promise((resolve) => { release = resolve })
          const before = last
          last = own
          let timer
          const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('late')), 1000) })
          try { await Promise.race([before, late]) } catch (error) { release(); throw error } finally { clearTimeout(timer) }
          try { return await work() } finally { release() }
        }
      }`,
      '/app/chain.cjs',
    )
    const { kind, text } = await toldOf(
      `${sleeping}
      const run = chain()
      let inside = 0
      const sync = async () => run(async () => { if (++inside !== 1) throw new Error('two'); await sleep(2500); inside-- })
      await Promise.all([sync(), sync().catch(() => 'gave up'), sync().catch((error) => { if (error.message !== 'late') throw error })])`,
      { chain },
      mode,
    )
    expect(kind).toBe('wrong-holder-release')
    expect(text).toMatch(/^Wrong-holder release on promise own: \S+, which had given up when timer#2 fired, fulfilled it, so that \S+ went on, and read inside -> 1, as \S+ had left it\./)
  })

  test('what an answer that fails after a time is thrown by is said, and no more', async () => {
    const { kind, text } = await toldOf(
      `const get = () => new Promise((_, reject) => setTimeout(() => reject(new Error('500')), 10))
      await get()`,
      {},
      mode,
    )
    expect(kind).toBe('error')
    expect(text).toMatch(/^The test threw; .+ It is what timer#1 has rejected, for which test waited\./)
  })

  test('a queue that is cleared drops what would settle its promises', async () => {
    const { kind, text } = await toldOf(
      `const queue = []
      const job = { run: undefined }
      const add = () => new Promise((resolve) => { job.run = resolve; queue.push({ resolve: (value) => resolve(value) }) })
      const waits = add()
      queue.length = 0
      job.run = undefined
      await waits`,
      {},
      mode,
    )
    expect(kind).toBe('never-settled')
    expect(text).toMatch(/^Never-settled promise: test waits for ever; nothing is left that could go on\. What would settle that was lost: test (?:pushed .+ to queue, then test emptied it|wrote .+, then test .+), and nobody has called what was there\. No order passes by which that could be confirmed\./)
  })

  test('a queue that is cleared leaves those who wait until it is empty where nobody looks', async () => {
    const queue = madeOf(
      `return () => {
        const own = { jobs: [], idle: [] }
        return {
          add: (job) => new Promise((resolve, reject) => { own.jobs.push({ job, reject }) }),
          whenIdle: () => (own.jobs.length === 0 ? Promise.resolve() : new Promise((resolve) => { own.idle.push(resolve) })),
          clear: () => { for (const { reject } of own.jobs) reject(new Error('cleared')); own.jobs = [] },
        }
      }`,
      '/app/queue.cjs',
    )
    const { kind, text } = await toldOf(
      `const own = queue()
      const added = own.add(() => {}).catch(() => 'cleared')
      const idle = own.whenIdle()
      own.clear()
      await Promise.all([added, idle])`,
      { queue },
      mode,
    )
    expect(kind).toBe('never-settled')
    expect(text).toMatch(/What would settle that was left: test read jobs\.length -> 1 and pushed \[function\] to idle, then test wrote own\.jobs = \[\], and nobody has called what was left there\./)
  })

  const client = madeOf(
    `return (close) => {
      const pending = new Map()
      let last = 0
      return {
        request: () => new Promise((resolve, reject) => { pending.set(++last, { resolve, reject }) }),
        answer(id, value) { const { resolve } = pending.get(id); pending.delete(id); resolve(value) },
        close: () => close(pending),
      }
    }`,
    '/app/client.cjs',
  ) as (close: (pending: Map<number, { reject: (error: Error) => void }>) => void) => unknown
  const closing = `
    const ask = async () => own.request().catch(() => 'closed')
    const leave = async () => { await null; own.close() }
    await Promise.all([ask(), leave()])`

  test('who waits for a call that is put off is told of the timer that was cleared', async () => {
    const validator = madeOf('return (check, ms) => { let timer; return (value) => new Promise((resolve) => { clearTimeout(timer); timer = setTimeout(() => resolve(check(value)), ms) }) }', '/app/validator.cjs')
    const { kind, text } = await toldOf("const valid = validator((value) => value, 300); await Promise.all([valid('a'), valid('ab')])", { validator }, mode)
    expect(kind).toBe('never-settled')
    expect(text).toMatch(/^Never-settled promise: test waits for ever; nothing is left that could go on\. timer#1 was still to fire, and test cleared it\./)
  })

  test.each(["const timer = setTimeout(() => {}, 10); await null; clearTimeout(timer)", "await new Promise((resolve) => { const timer = setTimeout(() => {}, 10); setTimeout(() => { clearTimeout(timer); resolve() }, 5) })"])('but not of one that was set before it went on: %s', async (code) => {
    const { text } = await toldOf(`${code}; await new Promise(() => {})`, {}, mode)
    expect(text).toMatch(/^Never-settled promise: /)
    expect(text).not.toContain('cleared it')
  })

  test('a client that is closed forgets who waits for an answer', async () => {
    const close = madeOf('return (pending) => pending.clear()', '/app/close.cjs') as () => void
    const { kind, text } = await toldOf(closing, { own: client(close) }, mode)
    expect(kind).toBe('never-settled')
    expect(text).toMatch(/What would settle that was lost: test wrote pending\.get\(1\) = .+?, then leave#1 removed pending\.get\(1\), and nobody has called what was there\./)
  })

  test('one that tells them before has forgotten nobody', async () => {
    const close = madeOf("return (pending) => { for (const { reject } of pending.values()) reject(new Error('closed')); pending.clear() }", '/app/close.cjs') as () => void
    const { text } = await toldOf(`${closing}; await new Promise(() => {})`, { own: client(close) }, mode)
    expect(text).toMatch(/^Never-settled promise: /)
    expect(text).not.toContain('What would settle that')
  })

  test('nor has one that has had its answers', async () => {
    const close = madeOf('return (pending) => pending.clear()', '/app/close.cjs') as () => void
    const { text } = await toldOf(`const asked = own.request(); own.answer(1, 'a'); await asked; own.close(); await new Promise(() => {})`, { own: client(close) }, mode)
    expect(text).not.toContain('What would settle that')
  })

  test('a handler that is taken away is no such thing where it has been called', async () => {
    const { text } = await toldOf(
      `const socket = { onOpen: undefined }
      await new Promise((resolve) => { socket.onOpen = resolve; socket.onOpen() })
      socket.onOpen = undefined
      await new Promise(() => {})`,
      {},
      mode,
    )
    expect(text).toMatch(/^Never-settled promise: /)
    expect(text).not.toContain('What would settle that')
  })

  test.each(['for (const wake of all) wake(); box.all = []', 'box.all.splice(0).forEach((wake) => wake())', 'const old = box.all; box.all = []; for (const wake of old) wake()', 'while (box.all.length > 0) box.all.shift()(); box.all = []'])('who is called before the list is emptied is not dropped: %s', async (flush) => {
    const { text } = await toldOf(
      `const box = { all: [] }
      const woken = new Promise((resolve) => { box.all.push(resolve) })
      const { all } = box
      ${flush}
      await woken
      await new Promise(() => {})`,
      {},
      mode,
    )
    expect(text).toMatch(/^Never-settled promise: /)
    expect(text).not.toContain('What would settle that')
  })

  test('what calls do to one another in what stands in for a store is told, though all of it is one turn', async () => {
    const session = madeOf(
      `return (store) => async (use) => {
        const found = (await store.get('1')) ?? []
        await use(found)
        await store.set('1', found)
      }`,
      '/app/session.cjs',
    )
    const { kind, text } = await toldOf(
      `const rows = new Map()
      const store = { async get(key) { const row = rows.get(key); return row === undefined ? undefined : JSON.parse(row) }, async set(key, value) { rows.set(key, JSON.stringify(value)) } }
      const through = session(store)
      const message = async (text) => through(async (found) => { found.push(text) })
      await Promise.all([message('milk'), message('bread')])
      if (JSON.parse(rows.get('1')).length !== 2) throw new Error('lost')`,
      { session },
      mode,
    )
    expect(kind).toBe('lost-update')
    expect(text).toMatch(/^Lost update on rows\.get\("1"\): /)
  })
})

test('a place that is handed over to one whose wait was ended by another one is a leaked permit, for which the next one waits for ever', async () => {
  const semaphore = madeOf(
    `return (places) => {
      const own = { free: places, queue: [] }
      return {
        enter: (signal) => new Promise((resolve, reject) => {
          if (own.free > 0) { own.free--; return void resolve() }
          own.queue.push(resolve)
          signal?.addEventListener('abort', () => { reject(new Error('aborted')) })
        }),
        leave() { if (own.queue.length > 0) own.queue.shift()(); else own.free++ },
      }
    }`,
    '/app/semaphore.cjs',
  )
  const { kind, text } = await toldOf(
    `const own = semaphore(1)
    const controller = new AbortController()
    const tool = async (signal) => { await own.enter(signal); await null; own.leave() }
    const first = tool()
    const second = tool(controller.signal).catch(() => 'aborted')
    controller.abort()
    await Promise.all([first, second])
    await tool()`,
    { semaphore },
    'await',
  )
  expect(kind).toBe('leaked-permit')
  expect(text).toMatch(/Leaked permit on own\.free: tool#1 decreased it to 0, then tool#1 gave that to tool#2, whose wait test had ended, and test read 0 and waits\./)
})
