import { describe, expect, test } from 'vitest'
import { explain, racingPlace, renderText, type ExplainInput } from '../../src/report/index.ts'
import { investigated } from './executed.ts'
import { failing, insert, place, read, step, write } from './recorded.ts'

/** Each holds a lock and waits for the other's. */
const twoLocks = (): ExplainInput => {
  const [a, b] = [{ location: 9001 }, { location: 9002 }]
  return failing(
    'test transfer#1 transfer#2',
    [
      step(
        0,
        [
          read('lock.ts:31', 'lock.held', 'false', { ...a, of: 1 }), write('lock.ts:31', 'lock.held', 'true', { ...a, of: 1 }),
          read('lock.ts:31', 'lock.held', 'false', { ...b, of: 2 }), write('lock.ts:31', 'lock.held', 'true', { ...b, of: 2 }),
        ],
        { spawned: [1, 2] },
      ),
      step(1, [read('lock.ts:31', 'lock.held', 'true', b), write('lock.ts:32', 'queue[0]', '[function resolve]', { location: 9003 })]),
      step(2, [read('lock.ts:31', 'lock.held', 'true', a), write('lock.ts:32', 'queue[0]', '[function resolve]', { location: 9004 })]),
    ],
    {
      kind: 'deadlock',
      waiting: [
        { process: 'test', place: place('bank.spec.ts:9', 'await Promise.all([transfer(a, b), transfer(b, a)])') },
        { process: 'transfer#1', place: place('bank.ts:42', 'await to.acquire()'), inner: [place('lock.ts:32')] },
        { process: 'transfer#2', place: place('bank.ts:42', 'await to.acquire()'), inner: [place('lock.ts:32')] },
      ],
    },
  )
}

