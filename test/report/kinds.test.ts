import { expect, test, vi } from 'vitest'
import { investigated } from './executed.ts'

/** What each kind is told of, and what looks like it and is none. */
const kinds: Record<string, readonly [kind: string, code: string]> = {
  'a value made from an older one is a lost update': ['lost-update', `
    const box = { n: 0 }
    const add = async () => { await null; const n = box.n; await null; box.n = n + 1 }
    await Promise.all([add(), add()])
    if (box.n !== 2) throw new Error('lost')`],
  'also where there was none yet': ['lost-update', `
    const cart = new Map()
    const add = async (key, count) => { const there = cart.get(key) ?? 0; await null; cart.set(key, there + count) }
    await Promise.all([add('tea', 2), add('tea', 3)])
    if (cart.get('tea') !== 5) throw new Error('lost')`],
  'what is put into a list that was sent and then gives way to an empty one is lost': ['lost-update', `
    let buffer = ['start']
    const sent = []
    const flush = async () => { const batch = buffer.slice(); await null; sent.push(...batch); buffer = [] }
    const count = async (name) => { await null; buffer.push(name) }
    await Promise.all([flush(), count('click')])
    await flush()
    if (sent.length !== 2) throw new Error('lost')`],
  'what is put there before it is sent is not': ['order-violation', `
    let buffer = ['start']
    const sent = [], ready = { shown: false }
    const flush = async () => { await null; const batch = buffer; buffer = []; await null; sent.push(...batch); if (!ready.shown) throw new Error('not shown') }
    const count = async (name) => { await null; await null; await null; await null; buffer.push(name); ready.shown = true }
    await Promise.all([flush(), count('click')])`],
  'what is found again where it is written is no more than what is replaced': ['lost-update', `
    let state = { balance: 100, version: 0 }
    const dispatch = (balance) => { state = { ...state, balance } }
    const withdraw = async (amount) => { const { balance } = state; await null; dispatch(balance - amount) }
    await Promise.all([withdraw(30), withdraw(50)])
    if (state.balance !== 20) throw new Error('lost')`],
  'but what is taken from what is found again is checked too early': ['check-then-act', `
    const project = { spent: 0 }
    const book = async (amount) => { if (project.spent + amount > 100) throw new Error('too much'); await null; project.spent += amount }
    await Promise.allSettled([book(60), book(60)])
    if (project.spent > 100) throw new Error('over budget')`],
  'what another one has left there is lost where what was there before is taken away': ['lost-update', `
    const saver = { pending: 'a' }, written = []
    const drain = async () => { await null; const next = saver.pending; await null; await null; written.push(next); saver.pending = undefined }
    const save = async (text) => { await null; await null; saver.pending = text }
    await Promise.all([drain(), save('b')])
    if (saver.pending === undefined && !written.includes('b')) throw new Error('lost')`],
  'a count of those who are in there, which each checks before it goes in': ['check-then-act', `
    const room = { inside: 0, most: 0 }
    const enter = async () => { if (room.inside >= 1) return; await null; room.inside++; room.most = Math.max(room.most, room.inside); await null; room.inside-- }
    await Promise.all([enter(), enter()])
    if (room.most > 1) throw new Error('both inside')`],
  'a check in a function that is not async, and its act in a callback': ['check-then-act', `
    const wallet = { coins: 10 }
    const confirm = async () => true
    const spend = (amount) => wallet.coins < amount ? Promise.reject(new Error('too poor')) : confirm().then(() => { wallet.coins -= amount })
    await Promise.allSettled([spend(7), spend(7)])
    if (wallet.coins < 0) throw new Error('spent twice')`],
  'a count of those who wait that is lost leaves all waiting': ['lost-update', `
    const barrier = { arrived: 0, waiting: [] }
    const arrive = async () => {
      const place = barrier.arrived + 1
      await null
      barrier.arrived = place
      if (barrier.arrived === 2) for (const go of barrier.waiting) go()
      else await new Promise((go) => barrier.waiting.push(go))
    }
    await Promise.all([arrive(), arrive()])`],
  'so is a flag that is taken back too late': ['lost-update', `
    const list = { dirty: true }
    const save = async () => { await null; await null; list.dirty = false }
    const insert = async () => { await null; await null; await null; list.dirty = true }
    await Promise.all([save(), insert()])
    if (!list.dirty) throw new Error('not saved')`],
  'what is made twice is initialised twice': ['double-initialisation', `
    let client
    const connect = async () => { await null; return { socket: {} } }
    const get = async () => { await null; if (!client) { const made = await connect(); client = made } return client }
    const [a, b] = await Promise.all([get(), get()])
    if (a !== b) throw new Error('two clients')`],
  'so is what is loaded twice, because a flag says so too late': ['double-initialisation', `
    const db = { loaded: false, data: undefined }
    const load = async () => { await null; return {} }
    const push = async (key) => { await null; if (!db.loaded) { const data = await load(); db.data = data; db.loaded = true } db.data[key] = 1 }
    await Promise.all([push('a'), push('b')])
    if (Object.keys(db.data).length !== 2) throw new Error('lost')`],
  'what is paid twice because of a flag is not': ['check-then-act', `
    const order = { paid: false }, payments = []
    const pay = async () => { await null; if (order.paid) return; await null; payments.push({ amount: 1 }); order.paid = true }
    await Promise.all([pay(), pay()])
    if (payments.length !== 1) throw new Error('paid twice')`],
  'nor is a list of entries, to which each of the two has put one': ['check-then-act', `
    const hits = new Map()
    const allow = async (user, now) => {
      const recent = (hits.get(user) ?? []).filter((time) => time > now - 1000)
      if (recent.length >= 1) return false
      await null
      recent.push(now)
      hits.set(user, recent)
      return true
    }
    const answers = await Promise.all([allow('ann', 5), allow('ann', 5)])
    if (answers.every((ok) => ok)) throw new Error('two')`],
  'so is what is looked for in one callback, and put there in another one': ['double-initialisation', `
    const cache = new Map()
    const get = (key, done) => process.nextTick(() => done(cache.get(key)))
    const put = (key, value, done) => process.nextTick(() => { cache.set(key, value); done() })
    let loads = 0
    const load = () => new Promise((resolve) => get('a', (found) => { if (found) return resolve(found); loads++; put('a', 'A', () => resolve('A')) }))
    await Promise.all([load(), load()])
    if (loads !== 1) throw new Error('loaded twice')`],
  'and what is put there by a call that nobody waits for': ['double-initialisation', `
    const cache = new Map()
    let loads = 0
    const put = async (key, value) => { await null; cache.set(key, value) }
    const get = async (key) => { await null; const found = cache.get(key); if (found) return found; loads++; await null; put(key, 'A'); return 'A' }
    await Promise.all([get('a'), get('a')])
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (loads !== 1) throw new Error('loaded twice')`],
  'or by one that is still on its way when the test looks': ['double-initialisation', `
    const map = new Map()
    let loads = 0
    const get = async (key) => { await null; return map.get(key) }
    const persist = async (key, value) => { await null; await null; map.set(key, value) }
    const cached = async (key) => { const found = await get(key); if (found) return found; loads++; await null; persist(key, 'A'); return 'A' }
    await Promise.all([cached('a'), cached('a')])
    if (loads !== 1) throw new Error('loaded twice')`],
  'what the test has looked at before all others is no check of theirs': ['last-write-wins', `
    const page = { shown: '' }
    const show = async (text) => { await null; page.shown = text }
    if (page.shown !== '') throw new Error('shown')
    await null
    await Promise.all([show('a'), show('b')])
    if (page.shown !== 'b') throw new Error('outdated')`],
  'what was put into a list that is replaced is lost, though nothing is sent of an empty one': ['lost-update', `
    const hub = { pending: [] }, sent = []
    const send = async (batch) => { const copy = [...batch]; await null; sent.push(...copy) }
    const flush = async () => { if (hub.pending.length === 0) return; await send(hub.pending); hub.pending = [] }
    const source = async () => { for (const event of ['a', 'b']) { hub.pending.push(event); await null } }
    await Promise.all([source(), flush()])
    await flush()
    if (sent.length !== 2) throw new Error('lost')`],
  'what is claimed twice is not': ['check-then-act', `
    const seat = { owner: undefined }
    const claim = async (who) => { await null; if (seat.owner) return false; await null; seat.owner = who; return true }
    const claimed = await Promise.all([claim('ann'), claim('bob')])
    if (claimed.every(Boolean)) throw new Error('both')`],
  'each acts on what the other one changes': ['write-skew', `
    const ann = { onCall: true }, bob = { onCall: true }
    const leave = async (who, other) => { await null; if (other.onCall) { await null; who.onCall = false } }
    await Promise.all([leave(ann, bob), leave(bob, ann)])
    if (!ann.onCall && !bob.onCall) throw new Error('nobody')`],
  'only one acts on what the other one changes': ['check-then-act', `
    const door = { open: true }, room = { people: 0 }
    const enter = async () => { await null; if (door.open) { await null; room.people = room.people + 1 } }
    const close = async () => { await null; door.open = false; if (room.people > 9) room.people = 9 }
    await Promise.all([enter(), close()])
    if (!door.open && room.people === 1 && door.seen === undefined) throw new Error('inside')`],
  'both have looked at what was there, and the later of two writes wins all the same': ['last-write-wins', `
    const page = { shown: 'none' }
    const show = async (what) => { const before = page.shown; await null; await null; page.shown = what; return before }
    await Promise.all([show('old'), (async () => show('new'))()])
    if (page.shown !== 'new') throw new Error('old')`],
  'the later of two writes wins': ['last-write-wins', `
    const page = { shown: '' }
    const show = async (what) => { await null; page.shown = what }
    await Promise.all([show('old'), show('new')])
    if (page.shown !== 'new') throw new Error('old')`],
  'the later of two writes of one line wins, also where it has found nothing': ['last-write-wins', `
    const page = { found: ['first'] }
    const search = async (what) => { await null; page.found = what === 'old' ? [] : [what] }
    await Promise.all([search('old'), search('new')])
    if (page.found.length === 0) throw new Error('nothing found')`],
  'what is read before it is there comes in the wrong order': ['order-violation', `
    const config = { url: undefined }
    const load = async () => { await null; await null; config.url = 'x' }
    const use = async () => { await null; if (config.url === undefined) throw new Error('not loaded') }
    await Promise.all([load(), use()])`],
  'what has changed since it was read is stale': ['stale-read', `
    const rate = { euro: 2 }
    const pay = async () => { await null; const euro = rate.euro; await null; await null; return euro }
    const change = async () => { await null; await null; rate.euro = 3 }
    const [paid] = await Promise.all([pay(), change()])
    if (paid !== 3) throw new Error('old rate')`],
  'somebody takes away what another one holds': ['wrong-holder-release', `
    const lock = { holder: undefined }
    const inside = []
    const work = async (who) => { await null; lock.holder = who; await null; lock.holder = undefined }
    const check = async (who) => { await null; lock.holder = who; await null; await null; if (lock.holder === undefined) throw new Error('not mine') ; lock.holder = undefined }
    await Promise.all([work('a'), check('b')])`],
  'somebody takes back what was its own': ['order-violation', `
    const lock = { holder: undefined }
    const work = async () => { await null; lock.holder = 'a'; await null; lock.holder = undefined }
    const look = async () => { await null; await null; await null; if (lock.holder === undefined) throw new Error('nobody') }
    await Promise.all([work(), look()])`],
  'two wait for each other': ['deadlock', `
    const locks = [false, false], waiting = [[], []]
    const take = async (i) => { while (locks[i]) await new Promise((wake) => waiting[i].push(wake)); locks[i] = true }
    const both = async (i, j) => { await take(i); await null; await take(j) }
    await Promise.all([both(0, 1), both(1, 0)])`],
  'one waits for what it holds': ['self-deadlock', `
    const lock = { held: false, waiting: [] }
    const take = async () => { if (lock.held) await new Promise((wake) => lock.waiting.push(wake)); lock.held = true }
    const give = async () => { await null; lock.held = false; lock.waiting.shift()?.() }
    const other = async () => { await null; lock.waiting.length }
    await Promise.all([(async () => { await take(); await null; await take() })(), other()])`],
  'an object with a count in it that both have counted on is not made twice': ['check-then-act', `
    const cache = new Map([['a', { count: 1 }]])
    const get = async (key) => cache.get(key)
    const set = async (key, value) => { cache.set(key, value) }
    const check = async (key) => { const { count } = await get(key); if (count >= 2) return false; await set(key, { count: count + 1 }); return true }
    const allowed = await Promise.all([check('a'), check('a')])
    if (allowed.filter(Boolean).length !== 1) throw new Error('too many')`],
  'a number that is kept as a text': ['lost-update', `
    const file = { text: '0' }
    const add = async () => { const seen = Number(file.text); await null; file.text = String(seen + 1) }
    await Promise.all([add(), add()])
    if (file.text !== '2') throw new Error('lost')`],
  'one waits for what was handed over to it': ['self-deadlock', `
    const lock = { free: 1, waiting: [] }
    const take = () => new Promise((wake) => { if (lock.free > 0) { lock.free -= 1; wake() } else lock.waiting.push(wake) })
    const give = () => { lock.free += 1; const next = lock.waiting.shift(); if (next) { lock.free -= 1; next() } }
    const holding = async (work) => { await take(); try { return await work() } finally { give() } }
    await Promise.all([holding(async () => { await null }), holding(async () => { await null; await holding(async () => {}) })])`],
  'a rejection that is handled too late': ['unhandled-rejection', `
    const fail = async () => { await null; throw new Error('late') }
    const failing = fail()
    await null; await null; await null
    await failing.catch(() => {})`],
  'one has ended with what another one waits for': ['leaked-permit', `
    const lock = { held: false, waiting: [] }
    const take = async () => { if (lock.held) await new Promise((wake) => lock.waiting.push(wake)); lock.held = true }
    const give = () => { lock.held = false; lock.waiting.shift()?.() }
    const work = async (fails) => { await take(); await null; if (fails) return; give() }
    await Promise.all([work(true), (async () => { await null; await null; await work(false) })()])`],
  'the wakeup comes before somebody waits': ['lost-wakeup', `
    const state = { done: false, wake: undefined }
    const waiter = async () => { await null; if (!state.done) { await null; await new Promise((resolve) => { state.wake = resolve }) } }
    const worker = async () => { await null; state.done = true; state.wake?.() }
    await Promise.all([waiter(), worker()])`],
  'nobody wakes those who wait when something becomes free': ['lost-wakeup', `
    const pool = { free: 0, waiting: [] }
    const acquire = async () => { pool.waiting.push(1); if (pool.free === 0) await new Promise((wake) => pool.waiting.push(wake)); return 1 }
    const destroy = async () => { await null; pool.waiting.length; pool.free = 1 }
    await Promise.all([acquire(), destroy()])`],
  'nothing settles what is waited for': ['never-settled', `
    const stats = { calls: 0 }
    const count = async () => { await null; stats.calls = stats.calls + 1 }
    await Promise.all([count(), count(), new Promise(() => {})])`],
  'a rejection that nothing handles': ['unhandled-rejection', `
    const fail = async () => { await null; throw new Error('nobody looks') }
    fail()
    await null`],
  'loops that ask for what nobody changes': ['livelock', `
    const state = { ready: false }
    const ask = async () => { while (!state.ready) await null }
    await Promise.all([ask(), ask()])`],
}

