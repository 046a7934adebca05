import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

/** What is read first of a failure. */
async function headlineOf(code: string, options: Parameters<typeof investigated>[1] = {}): Promise<string> {
  const { message } = await investigated(code, options)
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
}

describe('who is woken to take what is free', () => {
  const mutex = madeOf(
    `return () => {
      let locked = false
      const queue = []
      return async () => {
        if (locked) await new Promise((resolve) => queue.push(resolve))
        locked = true
        return () => { locked = false; queue.shift()?.() }
      }
    }`,
    '/app/mutex.cjs',
  )

  test('takes it from another one who has come in between', async () => {
    const text = await headlineOf(
      `const lock = mutex()
      let count = 0
      const bump = async (isLate) => {
        if (isLate) await null
        const unlock = await lock()
        const seen = count
        await null
        count = seen + 1
        unlock()
      }
      await Promise.all([bump(false), bump(false), bump(true)])
      if (count !== 3) throw new Error('lost')`,
      { given: { mutex }, testFile: '/app/mutex.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on locked: bump#\d wrote false for bump#2, then bump#3 wrote true, then bump#2 still wrote true\./)
  })
})

describe('where every order fails', () => {
  test('a check that is made again after an error is told, and not what the test counts', async () => {
    const checkout = madeOf(
      `const charges = new Map()
      return (charge) => async (order) => {
        const known = charges.get(order)
        if (known) return known
        for (let attempt = 1; ; attempt++) {
          try { const id = await charge(order); charges.set(order, id); return id } catch (error) { if (attempt >= 2) throw error }
        }
      }`,
      '/app/checkout.cjs',
    )
    const text = await headlineOf(
      `let calls = 0
      const ledger = []
      const pay = checkout(async () => { await null; if (calls++ === 0) throw new Error('ECONNRESET'); ledger.push(1); return 'ch_' + ledger.length })
      await Promise.all([pay('o-1'), pay('o-1')])
      if (ledger.length !== 1) throw new Error('paid twice')`,
      { given: { checkout }, testFile: '/app/checkout.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on charges\.get\("o-1"\): \S+#\d read undefined, then \S+#\d wrote "ch_1", then /)
  })

  test('of two looks of one step the one whose answer is acted on first is told', async () => {
    const pool = madeOf(
      `return (connect, max) => {
        const idle = []
        let total = 0
        return {
          async acquire() {
            const free = idle.pop()
            if (free) return free
            if (total >= max) throw new Error('exhausted')
            const connection = await connect()
            total++
            return connection
          },
          release: (connection) => idle.push(connection),
        }
      }`,
      '/app/pool.cjs',
    )
    const text = await headlineOf(
      `let opened = 0
      const pool = makePool(async () => { await null; return { id: ++opened } }, 1)
      const query = async () => { const connection = await pool.acquire(); await null; pool.release(connection) }
      await Promise.allSettled([query(), query()])
      if (opened !== 1) throw new Error('two')`,
      { given: { makePool: pool }, testFile: '/app/pool.spec.cjs' },
    )
    expect(text).toMatch(/^Check-then-act on total: query#2 read 0, then query#1 increased it to 1, then query#2 changed it to 2\./)
  })

  test('who has set out to make what another one makes has set out in vain, if it fails', async () => {
    const store = madeOf(
      `return (renew) => {
        let access = null, refresh = 'r0'
        return async () => {
          if (access === null) { const answer = await renew(refresh); access = answer.access; refresh = answer.refresh }
          return access
        }
      }`,
      '/app/store.cjs',
    )
    const text = await headlineOf(
      `let valid = 'r0', n = 0
      const token = store(async (refresh) => { await null; if (refresh !== valid) throw new Error('invalid_grant'); n++; valid = 'r' + n; return { access: 'a' + n, refresh: valid } })
      await Promise.all([token(), token()])`,
      { given: { store }, testFile: '/app/store.spec.cjs' },
    )
    expect(text).toMatch(/^Double initialisation on access: \S+#2 read null before \S+#1 wrote "a1"\./)
  })
})
