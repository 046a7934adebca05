import { mkdtempSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const lease = madeOf(
  `return () => {
    const kept = new Map()
    const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
    const put = async (key, owner) => {
      await null
      if (kept.has(key)) return false
      kept.set(key, owner)
      setTimeout(() => { if (kept.get(key) === owner) kept.delete(key) }, 100)
      return true
    }
    const remove = async (key) => { await null; kept.delete(key) }
    return { sleep, async run(owner, work) { if (!(await put('lock', owner))) return; await work(); await remove('lock') } }
  }`,
  '/app/lease.cjs',
)

const bridge = madeOf(
  `return () => {
    const own = { socket: null }
    return {
      own,
      open(socket) { own.socket = socket; socket.on('close', () => { own.socket = null }) },
    }
  }`,
  '/app/bridge.cjs',
)

const socketBody = `
  class Socket { #closing; on(_, closing) { this.#closing = closing } close() { this.#closing() } }
  const { own, open } = bridge()
  const old = new Socket()
  open(old)
  const leave = async () => { await null; old.close() }
  const come = async () => { await null; open(new Socket()) }
  await Promise.all([leave(), come()])
  if (!own.socket) throw new Error('gone')`

test.each(['await', 'event-loop'] as const)('whose lease has ended takes away the lock of the next one: %s', async (interleave) => {
  const text = await headlineOf(
    `const { run, sleep } = lease()
    const inside = []
    let isSlow = true
    const report = (owner) => run(owner, async () => {
      const waits = isSlow ? 130 : 60
      if (!isSlow) { if (inside.length > 0) throw new Error('two'); inside.push(owner) }
      isSlow = false
      await sleep(waits)
      if (waits === 60) inside.pop()
    })
    const first = report('a')
    await sleep(110)
    const second = report('b')
    await sleep(40)
    await Promise.all([first, second, report('c')])`,
    { given: { lease }, testFile: '/app/lease.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Wrong-holder release on kept\.get\("lock"\): \S+, which had held "a", removed the "b" of \S+(?:[.,]| for )/)
})

test('a socket that is closed takes away the one that has come since', async () => {
  const text = await headlineOf(socketBody, { given: { bridge }, testFile: '/app/bridge.spec.cjs' })
  expect(text).toMatch(/^Wrong-holder release on own\.socket: leave#1, which had held another one, wrote null over the \S+ of come#1\./)
  expect(text).toMatch(/<- takes away 2, and not 1/)
})

test('who has nothing to do with what was there before takes away nothing of its own', async () => {
  const text = await headlineOf(
    `const session = { user: 'ann' }
    const signOut = async () => { await null; session.user = null }
    const signIn = async () => { await null; session.user = 'bob' }
    await Promise.all([signOut(), signIn()])
    if (!session.user) throw new Error('nobody')`,
  )
  expect(text).toMatch(/^Lost update on session\.user: /)
})

test.each(['await', 'event-loop'] as const)('what becomes of a file that is renamed is not shown, and no emptiness: %s', async (interleave) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-renamed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = madeOf('return ({ writeFile, rename }) => async (file, text) => { await writeFile(`${file}.tmp`, text); await rename(`${file}.tmp`, file) }', '/app/store.cjs') as (given: object) => unknown
  const text = await headlineOf("await Promise.all([save(file, '1'), save(file, '2')])", { given: { save: store({ writeFile, rename }), file: path.join(folder, 'db.json') }, testFile: '/app/store.spec.cjs', interleave })
  expect(text).toMatch(/^Order violation on .*db\.json\.tmp"\]: rename#1 changed it after writeFile#2 wrote "2"\./)
})

test.each(['await', 'event-loop'] as const)('who has looked whether a lock is free, and gives back that of another one once its time is over, is told as that: %s', async (interleave) => {
  expect(await headlineOf(`
    const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
    class Mutex {
      holder = null
      until = 0
      tryLock(who) {
        if (this.holder && Date.now() < this.until) return false
        this.holder = who
        this.until = Date.now() + 50
        return true
      }
      unlock() { this.holder = null }
    }
    const mutex = new Mutex()
    const log = []
    const job = async (who, ms) => {
      while (!mutex.tryLock(who)) await sleep(20)
      log.push('in ' + who)
      await sleep(ms)
      log.push('out ' + who)
      mutex.unlock()
    }
    await Promise.all([job('a', 70), job('b', 10), job('c', 30)])
    for (let i = 0; i < log.length; i += 2) if (log[i].slice(3) !== log[i + 1].slice(4)) throw new Error('two inside')`, { interleave })).toContain('Wrong-holder release on mutex.holder: job#1, which had held "a", wrote null over the "b" of job#2.')
})

test.each(['await', 'event-loop'] as const)('who takes away what is another one\'s says more than who finds it gone: %s', async (interleave) => {
  const leases = madeOf(
    `return () => {
      let holder
      return {
        async take(name, sleep) {
          if (holder !== undefined) return false
          holder = name
          void sleep().then(() => { holder = undefined })
          return true
        },
        giveBack() { holder = undefined },
        current: () => holder,
      }
    }`,
    '/app/leases.cjs',
  )
  const text = await headlineOf(`
    const held = leases()
    const sleep = vi.fn(async () => {}), work = vi.fn(async () => {})
    await held.take('a', sleep)
    held.giveBack()
    await held.take('b', () => new Promise(() => {}))
    await work()
    if (held.current() !== 'b') throw new Error('gone')`, { given: { leases, vi }, testFile: '/app/leases.spec.cjs', interleave })
  // Where a step is an event, the test itself has begun all of it.
  expect(text).toMatch(interleave === 'await' ? /^Wrong-holder release on holder: \S+, which had held "a", wrote undefined over the "b" of / : /^Order violation on holder: test read undefined after test wrote undefined\. /)
})
