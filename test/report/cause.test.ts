import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated as toldOf, madeOf } from './executed.ts'

const lost = `
      const box = { n: 0 }
      const add = async () => { await null; const n = box.n; await null; box.n = n + 1 }
      await Promise.all([add(), add()])
      if (box.n !== 2) throw new Error('lost')`

const textOf = ({ message }: Error): string => stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')

describe('the race is the cause whose reversal makes the test pass', () => {
  test('and not another that looks worse', async () => {
    // The lost update of the statistics harms nobody; the order of two lines does.
    const error = await toldOf(`
      const stats = { calls: 0 }, state = { ready: false, seen: undefined }
      const count = async () => { const before = stats.calls; await null; stats.calls = before + 1 }
      const begin = async () => { await count(); state.ready = true }
      const look = async () => { await count(); await null; await null; await null; state.seen = state.ready }
      await Promise.all([begin(), look()])
      if (!state.seen) throw new Error('too early')`)
    expect(error.explanation).toMatchObject({ kind: 'order-violation' })
    expect(textOf(error)).toMatch(/^Order violation on state\.ready: look#1 read false before begin#1 wrote true\./)
    expect(textOf(error)).toContain('The test passes with 2 before 1:')
  })

  test('of a lost update it is the look that came too early', async () => {
    const error = await toldOf(lost)
    const { passesWith, rows } = error.explanation
    expect(passesWith!.map((number) => rows[number - 1]!.text)).toEqual(['read n -> 0', 'write n = 1'])
    expect(error.explanation.kind).toBe('lost-update')
    // The passing order beside it, from where the two part.
    expect(error.explanation.passing!.map(({ number, process, text }) => ({ number, process, text }))).toEqual([
      { number: 3, process: 1, text: 'write n = 1' },
      { number: 2, process: 2, text: 'read n -> 1' },
      { number: 4, process: 2, text: 'write n = 2' },
    ])
    expect(textOf(error)).toMatch(/The test passes with 3 before 2: add#1 add#2 3 \S+ write n = 1 2 \S+ read n -> 1 4 \S+ write n = 2 Error: lost/)
  })

  test('and not what comes to the same in either order, as a version does, and a list that is emptied and filled', async () => {
    const error = await toldOf(`
      const signal = { version: 0, slots: [0], value: '' }
      const set = (value) => { const slot = signal.slots.pop(); signal.version++; signal.value = value; signal.slots.push(slot) }
      const answer = async (q) => { await null; if (q === 'a') await null; return q.toUpperCase() }
      const search = async (q) => set(await answer(q))
      await Promise.all([search('a'), search('b')])
      if (signal.value !== 'B') throw new Error('old')`)
    expect(textOf(error)).toMatch(/^Last write wins on signal\.value: search#1 wrote "A" over the "B" of search#2\./)
  })

  test('two of them, where one is not enough', async () => {
    const error = await toldOf(`
      const a = { n: 0 }, b = { n: 0 }
      const one = async () => { await null; a.n = 1; await null; b.n = 1 }
      const other = async () => { await null; const x = a.n; await null; const y = b.n; if (x + y === 1) return; if (x === 0 && y === 0) throw new Error('neither') }
      const third = async () => {}
      await Promise.all([one(), other(), third()])`)
    expect(error.explanation.kind).toBe('order-violation')
  })

  test('a check in the caller whose act is in the async function that it starts, before what the test counts', async () => {
    const error = await toldOf(`
      let running = 0, active = 0, most = 0
      const begin = async () => { await null; running++; active++; most = Math.max(most, active); await null; active--; running-- }
      const spawn = () => { if (running < 1) return begin() }
      const begun = []
      const later = async () => { await null; begun.push(spawn()) }
      await Promise.all([spawn(), later()])
      await Promise.all(begun)
      if (most > 1) throw new Error('too many')`)
    expect(textOf(error)).toMatch(/^Check-then-act on running: later#1 read 0 for begin#2, then begin#1 increased it to 1, then begin#2 changed it to 2\./)
    expect(textOf(error)).toMatch(/The test passes with 2 before 1:/)
  })

  test('pushes that nobody looks at between them, but everybody in the end', async () => {
    const error = await toldOf(`
      const done = []
      const work = async (name) => { await null; done.push(name) }
      await Promise.all([work('a'), work('b')])
      if (done[0] !== 'a') throw new Error('b is first')`)
    expect(textOf(error)).toMatch(/^Order violation on done: work#1 pushed "a" after work#2 pushed "b"\./)
    expect(textOf(error)).toContain('The test passes with 2 before 1:')
  })

  test('what gives back what it took acts on nothing that it saw', async () => {
    const error = await toldOf(`
      const state = { running: 0, seen: undefined }
      const work = async () => { await null; state.running++; if (state.running > 5) return; await null; state.running-- }
      const look = async () => { await null; await null; state.seen = state.running }
      await Promise.all([work(), work(), look()])
      if (state.seen === 2) throw new Error('both')`)
    expect(error.explanation.kind).toBe('order-violation')
  })

  test('of a wakeup that comes too early', async () => {
    const error = await toldOf(`
      const state = { done: false, wake: undefined }
      const waiter = async () => { await null; if (!state.done) { await null; await new Promise((resolve) => { state.wake = resolve }) } }
      const worker = async () => { await null; state.done = true; state.wake?.() }
      await Promise.all([waiter(), worker()])`)
    expect(error.explanation.failureKind).toBe('deadlock')
    expect(textOf(error)).toMatch(/^Deadlock: test and waiter#1 wait for ever|^Deadlock: waiter#1 waits for ever; nothing is left that could go on\. Lost wakeup on state\.\w+: /)
    expect(textOf(error)).toMatch(/The test passes with \d before \d[:.]/)
  })
})

describe('no race is blamed', () => {
  const statistics = `const stats = { calls: 0 }
      const count = async () => { await null; const before = stats.calls; await null; stats.calls = before + 1 }
      await Promise.all([count(), count()])`

  test('for a plain error beside one', async () => {
    const error = await toldOf(`${statistics}; throw new Error('boom')`)
    expect(error.explanation).toMatchObject({ kind: 'error', rows: [], failing: { areAll: true, sequentially: 'fails' } })
    expect(textOf(error)).toMatch(/^The test threw; no race decides it: it fails in all \d+ orders\./)
  })

  test('for an assertion that fails in every order', async () => {
    const error = await toldOf(`${statistics}; if (stats.calls < 3) throw new Error('expected three')`)
    expect(error.explanation).toMatchObject({ kind: 'error', rows: [] })
  })

  test('nor said to be none where a call was given what it found too early, however late it begins', async () => {
    const error = await toldOf(`
      let state = { count: 0 }
      const later = async (n, { count }) => { await null; state = { count: count + n } }
      const add = (n) => later(n, state)
      await Promise.all([add(1), add(2)])
      if (state.count !== 3) throw new Error('lost')`)
    expect(textOf(error)).not.toContain('no race decides it')
  })

  test('where there are too many orders to try all', async () => {
    const error = await toldOf(`
      const list = []
      await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => { await null; list.push(n); await null; list.push(list.at(-1)) }))
      throw new Error('boom')`)
    expect(textOf(error)).toMatch(/^The test threw; no race decides it: it fails in all \d+ orders that were tried\./)
  })

  test('and no wakeup is lost where nobody would have come', async () => {
    const error = await toldOf(`${statistics}; await new Promise(() => {})`)
    expect(textOf(error)).not.toContain('Lost wakeup')
  })

  test('where nobody can wake the one who waits', async () => {
    const error = await toldOf(`
      const stats = { calls: 0 }
      const count = async () => { await null; stats.calls = stats.calls + 1 }
      await Promise.all([count(), count(), new Promise(() => {})])`)
    expect(textOf(error)).toMatch(/^Never-settled promise: test waits for ever; nothing is left that could go on\. No race decides it: it fails in all \d+ orders\./)
  })
})

test('calls that overlap in every order are told as that', async () => {
  const error = await toldOf(`
      const box = { n: 0 }
      const add = async () => { const n = box.n; await null; box.n = n + 1 }
      await Promise.all([add(), add()])
      if (box.n !== 2) throw new Error('lost')`)
  expect(textOf(error)).toMatch(/^Lost update on box\.n: add#2 wrote 1 from a value read before add#1 wrote 1\./)
  expect(textOf(error)).toContain('Every order fails; the test passes when its calls run one after the other.')
})

test('a replay runs the body once: what has raced is a guess', async () => {
  const error = await toldOf(lost, { replay: '0.1.2.1.2.0' })
  expect(textOf(error)).toMatch(/^Perhaps: Lost update on /)
  expect(error.explanation).not.toHaveProperty('passesWith')
})

test('and where what an execution has left cannot be put back, as no other one was run', async () => {
  const error = await toldOf(`Object.freeze(shared)${lost}`, { given: { shared: madeOf('return {}', '/shared.cjs') as object } })
  expect(textOf(error)).toMatch(/^Perhaps: Lost update on /)
})

test('who waits for ever is said with what for, though another one waits for that', async () => {
  const error = await toldOf(`
      const pool = { acquire: () => new Promise(() => {}) }
      const waiting = (async () => { const next = await pool.acquire(); return next })()
      await null
      await waiting`)
  expect(textOf(error)).toContain('waits for pool.acquire()')
})

describe('which orders the platform can come to', () => {
  test('those in which what somebody waits for takes time', async () => {
    const error = await toldOf(`
      const box = { shown: '' }
      const find = async (text) => { await null; return text }
      const search = async (text) => { const found = await find(text); box.shown = found }
      await Promise.all([search('a'), search('ab')])
      if (box.shown !== 'ab') throw new Error('outdated')`)
    expect(error.explanation).toMatchObject({ kind: 'last-write-wins', byEvents: { slow: [expect.objectContaining({ text: 'await null' })] } })
    expect(textOf(error)).toMatch(/Possible whenever this takes time: await null at \S+:3\. Error: outdated/)
  })

  test('a switch within one turn', async () => {
    const error = await toldOf(`
      const box = { n: 0 }
      let seen
      const one = Promise.resolve().then(() => { box.n = 1 })
      const other = Promise.resolve().then(() => {}).then(() => { seen = box.n })
      await Promise.all([one, other])
      if (seen !== 1) throw new Error('early')`)
    expect(error.explanation).toMatchObject({ kind: 'order-violation', byEvents: 'none' })
    expect(textOf(error)).toContain('Needs a switch within one turn of the event loop, or an answer that is heard by `then`: it is not enough that what is awaited takes time.')
  })

  test('is not asked of what fails in the plain order', async () => {
    expect((await toldOf(lost)).explanation).not.toHaveProperty('byEvents')
  })
})

test('first parts of two calls, which run in one step, keep their numbers in the passing order', async () => {
  const { explanation } = await toldOf(`
    const board = { best: 0 }
    const submit = async (score) => { const { best } = board; await null; if (score > best) board.best = score }
    await Promise.all([submit(1), submit(2)])
    if (board.best !== 2) throw new Error('the best is lost')`)
  expect(explanation.passing!.map(({ number, process, text }) => `${number} ${process} ${text}`)).toEqual(['4 1 write best = 1', '3 2 write best = 2'])
})

test('what is put back after others have changed it is a lost update', async () => {
  const { explanation } = await toldOf(`
    const post = { likes: 0 }
    const like = async (fails) => {
      const before = post.likes
      post.likes = before + 1
      try { await null; if (fails) throw new Error('offline') } catch { post.likes = before }
    }
    await Promise.all([like(true), like(false)])
    if (post.likes !== 1) throw new Error('lost')`)
  expect(explanation).toMatchObject({ kind: 'lost-update', headline: expect.stringMatching(/^Lost update on post\.likes: like#1 wrote 0 from a value read before like#2 wrote 2\./) })
})

test('calls that fail in another way one after the other tell nothing of the failure', async () => {
  const { explanation } = await toldOf(`
    const events = []
    const append = async (expected) => {
      const version = events.length
      await null
      if (version !== expected) throw new Error('conflict')
      events.push(expected)
    }
    await Promise.all([append(0), append(0)])
    if (events.length !== 1) throw new Error('two events of one version')`)
  expect(explanation.failing).toMatchObject({ sequentially: 'unknown' })
  expect(explanation).toMatchObject({ headline: 'The test threw; it fails in the one order that there is.', rows: [], alsoRacing: ['events'] })
})

describe('where steps are events, it is told which answer comes late', () => {
  const io = (): 'awaits' => 'awaits'
  const eventsOf = async (code: string): Promise<string> => textOf(await toldOf(code, { interleave: 'event-loop', io }))

  test('of two of one kind', async () => {
    const text = await eventsOf(`
      const view = { text: '' }, answer = async (q) => q
      const search = async (q) => { view.text = await answer(q) }
      await Promise.all([search('a'), search('ab')])
      if (view.text !== 'ab') throw new Error('stale')`)
    expect(text).toMatch(/ Happens when answer\(q\) at executed-\d+\.cjs:3 answers search#1 after search#2\. /)
  })

  test('of two that are asked for in different places', async () => {
    const text = await eventsOf(`
      const box = { ready: false }, load = async () => {}, look = async () => {}
      const open = async () => { await load(); box.ready = true }
      const use = async () => { await look(); if (!box.ready) throw new Error('not ready') }
      await Promise.all([open(), use()])`)
    expect(text).toMatch(/ Happens when load\(\) at executed-\d+\.cjs:3 answers open#1 after look\(\) at executed-\d+\.cjs:4 answers use#1\. /)
  })
})

describe('where the plain order alone is known to pass, it is told what takes time in the others', () => {
  const stopped = (end: string): string => `
    const ask = async () => 'yes'
    let stop
    const stopped = new Promise((_, no) => (stop = () => no(new Error('stopped'))))
    const run = async () => { try { return await Promise.race([ask(), stopped]) } catch { ${end} } }
    const running = run()
    stop()
    if ((await running) !== 'yes') throw new Error('no answer')`
  const eventsOf = async (end: string): Promise<string> => textOf(await toldOf(stopped(end), { interleave: 'event-loop', io: () => 'answers' }))

  test('where somebody throws', async () => {
    expect(await eventsOf(`return 'no'`)).toMatch(/^Fails once this takes time: functions in executed-\d+\.cjs\. In the plain order none of it does, and the test passes\. /)
  })

  test('where somebody waits for ever', async () => {
    const text = await eventsOf('await new Promise(() => {})')
    expect(text).toMatch(/^Deadlock: /)
    expect(text).toMatch(/ The plain order passes, in which nothing of this takes time: functions in executed-\d+\.cjs\. /)
  })

  test('but not where it is told what they wait for', async () => {
    const text = textOf(await toldOf(`
      const acquire = async (lock) => { if (lock.held) await new Promise((wake) => lock.waiting.push(wake)); else lock.held = true }
      const release = (lock) => { const next = lock.waiting.shift(); if (next) next(); else lock.held = false }
      const answer = async () => {}
      const move = async (from, to) => { await acquire(from); await answer(); await acquire(to); release(to); release(from) }
      const [cash, bank] = [{ held: false, waiting: [] }, { held: false, waiting: [] }]
      const later = async () => { for (let i = 0; i < 9; i++) await answer(); await move(bank, cash) }
      await Promise.all([move(cash, bank), later()])`, { interleave: 'event-loop', io: () => 'awaits' }))
    expect(text).toMatch(/^Deadlock: \S+ waits for \S+ and \S+ waits for /)
    expect(text).not.toContain('The plain order passes')
  })
})

test('what a package keeps for itself comes in another order with everything else, so that what is lost in the test goes before it', async () => {
  const merge = madeOf(
    `return class { running = []
      add(answer) { this.running.push(answer); return answer.then((value) => { this.running.splice(this.running.indexOf(answer), 1); this.next(value) }) } }`,
    '/app/node_modules/merge/index.cjs',
  )
  const error = await toldOf(
    `const merged = new Merge()
    let shown = ''
    merged.next = (value) => { shown = value }
    const answer = async (value) => { await null; return value }
    await Promise.all([merged.add(answer('a')), merged.add(answer('b'))])
    if (shown !== 'b') throw new Error('old')`,
    { given: { Merge: merge }, testFile: '/app/merge.spec.cjs' },
  )
  expect(textOf(error)).toMatch(/^Last write wins on shown: /)
})

test('no order is followed for ever in which a clock goes on and on', async () => {
  let ticks = 0
  const body = `
      let timer, running = 0, most = 0
      const tick = async () => { ticked(); timer = setTimeout(tick, 10); running++; most = Math.max(most, running); await new Promise((resolve) => setTimeout(resolve, 15)); running-- }
      timer = setTimeout(tick, 10)
      await new Promise((resolve) => setTimeout(resolve, 35))
      clearTimeout(timer)
      if (most > 1) throw new Error('overlap')`
  await toldOf(body, { given: { ticked: () => void ticks++ } })
  expect(ticks).toBeLessThan(1000)
})

test('the passing order is shown by rows only where both that come the other way round are among them', async () => {
  const { explanation } = await toldOf(`
    const batcher = { queue: ['a'], sent: [] }
    const flush = async () => { const items = [...batcher.queue]; await null; batcher.sent.push(...items); batcher.queue = [] }
    const add = async () => { await null; batcher.queue.push('b') }
    await Promise.all([flush(), add()])
    await flush()
    if (batcher.sent.length !== 2) throw new Error('lost')`)
  expect(explanation).toMatchObject({ kind: 'lost-update', passesWith: [2, 3] })
  expect(explanation.passing).toBeUndefined()
})
