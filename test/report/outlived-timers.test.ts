import { describe, expect, test } from 'vitest'
import { headlineOf, investigated, madeOf } from './executed.ts'

const sleep = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
`

describe('a timer that was set for what had been there before', () => {
  const cache = (clear: string, get: string): string => `${sleep}
    const entries = new Map()
    const timers = new Map()
    const put = (key, value) => {
      ${clear}
      timers.set(key, setTimeout(() => entries.delete(key), 60))
      entries.set(key, value)
    }
    put('s1', 'ann')
    await sleep(50)
    put('s1', 'bob')
    ${get}
    expect(entries.get('s1')).toBe('bob')`

  test('takes away what came since', async () => {
    const text = await headlineOf(cache('', 'await sleep(20)'), { given: { expect } })
    expect(text).toMatch(/^Timeout wins on entries\.get\("s1"\): timer#1, set when test wrote "ann", removed it after test had put "bob" there, and test then read undefined\..* Every order fails; the test passes when timer#1 fires later\./)
  })

  test('and not where it is that of the last one', async () => {
    const text = await headlineOf(cache('clearTimeout(timers.get(key))', 'await sleep(70)'), { given: { expect } })
    expect(text).not.toContain('set when')
  })
})

describe('a timer that is cleared once it has fired', () => {
  const poller = (stop: string): string => `${sleep}
    const poller = {
      asked: 0,
      start() { this.timer = setTimeout(() => this.poll(), 100) },
      stop() { clearTimeout(this.timer); this.isStopped = true },
      async poll() { this.asked++; await sleep(20); this.start() },
    }
    poller.start()
    await sleep(110)
    ${stop}
    const { asked } = poller
    await sleep(200)
    expect(poller.asked).toBe(asked)`

  test('is set anew by what that has begun, and nobody clears that', async () => {
    const text = await headlineOf(poller('poller.stop()'), { given: { expect } })
    expect(text).toMatch(/^Order violation on poller\.timer: test cleared timer#1 once that had fired, and poll#1, which it had begun, set timer#\d after that: nobody cleared it\./)
  })

  test('unless somebody does', async () => {
    const text = await headlineOf(poller("poller.stop(); await sleep(50); poller.stop(); await sleep(200); throw new Error('other')"), { given: { expect } })
    expect(text).toContain('Error: other')
    expect(text).not.toContain('nobody cleared it')
  })
})

describe('a timer that is set after somebody was to clear it', () => {
  const poller = (set: string): string => `${sleep}
    let asked = 0
    const own = {
      async start() { asked++; await null; ${set} },
      stop() { this.isStopped = true; clearTimeout(this.timer); this.timer = undefined },
    }
    const started = own.start()
    own.stop()
    await started
    await sleep(150)
    expect(asked).toBe(1)`

  test('fires, as nobody has cleared it', async () => {
    const text = await headlineOf(poller('this.timer = setTimeout(() => this.start(), 100)'), { given: { expect } })
    expect(text).toMatch(/^Order violation on own\.timer: test was to clear a timer there before there was one, and \S+ set timer#1 after that: nobody cleared it\./)
  })

  test('and not where it is kept elsewhere', async () => {
    const text = await headlineOf(poller('setTimeout(() => this.start(), 100)'), { given: { expect } })
    expect(text).not.toContain('was to clear')
  })
})

describe('what a timer has rejected', () => {
  const pool = (leave: string): string => `${sleep}
    const [free, waiting] = [[{ id: 1 }], []]
    const acquire = () => {
      const found = free.pop()
      if (found) return Promise.resolve(found)
      return new Promise((resolve, reject) => {
        waiting.push(resolve)
        setTimeout(() => { ${leave}reject(new Error('timeout')) }, 100)
      })
    }
    const release = (connection) => {
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
    }
    const run = async (ms) => {
      let connection
      try { connection = await acquire() } catch { return 'busy' }
      await sleep(ms)
      release(connection)
      return 'done'
    }
    await Promise.all([run(200), run(10)])
    expect(await run(10)).toBe('done')`

  test('is given to nobody when it comes', async () => {
    const { explanation } = await investigated(pool(''), { given: { expect } })
    expect(explanation.headline).toBe('Timeout wins on promise: timer#1 rejected it with Error("timeout"), then run#1 came second and would have fulfilled it with {"id":1}. Nobody gets that.')
    // And not where the promise was made.
    expect(explanation.rows.map(({ place }) => place?.text)).toEqual(["reject(new Error('timeout'))", 'next(connection)'])
  })

  test('which is an order violation where no timer has come first', async () => {
    const text = await headlineOf(`
      let answer
      const first = new Promise((resolve, reject) => {
        const fail = async () => { await null; reject(new Error('down')) }
        const load = async () => { await null; await null; resolve('up') }
        fail()
        load()
      })
      try { answer = await first } catch { answer = 'down' }
      expect(answer).toBe('up')`, { given: { expect } })
    expect(text).not.toContain('Timeout wins')
  })
})

test('who tells of an event before anybody listens has come too early', async () => {
  const { EventEmitter } = await import('node:events')
  const text = await headlineOf(
    `const reader = new EventEmitter()
    const lines = []
    const read = async () => { for (const line of ['a', 'b']) { await null; reader.emit('line', line) } }
    const load = async () => { await null; reader.once('line', (line) => { lines.push(line) }) }
    await Promise.all([read(), load()])
    expect(lines).toEqual(['a'])`,
    { given: { EventEmitter, expect } },
  )
  expect(text).toMatch(/^Order violation on listeners of eventEmitter for "line": read#1 read 0 before load#1 changed them to 1\./)
})

test.each(['await', 'event-loop'] as const)('a timer that outlives what has set it is told by the flag that it finds: %s', async (interleave) => {
  const autosave = madeOf(
    `return (save) => {
      const own = { disposed: false, edit: (text) => { setTimeout(() => save(own.disposed, text), 100) }, dispose: () => { own.disposed = true } }
      return own
    }`,
    '/app/autosave.cjs',
  )
  const text = await headlineOf(
    `const errors = []
    const own = autosave((disposed, text) => { if (disposed) errors.push('save after dispose') })
    own.edit('hello')
    await new Promise((done) => setTimeout(done, 50))
    own.dispose()
    await new Promise((done) => setTimeout(done, 200))
    if (errors.length > 0) throw new Error(errors[0])`,
    { given: { autosave }, testFile: '/app/autosave.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Order violation on own\.disposed: timer#1 read true after test wrote true\./)
  expect(text).toMatch(/the test passes when timer#1 fires later\./)
})
