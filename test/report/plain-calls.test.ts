import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

describe('calls of functions that are not async, but return promises, run one after the other as well', () => {
  const pool = (seats: number): string => `
    let taken = 0
    const ask = async () => { await null; throw new Error('down') }
    const breaker = {
      state: 'closed',
      fire() {
        if (this.state === 'open') return Promise.reject(new Error('open'))
        return ask().catch((error) => { if (this.state !== 'open') { this.state = 'open'; taken++ } else taken = 0; throw error })
      },
    }
    await Promise.allSettled([breaker.fire(), breaker.fire()])
    if (taken !== ${seats}) throw new Error('nobody tries again')`

  test.for(['await', 'event-loop'] as const)('so that it is known what is stale where every order fails: %s', async (interleave) => {
    expect(await headlineOf(pool(1), { interleave, io: () => 'awaits' })).toMatch(/^Check-then-act on breaker\.state: test read "closed" for \S+#2, then \S+#1 wrote "open", then \S+#2 (?:found|still read) "open"\. .* passes when its calls run one after the other/)
  })

  test('and that nothing is, where the test fails then, too', async () => {
    const text = await headlineOf(pool(7))
    expect(text).toMatch(/^The test threw; it fails in all 2 orders\./)
    expect(text).not.toContain('one after the other')
  })

  test('but not where somebody counts on what such a call has done by the time it returns', async () => {
    const text = await headlineOf(`
      const later = async () => { await null }
      const queue = { size: 0, add() { this.size++; return later().then(() => { this.size-- }) } }
      const done = queue.add()
      const { size } = queue
      await Promise.all([done, queue.add()])
      if (size !== 0) throw new Error('size ' + size)`)
    expect(text).toMatch(/^The test threw; it fails in the one order that there is\./)
  })
})

describe('what the same code of a package looks at for two calls is looked at too early for the second, where that finds something else after the first', () => {
  const client = `return class Client {
    constructor(ask) { this.ask = ask; this.token = 'r1'; this.waiting = new Set() }
    refresh() {
      for (const wait of this.waiting) wait()
      return this.ask(this.token).then((next) => { this.waiting = new Set(); this.token = next; return this.token })
    }
  }`
  const body = `
    let valid = 'r1'
    const ask = async (used) => {
      await null
      if (used !== valid) throw new Error('used before')
      valid += "'"
      return valid
    }
    const client = new Client(ask)
    await Promise.all([client.refresh(), client.refresh()])`
  test.for(['await', 'event-loop'] as const)('%s', async (interleave) => {
    const Client = madeOf(client, '/app/node_modules/client/index.js')
    expect(await headlineOf(body, { interleave, io: () => 'awaits', given: { Client } })).toMatch(/^(?:Order violation|Stale read) on client\.token: test read "r1" before \S+#1 wrote "r1'"\. Nothing makes test wait for \S+#1\./)
  })
})

test('what a package keeps besides, and looks at as well, is not told in place of what it counts too late', async () => {
  const Hub = madeOf(`return class Hub {
    constructor() { this.observers = new Set(['list']); this.count = 0 }
    emit() { return [...this.observers].join() }
    async open(answer) { this.emit(); await answer(); this.count++ }
    async close(answer, drop) { this.count--; await answer(); if (this.count === 0) { this.observers = new Set(); drop() } }
  }`, '/app/node_modules/hub/index.js')
  for (const interleave of ['await', 'event-loop'] as const) {
    const text = await headlineOf(`
      const answer = async () => { await null }
      const hub = new Hub()
      await hub.open(answer)
      let isLive = true
      await Promise.all([hub.close(answer, () => { isLive = false }), hub.open(answer)])
      if (!isLive) throw new Error('nobody hears')`, { interleave, io: () => 'awaits', given: { Hub } })
    expect(text).toMatch(/ on hub\.count: /)
  }
})
