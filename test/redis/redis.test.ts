import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Keyspace } from '../../src/runtime/drivers/redis/keyspace.ts'
import { missingRedis, startRedis, type RedisServer } from '../explored/uninstrumented/redis-server.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, generateFurther, print, type Program, type Step } from './program.ts'

const asks = (...calls: string[]): Step[] => calls.map((call) => ({ calls: [call.split(' ')], isTransaction: false }))
const own = (...tasks: Step[][]): Program => ({ tasks, shares: false })
const update = asks('GET a', 'SET a $last')
const watching: Step[] = [...asks('WATCH a', 'GET a'), { calls: [['SET', 'a', '$last']], isTransaction: true }]

describe.skipIf(missingRedis !== undefined)(`orders of commands on the real server${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  let server: RedisServer
  let clients: readonly Redis[]
  let enumeration: Enumeration
  beforeAll(async () => {
    server = await startRedis()
    clients = [1, 2, 3].map(() => new Redis(server.socket))
    enumeration = new Enumeration(clients)
  })
  afterAll(async () => {
    for (const client of clients ?? []) client.disconnect()
    await server?.stop()
  })

  test.each<[name: string, program: Program, executions: number, orders: number]>([
    ['read, write', own(update, update), 4, 6],
    ['read, write by one connection', { tasks: [update, update], shares: true }, 2, 2],
    ['keys of their own', own(asks('GET a', 'INCR a'), asks('GET b', 'INCR b')), 1, 6],
    ['fails to get a lock', own(asks('SET b 1 NX', 'GET a'), asks('SET b 2 NX', 'GET a')), 2, 6],
    ['WATCH', own(watching, watching), 6, 20],
    ['WATCH by one connection', { tasks: [watching, watching], shares: true }, 6, 6],
  ])('%s', async (_, program, executions, orders) => {
    expect(await compare(program, { clients, enumeration, limit: 100 })).toEqual({ lost: [], invented: [], executions, orders, verdict: 'holds' })
  })

  test('random programs end as they do in all orders', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      for (const program of [generate(seed), generateFurther(seed)]) {
        const comparison = await compare(program, { clients, enumeration, limit: 20 })
        if (comparison) expect(comparison, print(program)).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
      }
    }
  })

  test('a conflict that is not told is noticed', async () => {
    const untold = vi.spyOn(Keyspace.prototype, 'access').mockImplementation(() => {})
    try {
      expect((await compare(own(asks('GET a', 'INCR a'), asks('GET a', 'INCR a')), { clients, enumeration, limit: 100 }))!.lost).not.toEqual([])
    } finally {
      untold.mockRestore()
    }
  })
})
