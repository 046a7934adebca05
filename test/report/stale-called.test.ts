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
