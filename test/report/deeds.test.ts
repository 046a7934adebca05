import { expect, test } from 'vitest'
import type { Access } from '../../src/report/accesses.ts'
import { givenBackTwiceIn } from '../../src/report/given-back.ts'
import type { InputCall } from '../../src/report/input.ts'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

/** @param last what gives back, after a job that has failed or not */
const jobsOf = (last: string): unknown =>
  madeOf(
    `return (send) => {
      const own = { free: 1, waiting: [] }
      const release = () => { own.free++; own.waiting.shift()?.() }
      const acquire = async () => { while (own.free === 0) await new Promise((end) => own.waiting.push(end)); own.free-- }
      return async (name) => {
        await acquire()
        ${last}
      }
    }`,
    '/app/jobs.cjs',
  )

const jobsBody = `
  let [inside, most] = [0, 0]
  const run = jobs(async (name) => {
    most = Math.max(most, ++inside)
    await null
    inside--
    if (name === 'bad') throw new Error('bad')
  })
  await run('bad').catch(() => {})
  await Promise.all([run('a'), run('b')])
  if (most > 1) throw new Error('two at once')`

test.each(modes)('who gives back twice what he has taken once is told, and not what comes of it: %s', async (interleave) => {
  const jobs = jobsOf('try { await send(name) } catch { release() } finally { release() }')
  expect(await headlineOf(jobsBody, { given: { jobs }, testFile: '/app/jobs.spec.cjs', interleave })).toMatch(
    /^Double release on own\.free: \S+ decreased it once and increased it twice, to 2, which is more than before anybody had taken any\./,
  )
})

test('what makes more of it than there was has given nothing back twice', async () => {
  const text = await headlineOf(`const stock = { free: 1 }
    const more = async () => { await null; stock.free++ }
    const take = async () => { const { free } = stock; await null; stock.free = free - 1 }
    await Promise.all([take(), more()])
    if (stock.free !== 1) throw new Error('lost')`)
  expect(text).toMatch(/^Lost update on stock\.free: /)
})

test('where no order passes, and no call after the other, nothing that was given back is the reason', async () => {
  const text = await headlineOf(`
    const own = { free: 1 }
    const run = async () => { own.free--; await null; own.free++; await null; own.free++ }
    await Promise.all([run(), run()])
    throw new Error('always')`)
  expect(text).toMatch(/^The test threw; no race decides it: /)
})

test.each(modes)('two lines that give back are told where others give back once: %s', async (interleave) => {
  const jobs = jobsOf('try { await send(name) } catch { own.free++ } finally { release() }')
  expect(await headlineOf(jobsBody, { given: { jobs }, testFile: '/app/jobs.spec.cjs', interleave })).toMatch(/^Double release on own\.free: /)
})

test('a list that is gone through within a step while more comes is no count of anything', () => {
  const place = { file: '/app/nodes.ts', line: 1, column: 1, text: 'nodes.unshift(node)' }
  const change = (index: number, [found, value]: readonly number[], step: number): Access =>
    ({ kind: 'increase', location: 1, process: 0, index, step, place, within: 1, found: { type: 'number', text: `${found}` }, value: { type: 'number', text: `${value}` } }) as unknown as Access
  const changes = [[1, 0], [0, 1], [1, 2]]
  const calls = [{ name: 'test' }, { name: 'find', caller: 0 }] as unknown as InputCall[]
  const foundIn = (stepOf: (index: number) => number): unknown => givenBackTwiceIn(changes.map((one, index) => change(index, one, stepOf(index))), { calls })
  expect(foundIn((index) => index)).toMatchObject({ call: 1 })
  expect(foundIn(() => 0)).toBeUndefined()
})

test('a place in a history that goes back, forward and on has not been given back', async () => {
  const text = await headlineOf(`
    const history = { index: 3, count: 0 }
    const undo = () => { history.index-- }
    const redo = () => { history.index++ }
    const edit = async () => { await null; history.index++ }
    const add = async () => { const { count } = history; await null; history.count = count + 1 }
    const session = async () => { undo(); redo(); await edit(); await Promise.all([add(), add()]) }
    await session()
    if (history.count !== 2) throw new Error('lost')`)
  expect(text).toMatch(/^Lost update on history\.count: /)
})

test('what is set anew is no count', async () => {
  const text = await headlineOf(`
    const own = { level: 1, count: 0 }
    const set = async () => { own.level = 0; await null; own.level = 1; const { count } = own; await null; own.level = 2; own.count = count + 1 }
    await Promise.all([set(), set()])
    if (own.count !== 2) throw new Error('lost')`)
  expect(text).toMatch(/^Lost update on own\.count: /)
})

test('nothing that was given back twice is the reason for sure where no order passes', async () => {
  const jobs = jobsOf('try { await send(name) } catch { release() } finally { release() }')
  const text = await headlineOf("const run = jobs(async (name) => { await null; if (name === 'bad') throw new Error('bad') }); await run('bad'); await run('good'); throw new Error('always')", { given: { jobs }, testFile: '/app/jobs.spec.cjs' })
  expect(text).toMatch(/^The test threw; /)
})

const lease = (isByTimer: boolean): unknown =>
  madeOf(
    `return () => {
      const kept = new Map()
      const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
      const put = async (key, owner) => {
        await null
        ${isByTimer ? 'if (kept.has(key)) return false' : 'const found = kept.get(key); if (found && found.until > Date.now()) return false'}
        kept.set(key, ${isByTimer ? 'owner' : '{ owner, until: Date.now() + 100 }'})
        ${isByTimer ? 'setTimeout(() => { if (kept.get(key) === owner) kept.delete(key) }, 100)' : ''}
        return true
      }
      const remove = async (key, owner) => { await null; if (${isByTimer ? 'kept.get(key)' : 'kept.get(key)?.owner'} === owner) kept.delete(key) }
      return {
        sleep,
        async run(owner, work) {
          while (!(await put('lock', owner))) await sleep(20)
          try { return await work() } finally { await remove('lock', owner) }
        },
      }
    }`,
    '/app/lease.cjs',
  )

