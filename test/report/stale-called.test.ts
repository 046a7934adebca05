import { expect, test } from 'vitest'
import { investigated } from './executed.ts'

const headlineOf = async (code: string): Promise<string> => (await investigated(code, { interleave: 'event-loop', io: () => 'awaits' })).explanation.headline

test('what is put to a list while one call waits for answers is lost with it, whoever the call goes on as', async () => {
  const headline = await headlineOf(`
    const end = async (client) => { await null; client.open = false }
    const pool = { idle: [],
      release(client) { pool.idle.push(client) },
      async closeIdle() { await Promise.all(pool.idle.map(end)); pool.idle = [] } }
    const clients = [{ open: true }, { open: true }]
    pool.release(clients[0])
    const request = async () => { await null; pool.release(clients[1]) }
    await Promise.all([request(), pool.closeIdle()])
    await pool.closeIdle()
    if (clients.some(({ open }) => open)) throw new Error('open')`)
  expect(headline).toMatch(/^Lost update on pool\.idle: end#1 wrote \[\] from a value read before request#1 pushed /)
})

test('a check of a call, and its act after an answer that begins a process of its own', async () => {
  const headline = await headlineOf(`
    const seats = { taken: undefined }
    const ask = async () => { await null }
    const take = async (name) => { if (seats.taken) return false; await Promise.all([ask(), ask()]); seats.taken = name; return true }
    const taken = await Promise.all([take('ann'), take('bob')])
    if (taken[0] && taken[1]) throw new Error('twice')`)
  expect(headline).toMatch(/^(?:Check-then-act|Double initialisation) on seats\.taken: /)
})

test('a check in a call that is waited for, and its act in the next one', async () => {
  const later = 'const later = async (work) => { await null; return work() }'
  const counted = await investigated(`${later}
    const values = new Map()
    let last = Promise.resolve()
    const transaction = (work) => { const done = last.then(work); last = done; return done }
    const add = async () => {
      const n = await transaction(async () => values.get('n'))
      await transaction(async () => { values.set('n', (n ?? 0) + 1) })
    }
    await Promise.all([add(), add()])
    if (values.get('n') !== 2) throw new Error('lost')`)
  expect(counted.explanation.headline).toMatch(/^Lost update on values\.get\("n"\): /)
  const skewed = await investigated(`${later}
    const onCall = { ann: true, bob: true }
    const leave = async (name) => {
      const all = await Promise.all([later(() => onCall.ann), later(() => onCall.bob)])
      if (all.filter(Boolean).length < 2) return
      await Promise.all([later(() => { onCall[name] = false })])
    }
    await Promise.all([leave('ann'), leave('bob')])
    if (!onCall.ann && !onCall.bob) throw new Error('nobody')`)
  expect(skewed.explanation.headline).toMatch(/^Write skew on onCall\.(?:ann|bob): leave#(\d) read true, then leave#\d wrote false, then leave#\1 still wrote onCall\.(?:ann|bob) = false\.$/)
})
