import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

describe('who writes last', () => {
  test('is told of two lists of which only the length is shown', async () => {
    const slice = madeOf(
      `return ({ list, pause }) => {
        let campaigns = []
        return {
          stopped: () => campaigns.filter(({ paused }) => paused),
          async refresh() { campaigns = await list() },
          async stop(name) { const paused = await pause(name); campaigns = campaigns.map((one) => one.name === name ? paused : one) },
        }
      }`,
      '/app/campaigns.cjs',
    )
    const text = await headlineOf(
      `const rows = new Map([['spring', false], ['summer', false]])
      const list = async () => { await null; const found = [...rows].map(([name, paused]) => ({ name, paused })); await null; return found }
      const pause = async (name) => { await null; rows.set(name, true); await null; return { name, paused: true } }
      const campaigns = slice({ list, pause })
      await campaigns.refresh()
      await Promise.all([campaigns.refresh(), campaigns.stop('summer')])
      if (campaigns.stopped().length === 0) throw new Error('goes on')`,
      { given: { slice }, testFile: '/app/campaigns.spec.cjs' },
    )
    expect(text).toMatch(/^Last write wins on campaigns: refresh#1 wrote \[…{…"paused":false}\] over the \[…{…"paused":true}\] of stop#1\./)
  })

  const cache = `
    let name = 'Ann'
    const entry = { value: undefined, pending: undefined }
    const ask = async () => { await null; const found = name; await null; return found }
    const load = async () => { const found = await ask(); entry.value = found; entry.pending = undefined; return found }
    const get = async () => { if (entry.value !== undefined) return entry.value; entry.pending ??= load(); return entry.pending }`

  test('is told where both have looked for a value that was not there, as the caller of the first has for both', async () => {
    const text = await headlineOf(`${cache}
      const first = get()
      await null
      name = 'Bea'
      entry.value = entry.pending = undefined
      await get()
      await first
      if (entry.value !== 'Bea') throw new Error('old')`)
    expect(text).toMatch(/^Last write wins on entry\.value: load#1 wrote "Ann" over the "Bea" of load#2\./)
  })

  test('is not told where both make the same', async () => {
    const text = await headlineOf(`
      const pool = { connection: undefined }, opened = []
      const connect = async () => { const connection = { open: true }; opened.push(connection); await null; return connection }
      const get = async () => { if (!pool.connection) pool.connection = await connect(); return pool.connection }
      await Promise.all([get(), get()])
      if (opened[0] !== pool.connection) throw new Error('another')`)
    expect(text).toMatch(/^Double initialisation on pool\.connection: /)
  })

  test('what changes nothing has made no answer stale', async () => {
    const text = await headlineOf(`
      let session
      const clear = async () => { await null; session = undefined }
      const restore = async () => { await null; await null; session = 'bob' }
      const logIn = async (user) => { if (session) return; await null; await null; await null; session = user }
      await Promise.all([logIn('ann'), clear(), restore()])
      if (session !== 'bob') throw new Error('another')`)
    expect(text).toMatch(/^Check-then-act on session: logIn#1 read undefined, then restore#1 wrote "bob", then logIn#1 still wrote "ann"\./)
  })

  test('a flag that another one has set is lost with what is done for oneself', async () => {
    const text = await headlineOf(`
      let promise
      const create = async (fails) => { await null; if (fails) throw new Error('refused'); return {} }
      const open = async (fails) => { try { return await create(fails) } catch (error) { promise = undefined; throw error } }
      const rotate = async () => { await null; await null; await null; promise = open(false); return promise }
      promise = open(true)
      const [, second] = await Promise.all([promise.catch(() => {}), rotate()])
      if (promise === undefined) throw new Error('gone')`)
    expect(text).toMatch(/^Lost update on promise: open#1 wrote undefined over the \[Promise\] of rotate#1\./)
  })
})

describe('what is looked at too early or too late', () => {
  const watch = (unmount: string): string => `
    const listeners = new Set()
    let stop
    const subscribe = async () => { await null; listeners.add('block'); return () => { listeners.delete('block') } }
    const mount = async () => { stop = await subscribe() }
    const leave = async () => { await null; await null; await null; ${unmount} }
    await Promise.all([mount(), leave()])
    if (listeners.size > 0) throw new Error('listens')`

  test('is told, and not that what is put there replaces nothing', async () => {
    const text = await headlineOf(watch('stop?.(); stop = undefined'))
    expect(text).toMatch(/^Order violation on stop: leave#1 read undefined before mount#1 wrote \[function/)
  })

  test('but what is given without a look is given over that', async () => {
    const text = await headlineOf(`
      const field = { error: 'unknown' }
      const check = async (name) => { await null; return name === 'ann' ? 'taken' : undefined }
      const change = async (name) => { const error = await check(name); field.error = error }
      await Promise.all([change('ann'), change('anna')])
      if (field.error) throw new Error('old')`)
    expect(text).toMatch(/^Last write wins on field\.error: change#1 wrote "taken" over the undefined of change#2\./)
  })

  test('is told of what another one has taken away', async () => {
    const text = await headlineOf(`
      let running, refreshes = 0, valid = 0
      const send = async (token) => { await null; return token === valid && refreshes > 0 }
      const refresh = async () => { await null; return ++refreshes && ++valid }
      const renew = async () => { running ??= refresh(); const token = await running; running = undefined; return token }
      const get = async () => (await send(0)) || send(await renew())
      const answers = await Promise.all([get(), get()])
      if (!answers.every(Boolean)) throw new Error('401')`)
    expect(text).toMatch(/^Order violation on running: get#2 read undefined after get#1 wrote undefined\./)
  })

  test('is told of a call that ends at once, and of one that goes on', async () => {
    const text = await headlineOf(`
      const idle = new Map([['a', []]])
      const release = async (key) => { await null; if (!idle.has(key)) idle.set(key, []); idle.get(key).push('connection') }
      const purge = async (key) => { idle.delete(key) }
      await Promise.all([release('a'), purge('a')])
      if (idle.size > 0) throw new Error('kept')`)
    expect(text).toMatch(/^Order violation on idle\.get\("a"\): release#1 read false after test removed it\. Nothing makes test wait for release#1\./)
  })
})

describe('what stands in for a server', () => {
  const memory = `
    const entries = new Map()
    const remote = { async get(key) { const found = entries.get(key); await null; return found }, async set(key, value) { await null; entries.set(key, value) } }`
  const cached = `
    const locks = new Map()
    return async (remote, key, load) => {
      const found = await remote.get(key)
      if (found !== undefined) return found
      if (locks.has(key)) return locks.get(key)
      const loading = load().then(async (value) => { await remote.set(key, value); return value })
      locks.set(key, loading)
      try { return await loading } finally { locks.delete(key) }
    }`

  test('is told though it stands in the file of the test', async () => {
    const text = await headlineOf(
      `${memory}
      let loads = 0
      const load = async () => { loads++; return 'stats' }
      await Promise.all([cached(remote, 'user', load), cached(remote, 'user', load)])
      if (loads !== 1) throw new Error('loaded twice')`,
      { given: { cached: madeOf(cached, '/app/cached.cjs') }, testFile: '/app/cached.spec.cjs' },
    )
    expect(text).toMatch(/^Double initialisation on entries\.get\("user"\): /)
  })

  test('but not what the test counts', async () => {
    const text = await headlineOf(
      `let now = 0, most = 0
      const save = saver(async () => { now++; most = Math.max(most, now); await null; now-- })
      await Promise.all([save('a'), save('b')])
      if (most > 1) throw new Error('two at once')`,
      { given: { saver: madeOf('let isSaving = false; return (put) => async (text) => { if (isSaving) return; await null; isSaving = true; await put(text); isSaving = false }', '/app/saver.cjs') }, testFile: '/app/saver.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on isSaving: /)
  })
})

describe('a number that says whether something is free', () => {
  test('is a check, if nobody writes there who finds it taken', async () => {
    const text = await headlineOf(`
      const row = { locked: 0 }
      let runs = 0
      const read = async () => { await null; return row.locked }
      const lock = async () => { if ((await read()) === 1) return false; await null; row.locked = 1; runs++; return true }
      await Promise.all([lock(), lock()])
      if (runs !== 1) throw new Error('both')`)
    expect(text).toMatch(/^Check-then-act on row\.locked: lock#\d read 0, then lock#\d wrote 1, then lock#\d still wrote 1\./)
  })

  test('and one that is counted on is lost', async () => {
    const text = await headlineOf(`
      const row = { count: 0 }
      const read = async () => { await null; return row.count }
      const add = async () => { const count = await read(); await null; row.count = count + 1 }
      await Promise.all([add(), add()])
      if (row.count !== 2) throw new Error('lost')`)
    expect(text).toMatch(/^Lost update on row\.count: /)
  })
})

test('a waiter that has given up is woken in vain: what it was to be given is lost', async () => {
  const text = await headlineOf(`
    let free = 1
    const queue = []
    const acquire = async () => {
      if (free > 0) { free--; return true }
      return new Promise((resolve) => { setTimeout(() => resolve(false), 50); queue.push(() => resolve(true)) })
    }
    const release = () => { const next = queue.shift(); if (next) next(); else free++ }
    const use = async (ms) => { if (!(await acquire())) return; await new Promise((resolve) => setTimeout(resolve, ms)); release() }
    await Promise.all([use(60), use(10)])
    if (free !== 1) throw new Error('leaked')`)
  expect(text).toMatch(/^Order violation on promise: timer#1 fulfilled it with false, then use#1 came second and would have fulfilled it with true\. Nothing makes timer#1 wait for use#1\./)
})

test('what two do to one another who both hold what is for one comes of the look by which they both took it', async () => {
  const text = await headlineOf(`
    const worker = { busy: false, task: undefined, done: [] }
    const warmUp = async () => {}
    const execute = async (task) => { worker.task = task; await null; worker.done.push(worker.task); worker.task = undefined }
    const run = async (task) => {
      if (worker.busy) return
      await warmUp()
      worker.busy = true
      await execute(task)
      worker.busy = false
    }
    await Promise.all([run('crop'), run('resize')])
    if (worker.done.includes(undefined)) throw new Error('no task')`)
  expect(text).toMatch(/^Check-then-act on worker\.busy: run#\d read false, then run#\d wrote true, then run#\d still wrote true\./)
})

test('whoever has begun a call, and looks for it, is no party of a write skew', async () => {
  const text = await headlineOf(`
    let name = 'Ann'
    const entry = { value: undefined }
    const load = async () => { await null; const found = name; await null; entry.value = found }
    const get = () => { if (entry.value === undefined) return load() }
    const first = get()
    await null
    name = 'Bea'
    await first
    if (entry.value !== 'Bea') throw new Error('old')`)
  expect(text).toMatch(/^Check-then-act on name: load#1 read "Ann", then test wrote "Bea", then load#1 still wrote entry\.value = "Ann"\./)
})

test('a list that another one has made, and to which something is put, is not made twice', async () => {
  const text = await headlineOf(`
    const streams = new Map()
    const read = async (name) => { await null; return [...(streams.get(name) ?? [])] }
    const append = async (name, event) => { await null; const events = streams.get(name) ?? []; events.push(event); streams.set(name, events) }
    const handle = async (type) => { const history = await read('order'); await append('order', { version: history.length + 1, type }) }
    await Promise.all([handle('paid'), handle('sent')])
    const [one, other] = await read('order')
    if (one.version === other.version) throw new Error('one version')`)
  expect(text).toMatch(/^Check-then-act on streams\.get\("order"\): /)
})

describe('a state, of which there are a few', () => {
  const breaker = madeOf(
    `let state = 'open'
    return async (isReady, act) => {
      if (state !== 'open') throw new Error('probing')
      if (!(await isReady())) throw new Error('open')
      state = 'half-open'
      await act()
      state = 'closed'
    }`,
    '/app/breaker.cjs',
  )

  test('is checked, also where only what the test counts of it comes out well in another order', async () => {
    const text = await headlineOf(
      `let now = 0, most = 0
      const probe = async () => { now++; most = Math.max(most, now); await null; now-- }
      await Promise.all([fire(async () => true, probe), fire(async () => true, probe)])
      if (most > 1) throw new Error('two probes')`,
      { given: { fire: breaker }, testFile: '/app/breaker.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on state: \S+#2 read "open", then \S+#1 wrote "half-open", then \S+#2 still wrote "half-open"\./)
  })

  test('and a text that both put something to is lost', async () => {
    const text = await headlineOf(`
      let log = '-'
      const add = async (letter) => { const before = log; await null; log = before + letter }
      await Promise.all([add('a'), add('a')])
      if (log !== '-aa') throw new Error('lost')`)
    expect(text).toMatch(/^Lost update on log: /)
  })
})

test('who takes away what it has found there overwrites nobody', async () => {
  const text = await headlineOf(`
    const doc = { clients: new Set(['ann']) }
    const loaded = new Map()
    loaded.set('plan', doc)
    const join = async (client) => { await null; await null; await null; doc.clients.add(client) }
    const leave = async (name, client) => { const { clients } = loaded.get(name); clients.delete(client); if (clients.size > 0) return; await null; loaded.delete(name) }
    await Promise.all([join('bob'), leave('plan', 'ann')])
    if (loaded.get('plan') !== doc) throw new Error('unloaded')`)
  expect(text).toMatch(/^Order violation on clients\.size: leave#1 read 0 before join#1 added "bob"\. Nothing makes leave#1 wait for join#1\./)
})

describe('names', () => {
  test('of what a function returns, and of what is called where it stands', async () => {
    const text = await headlineOf(`
      const box = { n: 0 }
      const adder = (by) => async () => { const { n } = box; await null; box.n = n + by }
      const add = adder(1)
      const other = (async () => { const { n } = box; await null; box.n = n + 2 })()
      await Promise.all([add(), other])
      if (box.n !== 3) throw new Error('lost')`)
    expect(text).toMatch(/^Lost update on box\.n: adder\(\)#1 wrote 1 from a value read before other#1 wrote 2\./)
  })

  test('of who listens to what', async () => {
    const text = await headlineOf(`
      const controller = new AbortController()
      const cancel = async () => { await null; await null; controller.abort() }
      const socket = { isOpen: true }
      const send = async () => { if (controller.signal.aborted) return void (socket.isOpen = false); await null; await null; controller.signal.addEventListener('abort', () => { socket.isOpen = false }) }
      await Promise.all([send(), cancel()])
      if (socket.isOpen) throw new Error('open')`)
    expect(text).toMatch(/^Check-then-act on signal\.aborted: send#1 read false, then cancel#1 wrote true, then send#1 still changed listeners of signal for "abort" to 1\./)
  })

  test('of texts with quotes in them, of lists of one, of functions and of what is put to a Set', async () => {
    const code = (value: string): string => `
      const box = { value: undefined }, made = new Set()
      const put = async (value) => { await null; box.value = value }
      const take = async () => { await null; if (box.value === undefined) throw new Error('nothing') }
      await Promise.all([put(${value}), take()])`
    expect(await headlineOf(code('JSON.stringify({ a: 1 })'))).toContain(`wrote '{"a":1}'.`)
    expect(await headlineOf(code('["a text that is too long to be shown"]'))).toContain('wrote [1 item].')
    expect(await headlineOf(code('(() => () => {})()'))).toContain('wrote [function].')
    const text = await headlineOf(`
      const open = new Set()
      const use = async (id) => { if (open.size > 0) return; await null; open.add({ id }) }
      await Promise.all([use(1), use(2)])
      if (open.size !== 1) throw new Error('both')`)
    expect(text).toMatch(/^Check-then-act on open\.size: use#2 read 0, then use#1 added \{"id":1\}, then use#2 still added \{"id":2\}\./)
  })

  test('of what empties a list, and of what takes one away', async () => {
    const emptied = await headlineOf(`
      const shelves = []
      const refresh = async () => { shelves.length = 0; await null; shelves.push('pen') }
      await Promise.all([refresh(), refresh()])
      if (shelves.length !== 1) throw new Error('twice')`)
    expect(emptied).toMatch(/^Order violation on shelves: refresh#1 pushed "pen" after refresh#2 emptied it\./)
    const taken = await headlineOf(`
      const pending = new Set(['a'])
      const flush = async () => { if (pending.size === 1) { await null; for (const one of pending) pending.delete(one) } }
      const add = async () => { pending.add('b') }
      await Promise.all([flush(), add()])
      if (!pending.has('b')) throw new Error('lost')`)
    expect(taken).toMatch(/^Check-then-act on pending\.size: flush#1 read 1, then test added "b", then flush#1 removed "a"\./)
  })

  test('of what stands in a list that is never read by its elements', async () => {
    const text = await headlineOf(`
      const messages = []
      messages.push({ sent: false })
      let published = 0
      const unsent = async () => { await null; return messages.filter(({ sent }) => !sent) }
      const poll = async () => { for (const message of await unsent()) { await null; published++; message.sent = true } }
      await Promise.all([poll(), poll()])
      if (published !== 1) throw new Error('twice')`)
    expect(text).toMatch(/^Check-then-act on messages\[0\]\.sent: /)
  })
})

describe('a number that was looked at, and is replaced by what was answered', () => {
  test('is not lost by the look, as the answers come in another order', async () => {
    const text = await headlineOf(`
      const bucket = { remaining: 5 }
      let left = 5
      const send = async () => { const remaining = --left; await null; return remaining }
      const run = async () => { if (bucket.remaining <= 0) throw new Error('limited'); bucket.remaining = await send() }
      await Promise.all([run(), run()])
      if (bucket.remaining !== 3) throw new Error('wrong')`)
    expect(text).toMatch(/^Last write wins on bucket\.remaining: run#1 wrote 4 over the 3 of run#2\./)
  })
})

describe('who looks again, and gives up', () => {
  const put = `
    const docs = new Map()
    const get = async (id) => { await null; return docs.get(id) }
    const put = async (id, { rev }) => { await null; const stored = docs.get(id); if ((stored?.rev ?? 0) !== rev) throw new Error('conflict'); docs.set(id, { rev: rev + 1 }) }`

  test('has found something else in between', async () => {
    const text = await headlineOf(`${put}
      const upsert = async (id) => put(id, (await get(id)) ?? { rev: 0 })
      await Promise.all([upsert('page'), upsert('page')])`)
    expect(text).toMatch(/^Check-then-act on docs\.get\("page"\): upsert#2 read undefined, then upsert#1 wrote \{"rev":1\}, then upsert#2 found \{"rev":1\}\./)
  })

  test('but not who looks too early, and goes on', async () => {
    const text = await headlineOf(`${put}
      const create = async (id) => put(id, { rev: 0 })
      const show = async (id) => { const early = await get(id); await null; await get(id); return early }
      const [, shown] = await Promise.all([create('page'), show('page')])
      if (!shown) throw new Error('nothing')`)
    expect(text).toMatch(/^Order violation on docs\.get\("page"\): show#1 read undefined before put#1 wrote \{"rev":1\}\./)
  })
})

test('who takes what it finds under a name that two use has no part in a lock', async () => {
  const text = await headlineOf(`
    const files = new Map()
    const write = async (name, text) => { await null; files.set(name, text) }
    const rename = async (from, to) => { await null; const text = files.get(from); if (text === undefined) throw new Error('ENOENT'); files.delete(from); files.set(to, text) }
    const save = async (text) => { await write('a.tmp', text); await rename('a.tmp', 'a') }
    await Promise.all([save('one'), save('two')])`)
  expect(text).toMatch(/^Last write wins on files\.get\("a\.tmp"\): save#2 wrote "two" over the "one" of save#1, which then read "two"\./)
})
