import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Database } from '../../src/runtime/drivers/sql/database.ts'
import { missing, startServer, type Pool, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { validity } from '../../src/engine/validity.ts'
import { compareWith } from '../servers/comparison.ts'
import { print, type Program } from '../servers/scripts.ts'
import { compare, source } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { Locks } from './locks.ts'
import { contents, generate, generateAlone, generateFurther, reset, schema } from './program.ts'

const transaction = (level: 'read committed' | 'repeatable read' | 'serializable', ...texts: string[]): Program[number] => ({ level, steps: texts.map((text) => ({ text, values: [] })) })
const twice = (script: Program[number]): Program => [script, script]

const read = 'select v from t where id = 1'
const write = { text: 'update t set v = $1 + 1 where id = 1', values: ['$last' as const] }
const update = (level: Program[number]['level'], locks = ''): Program[number] => ({ level, steps: [{ text: read + locks, values: [] }, write] })
const both = 'select sum(v)::int as v from t'
const set = (id: number): string => `update t set v = 0 where id = ${id}`
const spend = 'update t set v = v - 6 where id = 1 and v >= 6'
const add = (id: number): string => `update t set v = v + 1 where id = ${id}`

describe.skipIf(missing !== undefined)(`orders of statements on the real server${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let pool: Pool
  let enumeration: Enumeration
  let locks: Locks
  const before = { ...validity }
  beforeAll(async () => {
    // What a statement finds decides what it does: what is told of it has to tell that.
    Object.assign(validity, { checked: true, decided: true })
    server = startServer()
    pool = new server.pg.Pool(server.config)
    await pool.query(schema)
    enumeration = await Enumeration.open(server)
    locks = await Locks.open(server)
  })
  afterAll(async () => {
    Object.assign(validity, before)
    await enumeration?.close()
    await locks?.close()
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
    ['who waits for one, and then for another', [transaction('read committed', 'delete from c where id = 1'), transaction('serializable', 'update t set v = v + 5 where v > 5'), transaction('read committed', 'delete from t where id = 1')], 18, 31],
    ['who waits with another, and then for that', [
      transaction('read committed', 'update t set v = 5 where id = 2', 'insert into t (id, v) values (2, 0)'), transaction('read committed', 'update t set v = 1 where id = 2'), { level: undefined, steps: [{ text: 'insert into t (id, v) values (2, 10)', values: [] }] },
    ], 20, 20],
    ['several that insert one row, once the first is rolled back', [
      transaction('read committed', 'insert into t (id, v) values (3, 5)', 'insert into t (id, v) values (1, 0)'), transaction('repeatable read', 'insert into t (id, v) values (3, 1)'), { level: undefined, steps: [{ text: 'insert into t (id, v) values (3, 2)', values: [] }] },
    ], 16, 16],
    ['two that wait in a circle, with one that waits for the same', [
      transaction('read committed', 'insert into t (id, v) values (3, 5)', 'update t set v = 1 where id = 1'), transaction('read committed', 'update t set v = 2 where id = 1', 'insert into t (id, v) values (3, 1)'), { level: undefined, steps: [{ text: 'insert into t (id, v) values (3, 2)', values: [] }] },
    ], 65, 57],
    ['a circle that closes when a third one lets go', [transaction('read committed', add(1)), transaction('read committed', 'delete from c where id = 1', 'update t set v = 5'), transaction('read committed', add(2), 'delete from c where id = 1')], 89, 218],
    ['an INSERT that fails ends what its transaction holds', [transaction('read committed', 'update t set v = v + 5 where v > 5', 'insert into c (id, t_id) values (1, 1)'), transaction('serializable', "insert into u (name) values (10)", 'update t set v = v + 5 where v > 10')], 5, 7],
    ['who goes on from a savepoint holds what he did before it', [transaction('read committed', add(1), 'savepoint a', 'insert into t values (2, 0)', 'rollback to a'), { level: undefined, steps: [read, read].map((text) => ({ text, values: [] })) }], 15, 21],
    ['the same with who passes over what is locked', [transaction('read committed', add(1), 'savepoint a', 'insert into t values (2, 0)', 'rollback to a'), { level: undefined, steps: [{ text: `${read} for update skip locked`, values: [] }] }], 5, 6],
    ['who goes back to a savepoint lets go of what he did since', [transaction('read committed', add(1), 'savepoint a', add(2), 'rollback to a', read), transaction('read committed', `${read} for update nowait`, 'select v from t where id = 2 for update nowait')], 6, 9],
    ['three that change one row', [transaction('read committed', add(1)), transaction('read committed', add(1)), transaction('repeatable read', add(1))], 28, 28],
    ['three that change one row as long as it is something', [transaction('read committed', spend), transaction('read committed', spend), { level: undefined, steps: [{ text: spend, values: [] }] }], 22, 22],
    ['locks in one order', twice(transaction('read committed', add(1), add(2))), 6, 6],
  ])('%s', async (_, program, executions, orders) => {
    expect(await compare(program, { pool, enumeration, limit: 300 })).toEqual({ lost: [], invented: [], executions, orders, verdict: 'holds' })
  })

  const upToServer = expect.stringContaining('the server alone decides')

  test('which of two goes on first that wait for one row, and see other rows as they were at two moments, the server alone decides', async () => {
    const changesAll = 'update t set v = v + 1 where v > 5'
    const program: Program = [transaction('read committed', add(1)), transaction('read committed', changesAll), { level: undefined, steps: [set(2), changesAll].map((text) => ({ text, values: [] })) }]
    const { verdict, invented } = (await compare(program, { pool, enumeration, limit: 400 }))!
    expect({ verdict, invented }).toEqual({ verdict: upToServer, invented: [] })
  }, 60_000)

  test('who is sent again finds a row that has come in the place of the one that it has waited for: nothing holds', async () => {
    const replaces = transaction('read committed', add(1), 'delete from c', 'delete from t where id = 1', 'insert into t (id, v) values (1, 5)')
    const { verdict } = await compareWith({ outcomes: [], orders: 0 }, source([replaces, transaction('read committed', add(1)), transaction('read committed', add(1))]), { scope: { pool, reset, contents }, limit: 400 })
    expect(verdict).toEqual(upToServer)
  }, 60_000)

  test('where the server may let either of two go on first nothing holds that is not complete', async () => {
    const program: Program = [
      transaction('read committed', 'update t set v = v + 5 where v > 0'), { level: undefined, steps: [{ text: 'update t set v = (select max(v) from t) where id = 1 returning v', values: [] }] }, transaction('serializable', set(1), 'select v from t where id = 3 for share'),
    ]
    const { verdict, lost, invented } = (await compare(program, { pool, enumeration, limit: 300 }))!
    expect(invented).toEqual([])
    if (lost.length > 0) expect(verdict).toEqual(upToServer)
  }, 60_000)

  test('random programs end as they do in all orders', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      for (const program of [generate(seed), generateFurther(seed)]) {
        const comparison = await compare(program, { pool, enumeration, limit: 20 })
        if (comparison) expect(comparison, print(program)).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
      }
    }
  })

  test('what the server locks for random transactions is among what they are said to access', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const script = generateAlone(seed)
      expect(await locks.unseenOf(script), print([script])).toEqual([])
    }
  })

  test('a lock that is not told is noticed', async () => {
    const script = transaction('read committed', `${read} for update`)
    expect(await locks.unseenOf(script, () => ({ kind: 'nothing' }))).toEqual([`${read} for update [] locks t `, `${read} for update [] locks t 1`])
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
