import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated } from './executed.ts'

const told = async (code: string): Promise<string> => stripVTControlCharacters((await investigated(code)).message).replaceAll(/\s+/g, ' ')

describe('what is not next to one another', () => {
  test('who writes last is decided where two calls first meet', async () => {
    const text = await told(`
      const view = { status: '', data: '' }
      const show = async (answer) => { view.status = 'got ' + answer; if (view.status) await null; view.data = answer }
      const load = async (answer, late) => { await null; if (late) await null; await show(answer) }
      await Promise.all([load('old', false), load('new', true)])
      if (view.data !== 'new') throw new Error('old data')`)
    expect(text).toMatch(/^Last write wins on view\.data: load#1 wrote "old" over the "new" of load#2\. .* The test passes with 2 before 1: /)
  })
})

describe('calls that overlap in every order', () => {
  test('one writes over what the other one wrote before', async () => {
    const text = await told(`
      const server = { likes: 0 }, posts = new Map()
      const load = async (id) => { const { likes } = server; await null; posts.set(id, { likes }) }
      const like = async (id) => { posts.set(id, { likes: 1 }); server.likes++; await null }
      await Promise.all([load(1), like(1)])
      if (posts.get(1).likes !== 1) throw new Error('like lost')`)
    expect(text).toMatch(/^Last write wins on posts\.get\(1\): load#1 wrote \{"likes":0\} over the \{"likes":1\} of like#1\. Nothing makes like#1 wait for load#1\. /)
    expect(text).toContain('Every order fails; the test passes when its calls run one after the other.')
  })

  test('who waits has entered its name where nobody looks any more', async () => {
    const text = await told(`
      const waiting = []
      const next = async () => { await null; return new Promise((resolve) => waiting.push(resolve)) }
      const close = async () => { for (const wake of waiting) wake(); waiting.length = 0 }
      const coming = next()
      await close()
      await coming`)
    expect(text).toMatch(/^Deadlock: .* Lost wakeup on waiting\.length: test read 0 before next#1 made it 1\. Nothing makes test wait for next#1\. /)
  })

  const counting = (later: string): string => `
      const kept = new Map(), later = (work) => ${later}
      const count = (key, done) => later(() => { const seen = kept.get(key) ?? 0; later(() => { kept.set(key, seen + 1); done() }) })
      const visit = () => new Promise((resolve) => count('a', resolve))
      await Promise.all([visit(), visit()])
      if (kept.get('a') !== 2) throw new Error('lost')`

  test('where it is in callbacks that stand in a queue, one that runs later shows it', async () => {
    expect(await told(counting('setImmediate(work)'))).toMatch(/Every order fails; the test passes when immediate#2 runs later\./)
  })

  test('or a timer that fires later', async () => {
    const text = await told(counting('setTimeout(work, 1)'))
    expect(text).toMatch(/^Lost update on kept\.get\("a"\): timer#4 wrote 1 from a value read before timer#3 wrote 1\./)
    expect(text).toMatch(/Every order fails; the test passes when timer#2 fires later\./)
  })

  test('and nothing else is guessed there: who finds what a timer has done is told by the order of the two', async () => {
    const text = await told(`
      let timer
      const later = (work) => { timer = setTimeout(() => { timer = undefined; work() }, 1) }
      const save = () => new Promise(later)
      const first = save()
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (timer === undefined) throw new Error('not waiting')
      await first`)
    expect(text).toMatch(/^Order violation on timer: test read undefined after timer#1 wrote undefined\./)
    expect(text).toMatch(/Every order fails; the test passes when timer#1 fires later\./)
  })
})

test('of a counter that both increase it is what was left for one and taken by another', async () => {
  const text = await told(`
    const limiter = { active: 0, queue: [] }
    const run = async (job) => {
      if (limiter.active >= 1) await new Promise((resolve) => limiter.queue.push(resolve))
      limiter.active++
      await job()
      limiter.active--
      limiter.queue.shift()?.()
    }
    let now = 0, most = 0
    const job = async () => { now++; most = Math.max(most, now); await null; now-- }
    await Promise.all([run(job).then(() => run(job)), run(job)])
    if (most > 1) throw new Error('two at once')`)
  expect(text).toMatch(/^Check-then-act on limiter\.active: run#1 decreased it to 0 for run#2, then run\.then#1 increased it to 1, then run#2 changed it to 2\./)
})

test('what a timer takes away that was set for the one who held it before is a release by the wrong one', async () => {
  const text = await told(`
    const locks = {}
    let inside = 0, most = 0
    const locked = async (job) => {
      while (locks.a) await new Promise((resolve) => setTimeout(resolve, 10))
      locks.a = true
      setTimeout(() => { locks.a = undefined }, 100)
      await job()
      locks.a = undefined
    }
    const job = (ms) => async () => { inside++; most = Math.max(most, inside); await new Promise((resolve) => setTimeout(resolve, ms)); inside-- }
    await locked(job(30))
    await Promise.all([locked(job(80)), locked(job(10))])
    if (most > 1) throw new Error('two at once')`)
  expect(text).toMatch(/^Wrong-holder release on locks\.a: locked#1 wrote true, then timer#1 wrote undefined over it, and locked#2 read undefined\./)
})

test('a setter that compares is no check: what was there before is as old for both, and the later write wins', async () => {
  const text = await told(`
    const ref = { raw: 0, ready: false }
    const set = (value) => { if (ref.raw !== value) ref.raw = value }
    const execute = async (value) => { set(0); await null; await null; set(value) }
    await Promise.all([execute(1), execute(2)])
    if (ref.raw !== 2) throw new Error('old')`)
  expect(text).toMatch(/^Last write wins on ref\.raw: execute#1 wrote 1 over the 2 of execute#2\./)
})

test('a look that comes too early is told also where something else decides what comes next, if nothing else is found', async () => {
  const { explanation } = await investigated(`
    const runtime = { status: 'stopped', running: 0,
      async start(workers) { this.status = 'starting'; for (const worker of workers) await worker.start(); this.status = 'started' },
      async stop(workers) { if (this.status !== 'started') return; for (const worker of workers) await worker.stop() } }
    const worker = { running: false, async start() { await null; this.running = true }, async stop() { await null; this.running = false } }
    const signal = async () => { for (let i = 0; i < 6; i++) await null; await runtime.stop([worker]) }
    await Promise.all([runtime.start([worker]), signal()])
    if (worker.running) throw new Error('left running')`, { interleave: 'event-loop', io: () => 'awaits' })
  expect(explanation.headline).toMatch(/^Order violation on runtime\.status: signal#1 read "starting" before start#1 wrote "started"\./)
})
