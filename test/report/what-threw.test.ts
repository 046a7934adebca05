import { describe, expect, test } from 'vitest'
import { explain } from '../../src/report/index.ts'
import { headlineOf, madeOf } from './executed.ts'
import { failing, read, step, thrownAt, write } from './recorded.ts'

const testFile = '/app/test.spec.cjs'

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

describe('what code under test looks at right before it throws', () => {
  const shared = [
    step(0, [], { spawned: [1, 2] }),
    step(1, [write('a.ts:1', 'box.ready', 'true'), write('a.ts:2', 'box.url', '"new"')]),
    step(2, [read('b.ts:1', 'box.ready', 'true'), read('b.ts:20', 'box.url', '"new"')]),
  ]
  const toldAt = (short: string): string => explain(failing('test a b', shared, { error: thrownAt(short, 'taken') })).headline

  test('is told before what it keeps besides', () => {
    expect(toldAt('b.ts:22')).toContain('on box.url')
    expect(toldAt('b.ts:3')).toContain('on box.ready')
  })

  test('is not known where it has thrown far from that', () => {
    expect(toldAt('b.ts:40')).toBe(toldAt('c.ts:1'))
  })
})

describe('a wait that a timer ends', () => {
  const pool = ofPackage(
    'pool',
    `return ({ dispatches }) => {
      const own = { count: 0, idle: [], waiting: [] }
      const dispatch = () => {
        if (own.waiting.length === 0) return
        if (own.idle.length > 0) own.waiting.shift()(own.idle.pop())
        else if (own.count < 1) { own.count = own.count + 1; own.waiting.shift()({}) }
      }
      own.acquire = () => new Promise((resolve, reject) => {
        const timer = setTimeout(() => { own.waiting = own.waiting.filter((one) => one !== given); reject(new Error('timed out')) }, 1000)
        const given = (one) => { clearTimeout(timer); resolve(one) }
        own.waiting.push(given)
        dispatch()
      })
      own.destroy = async () => { own.count = own.count - 1; await null; if (dispatches) dispatch() }
      return own
    }`,
  )
  const body = (dispatches: boolean): string => `
    const own = pool({ dispatches: ${dispatches} })
    const held = await own.acquire()
    const next = async () => { await null; return own.acquire() }
    const broken = async () => { await null; await own.destroy(held) }
    await Promise.all([next(), broken()])`

  test('is a lost wakeup where what would have woken it had come before', async () => {
    expect(await headlineOf(body(false), { given: { pool }, testFile })).toMatch(/^Lost wakeup on own\.count: next#1 read 1 before broken#1 wrote 0\./)
  })

  test('is none where it is told', async () => {
    await expect(headlineOf(body(true), { given: { pool }, testFile })).rejects.toThrow('no failure: holds')
  })
})

describe('who waits for ever for what nobody looks for', () => {
  const semaphore = (condition: string): unknown =>
    ofPackage(
      'semaphore',
      `return () => {
        const own = { count: 1, waiting: [] }
        own.wait = (then) => { own.count -= 1; if (own.count < 0) own.waiting.push(then); else then() }
        own.signal = () => { own.count += 1; if (own.count ${condition} 0) own.waiting.shift()?.() }
        return own
      }`,
    )
  const body = `
    const own = create()
    const task = () => new Promise((done) => own.wait(async () => { await null; own.signal(); done() }))
    await Promise.all([task(), task(), task()])`

  test('is told where it has left what would settle that', async () => {
    expect(await headlineOf(body, { given: { create: semaphore('>') }, testFile })).toMatch(/What would settle that was left: test pushed \[function\] to own \(its waiting\), and nobody has looked there since\./)
  })

  test('comes to an end where somebody does', async () => {
    await expect(headlineOf(body, { given: { create: semaphore('<=') }, testFile })).rejects.toThrow('no failure: holds')
  })
})

test('a method that is bound to its object is not what would wake somebody', async () => {
  const create = ofPackage('client', `return () => new (class Client { constructor() { this.stop = this.stop.bind(this) } stop() {} })()`)
  expect(await headlineOf('create(); await new Promise(() => {})', { given: { create }, testFile })).not.toContain('was left')
})

describe('what a package looks at for the failing line', () => {
  const store = ofPackage(
    'store',
    `return () => {
      const values = new Map()
      const own = { isChanging: false }
      own.get = (key) => values.get(key).value
      own.set = (key, value) => { own.isChanging = true; const state = values.get(key); if (state.value !== value) state.value = value }
      own.add = (key, value) => { values.set(key, { value }) }
      own.read = (key) => { if (own.isChanging) console.warn('changing'); return values.get(key).value }
      return own
    }`,
  )

  test('is told before its other accounts', async () => {
    const text = await headlineOf(
      `const own = store()
      own.add('n', 0)
      const add = async (by) => { const seen = own.read('n'); await null; own.set('n', seen + by) }
      await Promise.all([add(1), add(2)])
      if (own.get('n') !== 3) throw Object.assign(new Error('lost'), { stack: 'Error: lost\\n    at /app/test.spec.cjs:5:38' })`,
      { given: { store }, testFile },
    )
    expect(text).toMatch(/^\w[\w -]+ on [^:]*value: /)
    expect(text).not.toMatch(/^[^:]*isChanging/)
  })
})
