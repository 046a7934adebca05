import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const testFile = '/app/test.spec.cjs'

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

describe('what code under test looks at right before it throws', () => {
  const turns = (line: number): unknown =>
    ofPackage(
      'turns',
      `return () => {
        const own = { turn: { of: 'none' }, under: false }
        own.take = async (name, work) => {
          const before = own.turn
          own.turn = { of: name }
          if (own.under)
            throw Object.assign(new Error('taken by another one'), { stack: 'Error: taken by another one\\n    at take (/app/node_modules/turns/index.cjs:${line}:19)' })
          own.under = true
          try { await work() } finally { own.under = false; own.turn = before }
        }
        return own
      }`,
    )
  const body = `
    const own = turns()
    const work = async () => { await null }
    await Promise.all([own.take('ann', work), own.take('bob', work)])`

  test('is told before what it keeps besides', async () => {
    expect(await headlineOf(body, { given: { turns: turns(7) }, testFile })).toMatch(/ on own\.under: /)
  })

  test('is not known where it has thrown far from that', async () => {
    expect(await headlineOf(body, { given: { turns: turns(107) }, testFile })).toMatch(/^Lost update on own\.turn: /)
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