test.each(Object.entries(kinds))('%s', async (_, [kind, code]) => {
  const { explanation } = await investigated(code)
  expect({ kind: explanation.kind, headline: explanation.headline }).toMatchObject({ kind })
})

test('a timeout that comes before the work that it guards has won', async () => {
  const guarded = `
    const state = { value: undefined }
    const work = async () => { await null; await null; state.value ??= 'done' }
    const timeout = new Promise((resolve) => setTimeout(() => { state.value ??= 'late'; resolve() }, 50))
    await Promise.all([work(), timeout])
    if (state.value !== 'done') throw new Error('late')`
  const { explanation } = await investigated(guarded, { time: 'race' })
  expect(explanation.kind).toBe('timeout-wins')
})

test('also where what it rejects is passed on before', async () => {
  const { explanation } = await investigated(`
    const charges = []
    const settle = vi.fn(async () => {})
    const gateway = { charge: vi.fn(async (amount) => { await settle(); charges.push(amount); return 'r' + charges.length }) }
    const pay = async (amount) => {
      const timeout = new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), 3000))
      try { return await Promise.race([gateway.charge(amount), timeout]) } catch { return gateway.charge(amount) }
    }
    await pay(10)
    if (charges.length !== 1) throw new Error('twice')`, { time: 'race', given: { vi } })
  expect(explanation.headline).toMatch(/^Timeout wins on Promise\.race: timer#1 rejected it with Error\("timeout"\), then charge#1 came second and would have fulfilled it with "r1"\. Nobody gets that\./)
})

test.each(['await', 'event-loop'] as const)('a flag that is turned by what ends is not written over, if somebody is still at work: %s', async (interleave) => {
  const { explanation } = await investigated(`
    let isOpen = false
    const disk = vi.fn(async () => {})
    const open = vi.fn(async () => { isOpen = true; return { write: async () => { await disk(); if (!isOpen) throw new Error('EBADF') }, close: async () => { isOpen = false } } })
    const store = { handle: undefined,
      async start() { store.handle = await open() },
      async put() { await store.handle.write() },
      async close() { const { handle } = store; store.handle = undefined; await handle.close() } }
    await store.start()
    await Promise.all([store.put(), store.close()])`, { interleave, given: { vi } })
  expect(explanation.headline).toMatch(/^Order violation on isOpen: /)
})

test('who finds nothing makes what another one makes by the same line, though that has never looked, and comes first', async () => {
  const { explanation } = await investigated(`
    let made = 0
    const room = { socket: undefined }
    const dial = vi.fn(async () => ({ id: ++made }))
    const connect = async () => { room.socket = await dial() }
    const ensure = async () => { if (!room.socket) await connect() }
    const again = async () => { await work(); await connect() }
    const work = vi.fn(async () => {})
    await Promise.all([again(), ensure()])
    if (made !== 1) throw new Error('two')`, { interleave: 'event-loop', given: { vi } })
  expect(explanation.headline).toMatch(/^Double initialisation on room\.socket: ensure#1 read undefined before again#1 wrote /)
})