const leaseBody = (milliseconds: number): string => `
  const { run, sleep } = lease()
  const row = { balance: 0 }
  const add = (owner, amount, ms) => run(owner, async () => { const { balance } = row; await sleep(ms); row.balance = balance + amount })
  await Promise.all([add('a', 1, ${milliseconds}), add('b', 2, 50)])
  if (row.balance !== 3) throw new Error('lost ' + row.balance)`

test.each(modes.flatMap((interleave) => [true, false].map((isByTimer) => ({ interleave, isByTimer }))))('a lock of which the time is over lets in another one: $interleave, by a timer: $isByTimer', async ({ interleave, isByTimer }) => {
  const text = await headlineOf(leaseBody(150), { given: { lease: lease(isByTimer) }, testFile: '/app/lease.spec.cjs', interleave })
  expect(text).toMatch(isByTimer ? /^Timeout wins on kept\.get\("lock"\): timer#\d+ removed the "a" of run(?:#1)? while that was still at work, then (?:run#2|another run) wrote "b"\./ : /^Timeout wins on kept\.get\("lock"\): (?:run#2|another run) wrote \{"owner":"b".* over the \{"owner":"a".* of run(?:#1)?, for which the time was over, while that was still at work\./)
})

test('what a cache has forgotten was no lock', async () => {
  const text = await headlineOf(`
    const kept = new Map()
    const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
    const load = async (id) => { if (!kept.has('row')) { kept.set('row', id); setTimeout(() => kept.delete('row'), 100) } await sleep(150) }
    const row = { balance: 0 }
    const add = async (id, amount) => { await load(id); const { balance } = row; await sleep(10); row.balance = balance + amount }
    const first = add('a', 1)
    await sleep(120)
    await Promise.all([first, add('b', 2), add('c', 4)])
    if (row.balance !== 7) throw new Error('lost ' + row.balance)`)
  expect(text).toMatch(/^Lost update on row\.balance: /)
})

const client = (reconnect: string): unknown =>
  madeOf(
    `return (dial) => {
      const own = { isStarted: false, socket: null }
      const open = () => {
        const socket = (own.socket = dial(() => { own.socket = null; if (own.isStarted) open() }))
        return socket
      }
      return { start() { own.isStarted = true; open() }, async reconnect() { ${reconnect} } }
    }`,
    '/app/client.cjs',
  )

const clientBody = `
  let count = 0
  const own = client((closed) => { count++; return { close: async () => { await null; count--; closed() } } })
  own.start()
  await own.reconnect()
  await new Promise((end) => setTimeout(end, 10))
  if (count !== 1) throw new Error('open: ' + count)`

test.each(modes)('what is set only while something is begun is put back before that looks: %s', async (interleave) => {
  const given = { client: client('const was = own.isStarted; own.isStarted = false; own.socket.close(); own.isStarted = was; open()') }
  expect(await headlineOf(clientBody, { given, testFile: '/app/client.spec.cjs', interleave })).toMatch(
    /^The test threw; it fails in .* Perhaps: Order violation on own\.isStarted: \S+ wrote false, and true again in the same step; \S+, which it had begun between the two, read true\./,
  )
})

test.each(modes)('what code that is not instrumented has in its hands then, it need not have looked at: %s', async (interleave) => {
  const asking = madeOf(
    `return (dial, isStarted) => {
      const own = { isStarted: false, socket: null }
      const open = () => (own.socket = dial(() => { own.socket = null; if (isStarted(own)) open() }))
      return { start() { own.isStarted = true; open() }, async reconnect() { const was = own.isStarted; own.isStarted = false; own.socket.close(); own.isStarted = was; open() } }
    }`,
    '/app/client.cjs',
  )
  const body = clientBody.replace('closed() } } })', 'closed() } } }, isStarted)')
  const given = { client: asking, isStarted: (own: { readonly isStarted: boolean }) => own.isStarted }
  expect(await headlineOf(body, { given, testFile: '/app/client.spec.cjs', interleave })).not.toContain('again in the same step')
})

test('what nobody looks at that was begun in between is not told', async () => {
  const text = await headlineOf(`
    const own = { isQuiet: false, count: 0 }
    const add = async () => { const { count } = own; await null; own.count = count + 1 }
    const quietly = (begin) => { own.isQuiet = true; const one = begin(); own.isQuiet = false; return one }
    await Promise.all([quietly(add), quietly(add)])
    if (own.isQuiet || own.count !== 2) throw new Error('lost')`)
  expect(text).toMatch(/^Lost update on own\.count: /)
})

test('what a timer gives back is given back by the call that has set it: once more is too often', async () => {
  const text = await headlineOf(`
    const own = { left: 5 }
    const reserve = async (count, pay) => {
      own.left -= count
      const release = () => { own.left += count }
      const timer = setTimeout(release, 1000)
      try { await pay(); clearTimeout(timer) } catch { release() }
    }
    await reserve(2, async () => { await new Promise((done) => setTimeout(done, 1500)); throw new Error('declined') })
    if (own.left !== 5) throw new Error('left ' + own.left)`)
  expect(text).toMatch(/^Double release on own\.left: \S+ decreased it once and increased it twice, to 7, which is more than before anybody had taken any\./)
})