describe('who waits for whom is known by what settles the promises', () => {
  const mutex = `
    const mutex = () => { let tail = Promise.resolve(); return { run: (work) => { const result = tail.then(work); tail = result.then(() => {}, () => {}); return result } } }`

  test('two that each begin within the turn of the other one', async () => {
    const { explanation } = await investigated(`${mutex}
      const inbox = mutex(), archive = mutex()
      const move = async (from, to) => { await from.run(async () => { await to.run(async () => {}) }) }
      await Promise.all([move(inbox, archive), move(archive, inbox)])`)
    expect(explanation).toMatchObject({
      kind: 'deadlock',
      headline: expect.stringMatching(/^Deadlock: move#1 waits for move#2 and move#2 waits for move#1\./),
      rows: [{ text: 'waits for to.run(async () => {})', note: 'for move#2' }, { text: 'waits for to.run(async () => {})', note: 'for move#1' }],
    })
  })

  test('one that waits for its own end', async () => {
    const { explanation } = await investigated(`${mutex}
      const lock = mutex()
      const isValid = (text) => lock.run(async () => text.length < 100)
      const save = (text) => lock.run(async function saving() { return isValid(text) })
      const keep = (text) => lock.run(async function keeping() { if (await isValid(text)) return text })
      await keep('hello')`)
    expect(explanation).toMatchObject({
      kind: 'self-deadlock',
      headline: expect.stringMatching(/^Self-deadlock: keeping#1 waits for isValid\(text\), which waits for keeping#1 to end\./),
      rows: [{ text: "waits for keep('hello')" }, { text: 'waits for isValid(text)' }],
      alsoWaiting: [],
    })
  })

  test('and who waits for the others to end does not hold what it has made for them', async () => {
    const { explanation } = await investigated(`
      const lock = { free: 1, queue: [] }
      const acquire = async () => { if (lock.free > 0) lock.free--; else { await new Promise((wake) => lock.queue.push(wake)); lock.queue.length } }
      lock.queue = [null]
      const task = async (fails) => { await acquire(); if (fails) throw new Error('failed'); lock.queue.shift()?.() }
      await Promise.allSettled([task(true), task(false)])`)
    expect(explanation.headline).not.toMatch(/waits for test/)
  })

  test('two calls that wait for one another', async () => {
    const { explanation } = await investigated(`
      const ends = {}
      const ping = async () => { await null; await ends.pong }
      const pong = async () => { await null; await ends.ping }
      ends.ping = ping()
      ends.pong = pong()
      await ends.ping`)
    expect(explanation.headline).toMatch(/^(?:Dead|Self-dead)lock: /)
    expect(explanation.rows.length).toBeGreaterThan(0)
  })

  test.each(['mutex().run(() => new Promise(() => {}))', 'Promise.race([lock.run(async () => {}), new Promise(() => {})])'])('but not where somebody else might settle what they wait for: %s', async (awaited) => {
    const { explanation } = await investigated(`${mutex}
      const lock = mutex()
      await lock.run(async () => { await ${awaited} })`)
    expect(explanation.kind).toMatch(/^(?:never-settled|deadlock)$/)
    expect(explanation.headline).toMatch(/ for ever; nothing is left that could go on\./)
  })
})

describe('who has taken the last permit holds what others wait for', () => {
  const semaphores = (release: string): string => `
    const semaphore = () => ({ free: 1, waiting: [] })
    const acquire = async (one) => { if (one.free > 0) { one.free--; return } await new Promise((wake) => one.waiting.push(wake)) }
    const release = (one) => { ${release} }
    const files = semaphore(), database = semaphore()
    const both = async (first, second) => { await acquire(first); await acquire(second); release(second); release(first) }`

  test('two in opposite order', async () => {
    const { explanation } = await investigated(`${semaphores('const next = one.waiting.shift(); if (next) next(); else one.free++')}
      await Promise.all([both(files, database), both(database, files)])`)
    expect(explanation).toMatchObject({ kind: 'deadlock', headline: expect.stringMatching(/^Deadlock: both#1 waits for both#2 and both#2 waits for both#1\./) })
    expect(explanation.rows.filter(({ note }) => note?.startsWith('set in'))).toHaveLength(2)
  })

  test('but not if it has given that back, and woken nobody', async () => {
    const { explanation } = await investigated(`${semaphores('one.free++; one.waiting.length')}
      await Promise.all([both(files, database), both(files, database)])`)
    expect(explanation.headline).not.toMatch(/both#\d waits for both#\d/)
  })
})

describe('calls that wait for each other to end, and that others have begun', () => {
  const loads = `
    const loaded = new Map(), answer = async () => {}
    const load = (k, dep) => { const p = (async () => { await answer(); const other = loaded.get(dep); if (other) await other; loaded.delete(k) })(); loaded.set(k, p); return p }
    const later = async () => { for (let i = 0; i < 9; i++) await answer(); await load('b', 'a') }
    await Promise.all([load('a', 'b'), later()])`

  test.each([{}, { interleave: 'event-loop', io: () => 'awaits' } as const])('are two: %o', async (options) => {
    const { explanation } = await investigated(loads, options)
    expect(explanation).toMatchObject({ kind: 'deadlock', headline: expect.stringMatching(/^Deadlock: later#1 waits for p#1 and p#1 waits for later#1\./) })
    expect(explanation.rows.map(({ note }) => note)).toEqual(['for p#1', 'for later#1'])
  })

  test('but one where the one has called the other', async () => {
    const { explanation } = await investigated(`
      let outer
      const inner = async () => { await null; await outer }
      const call = async () => { await null; await inner() }
      outer = call()
      await outer`)
    expect(explanation).toMatchObject({ kind: 'self-deadlock', headline: expect.stringMatching(/^Self-deadlock: /) })
  })
})

describe('what is waited for is told in short', () => {
  test.each([
    ['await new Promise<void>((resolve) => this.waiting.push(resolve))', 'waits for new Promise(…)'],
    ["await Promise.all([latch.arrive('a'), latch.arrive('b')])", 'waits for Promise.all(…)'],
    ['await lock.run(async () => {})', 'waits for lock.run(async () => {})'],
    ['await aVeryLongNameOfSomethingThatIsAwaited.andItsProperty', 'waits for aVeryLongNameOfSomethingThatIsAwaited.a…'],
  ])('%s', (text, told) => {
    const input = failing('close', [step(0, [])], { kind: 'deadlock', waiting: [{ process: 'close', place: place('a.ts:1', text) }] })
    expect(explain(input).rows).toMatchObject([{ text: told }])
  })
})

describe('deadlock', () => {
  test('two locks taken in opposite order: who waits for whom', () => {
    expect(`\n${renderText(explain(twoLocks()), { color: false, indent: 2, width: 120 })}\n`).toBe(`
  Deadlock: transfer#1 waits for transfer#2 and transfer#2 waits for transfer#1.
  execution 2 of 2+

     transfer#1                                       transfer#2
  1  lock.ts:31   update lock#1.held false -> true
  2                                                   lock.ts:31   update lock#2.held false -> true
  3  lock.ts:31   read lock#2.held -> true   <- set in 2
  4  bank.ts:42   waits for to.acquire()   <- for transfer#2
  5                                                   lock.ts:31   read lock#1.held -> true   <- set in 1
  6                                                   bank.ts:42   waits for to.acquire()   <- for transfer#1

  Also waiting: test at bank.spec.ts:9

  Replay: dporTest(name, { replay: '0.1.2' }, ...)  or  -- --dpor.replay=0.1.2
`)
    expect(racingPlace(explain(twoLocks()))).toMatchObject({ shown: 'bank.ts:42' })
  })

  test('a circle of three', () => {
    const locks = [9001, 9002, 9003]
    const input = failing(
      'test a b c',
      [
        step(0, [1, 2, 3].map((of) => write('l.ts:3', 'lock.owner', `"${of}"`, { of, location: locks[of - 1]! })), { spawned: [1, 2, 3] }),
        ...[1, 2, 3].map((process) => step(process, [read('l.ts:5', 'lock.owner', `"${(process % 3) + 1}"`, { location: locks[process % 3]! })])),
      ],
      { kind: 'deadlock', waiting: ['a', 'b', 'c'].map((process) => ({ process, place: place('l.ts:8', 'await turn') })) },
    )
    expect(explain(input).headline).toBe('Deadlock: a waits for b, b waits for c and c waits for a.')
  })

  test('who waits for whom may be known without accesses', () => {
    const input = failing('test a b', [step(0, [], { spawned: [1, 2] }), step(1, []), step(2, [])], {
      kind: 'deadlock',
      waiting: [
        { process: 'a', place: place('l.ts:8', 'await b'), waitsFor: ['b'] },
        { process: 'b', place: place('l.ts:9', 'await a'), waitsFor: ['a'] },
      ],
    })
    expect(explain(input).headline).toBe('Deadlock: a waits for b and b waits for a.')
  })

  test('waiters in one queue are no circle', () => {
    const input = failing('test a b', [
      step(0, [], { spawned: [1, 2] }),
      step(1, [read('q.ts:2', 'queue.length', '0'), write('q.ts:2', 'queue.length', '1')]),
      step(2, [read('q.ts:2', 'queue.length', '1'), write('q.ts:2', 'queue.length', '2')]),
    ], {
      kind: 'deadlock',
      waiting: [{ process: 'a', place: place('q.ts:3', 'await turn') }, { process: 'b', place: place('q.ts:3', 'await turn') }],
    })
    expect(explain(input).headline).toMatch(/^Deadlock: a and b wait for ever; nothing is left that could go on\./)
  })

  test('a lost wakeup: the race before the wait is told', () => {
    const input = failing('test take put', [
      step(0, [read('q.ts:2', 'queue.items', '0', { of: 1 })], { spawned: [1, 2] }),
      step(2, [read('q.ts:9', 'queue.waiter', 'undefined'), write('q.ts:9', 'queue.items', '1')]),
      step(1, [write('q.ts:4', 'queue.waiter', '[function resolve]')]),
    ], { kind: 'deadlock', waiting: [{ process: 'take', place: place('q.ts:4', 'await new Promise((r) => { this.waiter = r })') }] })
    const { kind, headline, rows } = explain(input)
    expect(kind).toBe('lost-wakeup')
    expect(headline).toBe(
      'Deadlock: take waits for ever; nothing is left that could go on. ' +
        'Lost wakeup on queue.items: take read 0, then put wrote 1, then take still wrote queue.waiter = [function resolve].',
    )
    expect(rows.map(({ text }) => text)).toEqual([
      'read queue.items -> 0',
      'write queue.items = 1',
      'write queue.waiter = [function resolve]',
      'waits for new Promise((r) => { this.waiter = r })',
    ])
  })

  test('the await that is shown is where the lock was asked for, not the outermost call', () => {
    const inner = [place('service.ts:29', 'await this.#lock.lock()'), place('mutex.ts:9', 'await new Promise(…)')]
    const input = failing('close', [step(0, [])], {
      kind: 'deadlock',
      waiting: [{ process: 'close', place: place('service.spec.ts:12', 'await service.shutdown()'), inner }],
    })
    expect(explain(input).rows).toMatchObject([{ text: 'waits for this.#lock.lock()', place: { shown: 'service.ts:29' } }])
  })

  test('the test alone waits', () => {
    const input = failing('test', [step(0, [])], { kind: 'deadlock', waiting: [{ process: 'test', place: place('a.spec.ts:3', 'await never') }] })
    expect(explain(input)).toMatchObject({
      headline: 'Deadlock: test waits for ever; nothing is left that could go on.',
      rows: [{ number: 1, process: 0, text: 'waits for never', place: { shown: 'a.spec.ts:3' } }],
      alsoWaiting: [],
    })
  })

  test('nothing is known of who waits', () => {
    expect(explain(failing('test', [], { kind: 'deadlock' })).headline).toBe('Deadlock: nothing can run any more, and the test has not ended.')
  })
})

test('a permit is leaked by a call that began in the same step as the one that waits', async () => {
  const { explanation: { headline, kind } } = await investigated(`
    class Pool {
      free = 1
      waiting = []
      async acquire() { if (this.free > 0) return void this.free--; await new Promise((go) => this.waiting.push(go)) }
      release() { const next = this.waiting.shift(); if (next) next(); else this.free++ }
    }
    const pool = new Pool()
    const query = async (fails) => { await pool.acquire(); await null; if (fails) throw new Error('bad'); pool.release() }
    await Promise.allSettled([query(true), query(false)])`)
  expect(kind).toBe('leaked-permit')
  expect(headline).toContain('Leaked permit on pool.free: query#1 decreased it to 0 and ended without taking that back')
})

describe('a callback that is overwritten before anybody has read it', () => {
  const mailbox = (take: string): string => `
    const items = []
    const box = { onItem: undefined, onEnd: () => {} }
    const put = async (item) => { await null; if (box.onItem) { const give = box.onItem; box.onItem = undefined; give(item) } else items.push(item) }
    const take = async () => items.length > 0 ? items.shift() : new Promise((resolve) => { ${take} })
    box.onEnd = () => {}
    box.onEnd = () => { items.length = 0 }
    await Promise.all([take(), take(), put('a'), put('b')])`

  test('is why somebody waits for ever', async () => {
    const { explanation } = await investigated(mailbox('box.onItem = resolve'))
    expect(explanation).toMatchObject({ kind: 'lost-wakeup', headline: expect.stringContaining('Lost wakeup on box.onItem: take wrote [function] and waits, then another take wrote [function] over it, before anybody looked there.') })
  })

  test('but not where it is another one, from elsewhere', async () => {
    const { explanation } = await investigated(mailbox("if (box.onItem === undefined) box.onItem = resolve"))
    expect(explanation.headline).toMatch(/^Never-settled promise: /)
    expect(explanation.headline).not.toMatch(/before anybody looked there|onEnd/)
  })
})

test('a permit is leaked by whoever comes upon something in a race, and gives up with what it has taken', async () => {
  const { explanation: { headline, kind, rows } } = await investigated(`
    class Pool {
      idle = [1]
      waiting = []
      acquire() { const one = this.idle.pop(); return one ? Promise.resolve(one) : new Promise((resolve) => this.waiting.push(resolve)) }
      release(one) { const next = this.waiting.shift(); if (next) next(one); else this.idle.push(one) }
      async query(signal) {
        const one = await this.acquire()
        if (signal.aborted) throw new Error('aborted')
        try { return await (async () => one)() } finally { this.release(one) }
      }
    }
    const pool = new Pool(), signal = { aborted: false }
    const abort = async () => { await null; signal.aborted = true }
    await Promise.allSettled([pool.query(signal), abort()])
    await pool.query({ aborted: false })`)
  expect(kind).toBe('leaked-permit')
  expect(headline).toContain('Leaked permit on idle.length: query#1 emptied it and ended without taking that back, and test read 0 and waits. Order violation on signal.aborted: query#1 read true after abort#1 wrote true.')
  expect(rows.map(({ text }) => text)).toEqual(['update idle.length 1 -> 0', 'write signal.aborted = true', 'read signal.aborted -> true', 'read idle.length -> 0', 'waits for this.acquire()'])
})

test('a callback that is left after the one before it was called is told, and not a count that was looked at earlier', async () => {
  const { explanation: { headline } } = await investigated(`
    let running = 0, next
    const queue = { drain() {} }
    const release = () => {
      if (next) { const one = next; next = undefined; begin(one) }
      else if (--running === 0) queue.drain()
    }
    const begin = (work) => work().then(release)
    const push = (work) => {
      if (running === 1) next = work
      else { running++; begin(work) }
    }
    const drained = () => new Promise((resolve) => { const before = queue.drain; queue.drain = () => { before(); resolve() } })
    const work = async () => { await null }
    push(work)
    push(work)
    await null
    await drained()`)
  expect(headline).toMatch(/Lost wakeup on queue\.drain: release#2 read \[function drain\] before test wrote \[function\]\./)
})

describe('who holds some of what all wait for', () => {
  const pool = `
    class Pool {
      free = ['a', 'b']; waiting = []
      async acquire() { return this.free.pop() ?? new Promise((resolve) => { this.waiting.push(resolve) }) }
      release(one) { const next = this.waiting.shift(); if (next) next(one); else this.free.push(one) }
    }
    const pool = new Pool()
    const locked = async (work) => { const lock = await pool.acquire(); await null; await work(); pool.release(lock) }
    const insert = async () => { const connection = await pool.acquire(); await null; pool.release(connection) }`

  test.each(['await', 'event-loop'] as const)('each has got one of a pool and waits for another one: %s', async (interleave) => {
    const { explanation } = await investigated(`${pool}
      const open = async () => { await locked(insert) }
      await Promise.all([open(), open()])`, { interleave, io: () => 'awaits' })
    expect(explanation).toMatchObject({
      kind: 'deadlock',
      headline: expect.stringMatching(/^Deadlock: open#1 and open#2 each wait for pool\.acquire\(\) and both hold what they have got from pool\.acquire\(\) before\. .*passes when its calls run one after the other/),
      rows: [{ text: 'gets pool.acquire()' }, { text: 'gets pool.acquire()' }, { text: 'waits for pool.acquire()' }, { text: 'waits for pool.acquire()' }],
    })
  })

  test('but not who has given that back, where one is lost', async () => {
    const { explanation } = await investigated(`${pool}
      pool.release = function (one) { this.free.push(one) }
      const use = async () => { const one = await pool.acquire(); await null; pool.release(one); const other = await pool.acquire(); await null; pool.release(other) }
      await Promise.all([use(), use(), use(), use()])`)
    expect(explanation.headline).not.toMatch(/hold/)
  })
})

test('a circle is told where the locks are taken by calls inside those that wait', () => {
  const [a, b] = [{ location: 9001 }, { location: 9002 }]
  const { kind, headline, rows } = explain(failing(
    'test transfer#1 take#1 transfer#2 take#2 take#3 take#4',
    [
      step(0, [], { spawned: [1, 2, 3, 4, 5, 6] }),
      step(2, [read('lock.ts:31', 'lock.free', '1', a), write('lock.ts:31', 'lock.free', '0', a)]),
      step(4, [read('lock.ts:31', 'lock.free', '1', b), write('lock.ts:31', 'lock.free', '0', b)]),
      step(5, [read('lock.ts:31', 'lock.free', '0', b), write('lock.ts:32', 'queue[0]', '[function resolve]', { location: 9003 })]),
      step(6, [read('lock.ts:31', 'lock.free', '0', a), write('lock.ts:32', 'queue[0]', '[function resolve]', { location: 9004 })]),
    ],
    {
      kind: 'deadlock',
      waiting: [
        { process: 'transfer#1', place: place('bank.ts:41', 'await from.run(work)'), inner: [place('bank.ts:42', 'await to.run(work)')], line: ['transfer#1', 'take#1', 'take#3'] },
        { process: 'transfer#2', place: place('bank.ts:41', 'await from.run(work)'), inner: [place('bank.ts:42', 'await to.run(work)')], line: ['transfer#2', 'take#2', 'take#4'] },
      ],
    },
  ))
  expect(kind).toBe('deadlock')
  expect(headline).toMatch(/^Deadlock: transfer#1 waits for transfer#2 and transfer#2 waits for transfer#1\./)
  // Each begins to wait once the call inside it has looked.
  expect(rows.map(({ note }) => note)).toEqual([undefined, undefined, 'set in 2', 'for transfer#2', 'set in 1', 'for transfer#1'])
})

describe('what is said of who waits for ever', () => {
  test('is no lost wakeup where it has taken away itself what it had left', async () => {
    const { explanation: { kind, headline } } = await investigated(`
      const jobs = (most) => {
        let active = 0, size = 0, head, tail
        const run = () => {
          if (!head || active >= most) return
          active++
          const job = head
          head = head.next
          job.run().then(() => { job.done(); active--; if (--size) run() })
        }
        return {
          add: (run_) => new Promise((done) => { const job = { run: run_, done }; if (head) tail = tail.next = job; else tail = head = job; size++; run() }),
          clear: () => { head = tail = null; size = active },
        }
      }
      const queue = jobs(1)
      const both = Promise.all([queue.add(async () => { await null }), queue.add(async () => { await null })])
      queue.clear()
      await both`)
    expect({ kind, headline }).toMatchObject({ kind: 'never-settled', headline: expect.not.stringContaining('Lost wakeup') })
  })

  const seats = (release: string): string => `
    class Node { constructor(list) { this.owner = list } }
    class List { owner; constructor() { void this.owner; this.owner = { list: this }; this.waiting = [] } push(one) { void this.owner; this.waiting.push(one) } shift() { return this.waiting.shift() } }
    class Seats {
      taken = 0
      queue = new List()
      take() { return new Promise((go) => { if (this.taken < 1) { this.taken++; go() } else this.queue.push(go) }) }
      takeFor() { return new Promise((go) => { if (this.taken++ < 1) go(); else this.queue.push(go) }) }
      async give() { this.taken--; const next = this.queue.shift(); if (next) { ${release} next() } }
    }
    const seats = new Seats()
    const visit = async () => { await seats.takeFor(); await new Promise((end) => setTimeout(end, 1)); await seats.give() }
    await Promise.all([visit(), visit()])
    await seats.take()`

  test.each(['await', 'event-loop'] as const)('is a leaked permit where what was counted up was not counted down: %s', async (interleave) => {
    const { explanation: { kind, headline, rows } } = await investigated(seats('this.taken++;'), { interleave })
    expect({ kind, headline }).toMatchObject({ kind: 'leaked-permit', headline: expect.stringContaining('Leaked permit on seats.taken: ') })
    expect(headline).not.toContain('Self-deadlock')
    if (interleave === 'await') {
      expect(headline).toContain('visit#1 and visit#2 increased it 3 times and decreased it twice, and ended, and test read 1 and waits')
      expect(rows.map(({ text }) => text)).toContain('update taken 1 -> 2')
    }
  })

  test('is no deadlock with itself where a call has ended with a promise that nobody settles any more', async () => {
    const { explanation: { kind, headline } } = await investigated(`
      const worker = { listeners: [] }
      const next = (source) => new Promise((resolve) => { source.listeners.push(resolve) })
      const runJob = async () => { (async () => { await null; for (const listener of worker.listeners) listener(7) })(); await null; return next(worker) }
      await runJob()`)
    expect(headline).not.toContain('Self-deadlock')
    expect(kind).toBe('lost-wakeup')
  })

  test('is a deadlock with itself where a step is an event, too: a call waits for a listener that waits for the call', async () => {
    const { explanation: { kind, headline, columns } } = await investigated(`
      const listeners = []
      let last = Promise.resolve()
      const inTurn = (work) => { const before = last; const done = (async () => { await before; return await work() })(); last = (async () => { try { await done } catch {} })(); return done }
      const tell = async (event) => { await Promise.all(listeners.map(async (listener) => { await listener(event) })) }
      const read = async () => inTurn(async () => 'ann')
      const signIn = async () => inTurn(async () => { await tell('in') })
      listeners.push(async () => { await read() })
      await signIn()`, { interleave: 'event-loop' })
    expect({ kind, headline }).toMatchObject({ kind: 'self-deadlock', headline: expect.stringMatching(/^Self-deadlock: listeners\.map callback waits for Promise\.all\(…\), which waits for listeners\.map callback to end\./) })
    expect(columns.map(({ name }) => name).join()).not.toContain('process -')
  })
})

describe('of a number of what is free', () => {
  const pool = `
    const free = { count: 2 }, wakes = []
    const acquire = async () => { if (free.count > 0) { free.count--; return } await new Promise((wake) => wakes.push(wake)) }
    const release = () => { const wake = wakes.shift(); if (wake) wake(); else free.count++ }`

  test('each who has some holds what the others wait for', async () => {
    const { explanation } = await investigated(`${pool}
      const inner = async () => { await acquire(); release() }
      const outer = async () => { await acquire(); await null; await inner(); release() }
      await Promise.all([outer(), outer()])`)
    expect(explanation.headline).toMatch(/^Deadlock: outer#\d waits for outer#\d and outer#\d waits for outer#\d\./)
    expect(explanation.rows.flatMap(({ note }) => note ?? [])).toEqual(['set in 2', 'for outer#2', 'set in 1', 'for outer#1'])
  })

  test('who waits in a list holds nothing by that', async () => {
    const { explanation } = await investigated(`
      const lock = { isHeld: false, waiting: [] }
      const acquire = async () => { if (!lock.isHeld) { lock.isHeld = true; return } await new Promise((wake) => lock.waiting.push(wake)) }
      const save = async () => { await acquire(); lock.waiting.shift()?.() }
      const importAll = async () => { await acquire(); await null; await save() }
      await Promise.all([importAll(), save()])`)
    expect(explanation).toMatchObject({ kind: 'self-deadlock', headline: expect.stringContaining('Self-deadlock on lock.isHeld: ') })
  })
})

test('a list that nobody is in yet is taken by who has put it there', async () => {
  const { explanation } = await investigated(`
    const queues = {}
    const run = (key, work) => new Promise((done) => {
      const start = () => { work(); const next = queues[key].shift(); if (next) next(); else delete queues[key]; done() }
      if (queues[key]) queues[key].push(start)
      else { queues[key] = []; start() }
    })
    const row = async (text) => { try { await run('table', () => { JSON.parse(text) }) } catch { return 'bad' } }
    await Promise.all([row('{bad'), row('"b"')])`)
  expect(explanation).toMatchObject({ kind: 'leaked-permit', headline: expect.stringContaining('Leaked permit on queues.table: row#1 wrote []') })
})

test('who waits for a lock that its own call has taken is told by the two calls that ask for it', async () => {
  const { explanation } = await investigated(`
    const mutex = { locked: false, waiting: [] }
    const acquire = async () => { if (!mutex.locked) { mutex.locked = true; return } await new Promise((resolve) => { mutex.waiting.push(resolve) }) }
    const save = async () => { await acquire() }
    const importAll = async () => { await acquire(); await save() }
    await importAll()`)
  expect(explanation).toMatchObject({ kind: 'self-deadlock', headline: expect.stringMatching(/Self-deadlock on mutex\.locked: \S+ wrote true itself in a call of acquire, then read true in another one and waits for ever\./) })
})

test('nobody has to be woken by a step that takes out one and puts in another one', async () => {
  const { explanation } = await investigated(`
    const used = new Set(), pending = []
    const next = () => {
      if (pending.length === 0 || used.size > 0) return
      const wake = pending.shift(), place = {}
      used.add(place)
      void create().then((made) => { used.delete(place); used.add(made); wake(made) })
    }
    let made = 0
    const create = async () => { await null; return { id: ++made } }
    const acquire = () => new Promise((resolve) => { pending.push(resolve); next() })
    const drop = async () => { const client = await acquire(); await null; used.delete(client) }
    const use = async () => { await acquire() }
    await Promise.all([drop(), use()])`)
  expect(explanation.headline).toMatch(/Lost wakeup on used\.size: use#1 read 1 and waits, then drop#1 removed \{"id":1\}, and nobody looked there again\./)
})

test('who asks at once for the same lock twice waits for itself', async () => {
  const { explanation } = await investigated(`
    const queues = {}
    const acquire = (key, work) => {
      if (!queues[key]) { queues[key] = []; return work() }
      queues[key].push(work)
    }
    await new Promise((resolve) => { acquire('docs', () => acquire('docs', resolve)) })`)
  expect(explanation).toMatchObject({ kind: 'self-deadlock', headline: expect.stringMatching(/Self-deadlock on queues\.docs: \S+ wrote \[\] itself, then \S+ read \[\] and waits for ever\./) })
})

test('what each holds is told by the call that has got it', async () => {
  const { explanation } = await investigated(`
    const pool = { free: 2, waiting: [],
      async with(work) {
        if (pool.free > 0) pool.free--
        else await new Promise((resolve) => pool.waiting.push(resolve))
        try { return await work() } finally { const next = pool.waiting.shift(); if (next) next(); else pool.free++ } } }
    const sql = async () => { await null }
    const add = async () => {
      await pool.with(async () => {
        await sql('user')
        await pool.with(() => sql('audit'))
      })
    }
    await Promise.all([add(), add()])`)
  expect(explanation.headline).toMatch(/^Deadlock: add#1 and add#2 each wait for pool\.with\(\(\) => sql\('audit'\)\) and both hold what they have got from pool\.with\(\.\.\.\) before\. /)
})

test('a call that one waits for, and that waits for ever itself, wakes nobody by what it has put where that one has looked', () => {
  const headlineWhere = (begun: number): string => explain(failing('test request respond', [
    step(0, [], { spawned: begun === 1 ? [1] : [1, 2] }),
    step(1, [read('axios.ts:2', 'keys of headers', '0'), write('axios.ts:3', 'request.retry', '[object]')], { spawned: begun === 1 ? [2] : [] }),
    step(2, [read('cache.ts:2', 'request.retry', '[object]'), insert('cache.ts:3', 'headers', '"expires"')]),
  ], { kind: 'deadlock', waiting: [{ process: 'request', place: place('axios.ts:4', 'await this.send()') }, { process: 'respond', place: place('cache.ts:4', 'await waiting') }] })).headline
  expect(headlineWhere(0)).toContain('Lost wakeup on keys of headers: request read 0 and waits, then respond added "expires"')
  expect(headlineWhere(1)).not.toContain('headers')
})
