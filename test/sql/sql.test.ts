import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Database } from '../../src/runtime/drivers/sql/database.ts'
import { missing, startServer, type Pool, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, print, schema, type Program } from './program.ts'

const transaction = (level: 'read committed' | 'repeatable read' | 'serializable', ...texts: string[]): Program[number] => ({ level, steps: texts.map((text) => ({ text, values: [] })) })
const twice = (script: Program[number]): Program => [script, script]

const read = 'select v from t where id = 1'
const write = { text: 'update t set v = $1 + 1 where id = 1', values: ['$last' as const] }
const update = (level: Program[number]['level'], locks = ''): Program[number] => ({ level, steps: [{ text: read + locks, values: [] }, write] })
const both = 'select sum(v)::int as v from t'
const set = (id: number): string => `update t set v = 0 where id = ${id}`
const add = (id: number): string => `update t set v = v + 1 where id = ${id}`

describe.skipIf(missing !== undefined)(`orders of statements on the real server${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let pool: Pool
  let enumeration: Enumeration
  beforeAll(async () => {
    server = startServer()
    pool = new server.pg.Pool(server.config)
    await pool.query(schema)
    enumeration = await Enumeration.open(server)
  })
  afterAll(async () => {
    await enumeration?.close()
    await pool?.end()
    server?.stop()
  })

  test.each<[name: string, program: Program, executions: number, orders: number]>([
    ['read, write, autocommit', twice(update(undefined)), 4, 6],
    ['read, write, READ COMMITTED', twice(update('read committed')), 10, 14],
    ['read, write, FOR UPDATE', twice(update('read committed', ' for update')), 6, 6],
    ['read, write, REPEATABLE READ', twice(update('repeatable read')), 10, 14],
    ['write skew, REPEATABLE READ', [transaction('repeatable read', both, set(1)), transaction('repeatable read', both, set(2))], 14, 20],
    ['write skew, SERIALIZABLE', [transaction('serializable', both, set(1)), transaction('serializable', both, set(2))], 20, 20],
    ['locks in two orders', [transaction('read committed', add(1), add(2)), transaction('read committed', add(2), add(1))], 12, 12],
    ['locks in one order', twice(transaction('read committed', add(1), add(2))), 6, 6],
  ])('%s', async (_, program, executions, orders) => {
    expect(await compare(program, { pool, enumeration, limit: 100 })).toEqual({ lost: [], invented: [], executions, orders, verdict: 'holds' })
  })

  test('random programs end as they do in all orders', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const program = generate(seed)
      const comparison = await compare(program, { pool, enumeration, limit: 20 })
      if (comparison) expect(comparison, print(program)).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
    }
  })

  test('a conflict that is not told is noticed', async () => {
    const untold = vi.spyOn(Database.prototype, 'access').mockImplementation(() => {})
    try {
      expect((await compare(twice(update(undefined)), { pool, enumeration, limit: 100 }))!.lost).not.toEqual([])
    } finally {
      untold.mockRestore()
    }
  })
})
