import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/report/accesses.ts'
import type { InputRecording, Place } from '../../src/report/input.ts'
import { testCodeIn } from '../../src/report/test-code.ts'
import { headlineOf, madeOf } from './executed.ts'

const testFile = '/app/order.spec.cjs'

describe('code that stands before the body in the file of the test', () => {
  test('is that under test, where there is none in another file', async () => {
    const order = `class Order {
      status = 'pending'
      async pay(gateway) {
        if (this.status !== 'pending') throw new Error('not payable')
        await gateway()
        this.status = 'paid'
      }
      async cancel() {
        await null
        this.status = 'cancelled'
      }
    }
    `
    const text = await headlineOf(
      `const order = new Order()
      await Promise.all([order.pay(async () => { await null }), order.cancel()])
      if (order.status !== 'cancelled') throw new Error(order.status)`,
      { testFile, before: order },
    )
    expect(text).toMatch(/^Check-then-act on order\.status: pay#1 read "pending", then cancel#1 wrote "cancelled", then pay#1 still wrote "paid"\./)
  })

  test('stands in for something else, where there is some', () => {
    const place = (file: string, line: number): Place => ({ file, line, column: 1, text: '' })
    const calls = [{ caller: undefined, step: 0, after: 0, place: undefined, code: place(testFile, 20) }]
    const isOfTest = (...files: string[]): ((at: Place) => boolean) => testCodeIn({ recording: { calls } as unknown as InputRecording, testFile }, files.map((file) => ({ place: place(file, 3) }) as Access))
    const [above, inBody] = [place(testFile, 3), place(testFile, 21)]
    expect([above, inBody].map(isOfTest(testFile, '/app/node_modules/gateway/index.js'))).toEqual([false, true])
    expect([above, inBody].map(isOfTest(testFile, '/app/service.ts'))).toEqual([true, true])
    expect([place('/app/service.ts', 30)].map(isOfTest(testFile, '/app/service.ts'))).toEqual([false])
  })
})

test.each(['await', 'event-loop'] as const)('two that ask whether there is such a key both make what is kept under that: twice initialised: %s', async (interleave) => {
  const container = madeOf(
    `return (make) => {
      const kept = new Map()
      return async (token) => {
        if (kept.has(token)) return kept.get(token)
        const instance = await make(token)
        kept.set(token, instance)
        return instance
      }
    }`,
    '/app/container.cjs',
  )
  const text = await headlineOf(
    `let made = 0
    const resolve = container(async () => { await new Promise((done) => setTimeout(done, 1)); return { id: ++made } })
    const [one, other] = await Promise.all([resolve('pool'), resolve('pool')])
    if (one !== other) throw new Error('two of them')`,
    { given: { container }, testFile: '/app/container.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Double initialisation on kept\.get\("pool"\): /)
})

test('who enters a claim under a key that he has not found acts by an old look', async () => {
  const seats = madeOf(
    `return () => {
      const taken = new Map()
      return async (seat, who) => {
        if (taken.has(seat)) throw new Error('taken')
        await null
        taken.set(seat, { by: who })
      }
    }`,
    '/app/seats.cjs',
  )
  const text = await headlineOf(
    `const take = seats()
    const all = await Promise.allSettled([take('1A', 'ann'), take('1A', 'bob')])
    if (all.every(({ status }) => status === 'fulfilled')) throw new Error('both have it')`,
    { given: { seats }, testFile: '/app/seats.spec.cjs' },
  )
  expect(text).toMatch(/^Check-then-act on taken\.get\("1A"\): /)
})
