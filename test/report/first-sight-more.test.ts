import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

describe('who is woken to take what is free', () => {
  const mutex = madeOf(
    `return () => {
      let locked = false
      const queue = []
      return async () => {
        if (locked) await new Promise((resolve) => queue.push(resolve))
        locked = true
        return () => { locked = false; queue.shift()?.() }
      }
    }`,
    '/app/mutex.cjs',
  )

  test('takes it from another one who has come in between', async () => {
    const text = await headlineOf(
      `const lock = mutex()
      let count = 0
      const bump = async (isLate) => {
        if (isLate) await null
        const unlock = await lock()
        const seen = count
        await null
        count = seen + 1
        unlock()
      }
      await Promise.all([bump(false), bump(false), bump(true)])
      if (count !== 3) throw new Error('lost')`,
      { given: { mutex }, testFile: '/app/mutex.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on locked: bump#\d wrote false for bump#2, then bump#3 wrote true, then bump#2 still wrote true\./)
  })
})

describe('where every order fails', () => {
  test('a check that is made again after an error is told, and not what the test counts', async () => {
    const checkout = madeOf(
      `const charges = new Map()
      return (charge) => async (order) => {
        const known = charges.get(order)
        if (known) return known
        for (let attempt = 1; ; attempt++) {
          try { const id = await charge(order); charges.set(order, id); return id } catch (error) { if (attempt >= 2) throw error }
        }
      }`,
      '/app/checkout.cjs',
    )
    const text = await headlineOf(
      `let calls = 0
      const ledger = []
      const pay = checkout(async () => { await null; if (calls++ === 0) throw new Error('ECONNRESET'); ledger.push(1); return 'ch_' + ledger.length })
      await Promise.all([pay('o-1'), pay('o-1')])
      if (ledger.length !== 1) throw new Error('paid twice')`,
      { given: { checkout }, testFile: '/app/checkout.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on charges\.get\("o-1"\): \S+#\d read undefined, then \S+#\d wrote "ch_1", then /)
  })

  test('of two looks of one step the one whose answer is acted on first is told', async () => {
    const pool = madeOf(
      `return (connect, max) => {
        const idle = []
        let total = 0
        return {
          async acquire() {
            const free = idle.pop()
            if (free) return free
            if (total >= max) throw new Error('exhausted')
            const connection = await connect()
            total++
            return connection
          },
          release: (connection) => idle.push(connection),
        }
      }`,
      '/app/pool.cjs',
    )
    const text = await headlineOf(
      `let opened = 0
      const pool = makePool(async () => { await null; return { id: ++opened } }, 1)
      const query = async () => { const connection = await pool.acquire(); await null; pool.release(connection) }
      await Promise.allSettled([query(), query()])
      if (opened !== 1) throw new Error('two')`,
      { given: { makePool: pool }, testFile: '/app/pool.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on total: query#2 read 0, then query#1 increased it to 1, then query#2 changed it to 2\./)
  })

  test('who has set out to make what another one makes has set out in vain, if it fails', async () => {
    const store = madeOf(
      `return (renew) => {
        let access = null, refresh = 'r0'
        return async () => {
          if (access === null) { const answer = await renew(refresh); access = answer.access; refresh = answer.refresh }
          return access
        }
      }`,
      '/app/store.cjs',
    )
    const text = await headlineOf(
      `let valid = 'r0', n = 0
      const token = store(async (refresh) => { await null; if (refresh !== valid) throw new Error('invalid_grant'); n++; valid = 'r' + n; return { access: 'a' + n, refresh: valid } })
      await Promise.all([token(), token()])`,
      { given: { store }, testFile: '/app/store.spec.cjs' },
    )
    expect(text).toMatch(/^Double initialisation on access: \S+#2 read null before \S+#1 wrote "a1"\./)
  })
})

describe('a check in calls that somebody waits for together', () => {
  const ledgers = `
    const ledger = () => {
      const entries = []
      return {
        append: async (amount) => { await null; entries.push(amount) },
        balance: async () => { await null; return entries.reduce((sum, amount) => sum + amount, 0) },
      }
    }`

  test('is one of two of a write skew, if what is written is looked at by the other', async () => {
    const text = await headlineOf(`${ledgers}
      const eur = ledger(), usd = ledger()
      await eur.append(60)
      await usd.append(60)
      const spend = async (from, amount) => {
        const [one, other] = await Promise.all([eur.balance(), usd.balance()])
        if (one + other < amount) return
        await from.append(-amount)
      }
      await Promise.all([spend(eur, 100), spend(usd, 100)])
      if ((await eur.balance()) + (await usd.balance()) < 0) throw new Error('below zero')`)
    expect(text).toMatch(/^Write skew on entries#\d: balance#\d read 1 for spend#(\d), then spend#\d pushed -100, then spend#\1 still pushed -100 to entries#\d\./)
  })

  test('is stale when what was looked at is written', async () => {
    const text = await headlineOf(`
      const stock = { pens: 5 }
      const count = async () => { await null; return stock.pens }
      const price = async () => { await null; return 2 }
      const sell = async (n) => { const [pens, each] = await Promise.all([count(), price()]); stock.pens = pens - n; return n * each }
      await Promise.all([sell(1), sell(2)])
      if (stock.pens !== 2) throw new Error('lost')`)
    expect(text).toMatch(/^Lost update on stock\.pens: sell#\d wrote \d from a value read before sell#\d wrote \d\./)
  })
})

test('who waits for the one who was there, as another one does, has looked before that one came', async () => {
  const text = await headlineOf(`
    const locks = new Map()
    const send = async (aggregate, handle) => {
      const previous = locks.get(aggregate)
      if (previous) await previous
      const current = handle().finally(() => {})
      locks.set(aggregate, current)
      await current
      if (locks.get(aggregate) === current) locks.delete(aggregate)
    }
    let inside = 0
    const handle = async () => { inside++; if (inside > 1) throw new Error('two'); await null; inside-- }
    await Promise.all([send('a', handle), send('a', handle), send('a', handle)])`)
  expect(text).toMatch(/^Check-then-act on locks\.get\("a"\): send#3 read \[Promise\], then send#2 wrote \[Promise\], then send#3 still wrote \[Promise\]\./)
})

test('of what is done with a stale answer that counts which the others use', async () => {
  const chat = madeOf(
    `return (persist) => {
      const history = [], members = new Map()
      return {
        async join(user, send) {
          for (const message of history.slice()) await send(message)
          await null
          members.set(user, { send })
        },
        async post(text) {
          await persist(text)
          history.push(text)
          for (const { send } of members.values()) await send(text)
        },
      }
    }`,
    '/app/chat.cjs',
  )
  const text = await headlineOf(
    `const room = chat(async () => { await null })
    await room.post('one')
    const got = []
    await Promise.all([room.join('ann', async (text) => { await null; got.push(text) }), room.post('two')])
    if (got.length !== 2) throw new Error('missed')`,
    { given: { chat }, testFile: '/app/chat.spec.cjs' },
  )
  expect(text).toMatch(/^Check-then-act on history: join#1 read 1, then post#\d pushed "two", then join#1 still added "ann" to members\./)
})

test('what the test itself does in a section that one alone should be in is no stand-in for a server, though it looks there', async () => {
  const lock = madeOf(
    `let free = 1
    const queue = []
    return {
      lock: async () => {
        while (free === 0) await new Promise((resolve) => queue.push(resolve))
        await null
        free--
      },
      unlock: () => { free++; queue.shift()?.() },
    }`,
    '/app/lock.cjs',
  )
  const text = await headlineOf(
    `let count = 0
    const bump = async () => {
      await lock.lock()
      const seen = count
      await null
      count = seen + 1
      lock.unlock()
    }
    await Promise.all([bump(), bump()])
    if (count !== 2) throw new Error('lost')`,
    { given: { lock }, testFile: '/app/lock.spec.cjs' },
  )
  expect(text).toMatch(/^Check-then-act on free: bump#\d read 1, then bump#\d decreased it to 0, then bump#\d changed it to -1\./)
})

describe('what is made of a look, as another order shows', () => {
  test('is lost, though both have found nothing and write the same', async () => {
    const store = madeOf(
      `const values = new Map()
      return { get: async (key) => { const text = values.get(key); return text === undefined ? undefined : JSON.parse(text).value }, set: async (key, value) => { values.set(key, JSON.stringify({ value })) } }`,
      '/app/node_modules/store/index.cjs',
    )
    const text = await headlineOf(
      `const hit = async (page) => { const n = ((await store.get(page)) ?? 0) + 1; await store.set(page, n) }
      await Promise.all([hit('home'), hit('home')])
      if ((await store.get('home')) !== 2) throw new Error('lost')`,
      { given: { store } },
    )
    expect(text).toMatch(/^Lost update on values\.get\("home"\): hit#2 wrote '\{"value":1\}' from a value read before hit#1 wrote '\{"value":1\}'\./)
  })

  test('is lost also in a store that looks whether anything changes when it writes', async () => {
    const atom = madeOf(
      `return (value) => ({
        value,
        get() { return this.value },
        set(next) { const old = this.value; if (old !== next) { this.value = next } },
      })`,
      '/app/node_modules/store/index.cjs',
    )
    const text = await headlineOf(
      `const cart = atom({ items: [], total: 0 })
      const add = async (item, price) => { const { items, total } = cart.get(); await null; cart.set({ items: [...items, item], total: total + price }) }
      await Promise.all([add('a', 5), add('b', 5)])
      if (cart.get().items.length !== 2) throw new Error('lost')`,
      { given: { atom } },
    )
    expect(text).toMatch(/^Lost update on cart\.get\(\): add#2 wrote \{"items":\["b"\],"total":5\} from a value read before add#1 wrote \{"items":\["a"\],"total":5\}\./)
  })
})

describe('who looks twice', () => {
  test('by code in two places, has found what came in between', async () => {
    const text = await headlineOf(`
      const editor = { text: 'a', saved: '' }
      let disk = ''
      const autosave = async () => { const save = async (text) => { await null; disk = text }; await save(editor.text); editor.saved = editor.text }
      const type = async () => { await null; editor.text += 'b' }
      await Promise.all([autosave(), type()])
      if ((editor.saved === editor.text) !== (disk === editor.text)) throw new Error('clean')`)
    expect(text).toMatch(/^Check-then-act on editor\.text: autosave#1 read "a", then type#1 wrote "ab", then autosave#1 found "ab"\./)
  })

  test('for a promise of what is under way, finds it gone once that is over', async () => {
    const queueOf = madeOf(
      `return (handle) => {
        const keys = new Set(), items = []
        let consumer
        const consume = async () => {
          for (let next = items.shift(); next; next = items.shift()) { await handle(next.item); keys.delete(next.key) }
          consumer = undefined
        }
        return {
          push(key, item) { if (keys.has(key)) return; keys.add(key); items.push({ key, item }); consumer ??= consume() },
          idle: async () => { await consumer },
        }
      }`,
      '/app/queue.cjs',
    )
    const text = await headlineOf(
      `const seen = []
      const queue = queueOf(async (n) => { await null; seen.push(n) })
      queue.push('k', 1)
      await null
      queue.push('k', 2)
      await queue.idle()
      await queue.idle()
      if (seen.at(-1) !== 2) throw new Error('old')`,
      { given: { queueOf }, testFile: '/app/queue.spec.cjs' },
    )
    expect(text).toMatch(/^Stale read on keys\.get\("k"\): test read true before consume#1 removed it\./)
  })
})

test('a file that is taken away is not written', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'first-sight-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const text = await headlineOf(
    `const save = async (text) => { await writeFile(file + '.tmp', text); await rename(file + '.tmp', file) }
    await Promise.all([save('one'), save('two')])`,
    { given: { writeFile, rename, file: path.join(folder, 'a') } },
  )
  expect(text).toMatch(/^Order violation on file\["\S+\.tmp"\]: rename#1 changed it after writeFile#2 wrote "two"\./)
})

describe('what stands in for a server in the test', () => {
  const caching = (code: string): unknown => madeOf(`return (load) => { const entries = new Map(), asked = new Map(); return { ${code} } }`, '/app/node_modules/cache/index.cjs')

  const shown = (cache: unknown): Promise<string> =>
    headlineOf(
      `let price = 1
      const prices = cache(async () => { await null; const found = price; await null; return found })
      const change = async () => { await null; price = 2; prices.invalidate('pen') }
      const [before] = await Promise.all([prices.get('pen'), change()])
      if ((prices.entry('pen') ?? before) !== 2) throw new Error('old')`,
      { given: { cache }, testFile: '/app/prices.spec.cjs' },
    )

  test('has answered before it changed: it is told where a package keeps the answer after it was to forget it', async () => {
    const cache = caching(`
      entry: (key) => entries.get(key) ?? 2,
      async get(key) { const value = await load(key); entries.set(key, value); return value },
      invalidate(key) { if (entries.has(key)) entries.delete(key) },`)
    expect(await shown(cache)).toMatch(/^Order violation on entries\.get\("pen"\): change#1 read false before get#1 wrote 1\./)
  })

  test('is told itself where what is kept of it is nothing to whoever changes it', async () => {
    const cache = caching(`
      entry() {},
      async get(key) { const value = await load(key); asked.set(key, value); return value },
      invalidate(key) { return entries.has(key) },`)
    expect(await shown(cache)).toMatch(/^Stale read on price: get#1 read 1 before change#1 wrote 2\./)
  })
})

describe('who has put nothing there itself, and finds that', () => {
  const documents = (look: string): string => `
    class Text { constructor() { this.start = null } put(text) { if (this.start !== null) throw new Error('full'); this.start = text } }
    const documents = new Map(), document = { texts: new Map(), text(name) { if (!this.texts.has(name)) this.texts.set(name, new Text()); return this.texts.get(name) } }
    const load = async () => { documents.set('notes', document); await null; document.text('body').put('hello') }
    const open = async () => { await null; ${look} }
    const [, found] = await Promise.all([load(), open()])
    if (found !== 'hello') throw new Error('empty')`

  test('has looked too early for what comes then', async () => {
    expect(await headlineOf(documents(`return documents.get('notes').text('body').start`))).toMatch(/^Order violation on text\.start: \S+ read null before \S+ wrote "hello"\./)
  })
})

test('who waits for a promise that it has just put somewhere has checked nothing by it', async () => {
  const analyticsOf = madeOf(
    `return (post) => ({
      queue: [], pending: undefined,
      track(event) { this.queue.push(event); if (this.queue.length >= 2) void this.flush() },
      async flush() {
        if (this.queue.length === 0) return
        if (this.pending) await this.pending
        this.pending = post(this.queue.splice(0, 2))
        await this.pending
      },
    })`,
    '/app/analytics.cjs',
  )
  const text = await headlineOf(`
    const arrived = []
    const analytics = analyticsOf(async (events) => { await null; arrived.push(...events) })
    const requests = async () => {
      analytics.track('login'); analytics.track('open')
      await null
      analytics.track('read'); analytics.track('like')
    }
    const shutdown = async () => { await requests(); await analytics.flush(); return arrived.length }
    if (await shutdown() !== 4) throw new Error('not all')`, { given: { analyticsOf }, testFile: '/app/analytics.spec.cjs' })
  expect(text).toMatch(/^Check-then-act on analytics\.pending: test read \[Promise\], then flush#2 wrote \[Promise\], then test still wrote \[Promise\]\./)
})

describe('of code that is not instrumented', () => {
  interface Client extends EventEmitter {
    connect(done: (error?: Error) => void): void
  }

  class Pool {
    clients: Client[] = []
    waiting: ((client: Client) => void)[] = []
    readonly Client: new () => Client

    constructor(Client: new () => Client) {
      this.Client = Client
    }

    connect(): Promise<Client> {
      if (this.clients.length > 0) return new Promise((resolve) => void this.waiting.push(resolve))
      const client = new this.Client()
      this.clients.push(client)
      return new Promise((resolve, reject) => {
        client.connect((error) => {
          client.on('error', () => {})
          if (error) {
            this.clients = this.clients.filter((one) => one !== client)
            reject(error)
          } else resolve(client)
        })
      })
    }
  }

  test('it is told what it keeps, and not which keys it has come upon on its way', async () => {
    const text = await headlineOf(`
      let isDown = true
      class Client extends EventEmitter {
        connect(done) { const connecting = async () => { await null; const failed = isDown; isDown = false; done(failed ? new Error('down') : undefined) }; void connecting() }
      }
      const pool = new Pool(Client)
      const first = async () => { await pool.connect().catch(() => {}) }
      const second = async () => { await null; await pool.connect() }
      await Promise.all([first(), second()])`, { given: { EventEmitter, Pool }, testFile: '/app/pool.spec.cjs' })
    expect(text).toMatch(/^Deadlock: second#1 waits for ever; nothing is left that could go on\. Lost wakeup on pool\.clients: second#1 read \[\[Client\]\] before connecting#1 wrote \[\]\./)
  })
})

test('what the test counts of what each call has begun is told by the look of the calls', async () => {
  const limits = madeOf(
    `return (quotaOf) => {
      const limiters = new Map()
      const limiterOf = async (tenant) => {
        const known = limiters.get(tenant)
        if (known) return known
        let last = quotaOf(tenant)
        await last
        const limiter = (work) => (last = last.then(work))
        limiters.set(tenant, limiter)
        return limiter
      }
      return async (tenant, work) => (await limiterOf(tenant))(work)
    }`,
    '/app/limits.cjs',
  )
  const text = await headlineOf(
    `const run = limits(async () => { await null })
    let running = 0
    let most = 0
    const job = async () => { running++; most = Math.max(most, running); await null; running-- }
    await Promise.all([run('a', job), run('a', job)])
    if (most !== 1) throw new Error('two at once')`,
    { given: { limits }, testFile: '/app/limits.spec.cjs' },
  )
  expect(text).toMatch(/^Double initialisation on limiters\.get\("a"\): /)
})

test('a permit that is given to one who gives up is leaked by him, though the call that has given it ends then', async () => {
  const makeSemaphore = madeOf(
    `return () => {
      const own = { taken: 0, waiting: [] }
      const take = () => {
        if (own.taken < 1) { own.taken++; return Promise.resolve() }
        return new Promise((resolve) => { own.waiting.push(() => { own.taken++; resolve() }) })
      }
      const release = () => { own.taken--; own.waiting.shift()?.() }
      return async (work, state) => {
        await take()
        if (state?.isOver) throw new Error('given up')
        try { return await work() } finally { release() }
      }
    }`,
    '/app/semaphore.cjs',
  )
  const text = await headlineOf(
    `const withPermit = makeSemaphore()
    const state = { isOver: false }
    const user = async () => { await null; state.isOver = true }
    await Promise.all([withPermit(async () => { await null }), withPermit(async () => {}, state).catch(() => {}), user()])
    await withPermit(async () => {})`,
    { given: { makeSemaphore }, testFile: '/app/semaphore.spec.cjs' },
  )
  expect(text).toMatch(/Leaked permit on own\.taken: .* Order violation on state\.isOver: /)
})
