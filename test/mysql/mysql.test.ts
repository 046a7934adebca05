import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { catalogueOf, questions } from '../../src/runtime/drivers/mysql/catalogue.ts'
import { mysql } from '../../src/runtime/drivers/sqlparser/dialects.ts'
import { loadParser } from '../../src/runtime/drivers/sqlparser/parser.ts'
import { effectsOf } from '../../src/runtime/drivers/sqlparser/statements.ts'
import type { Catalogue } from '../../src/runtime/drivers/sql/catalogue.ts'
import { Database } from '../../src/runtime/drivers/sql/database.ts'
import type { TableAccess } from '../../src/runtime/drivers/sql/footprint.ts'
import { missing, startServer, type Pool, type Server } from '../explored/uninstrumented/mysql-server.ts'
import { print, type Program } from '../servers/scripts.ts'
import { compare } from './compare.ts'
import { Enumeration } from './enumerate.ts'
import { generate, schema } from './program.ts'

const parse = await loadParser(mysql)

const transaction = (level: Program[number]['level'], ...texts: string[]): Program[number] => ({ level, steps: texts.map((text) => ({ text, values: [] })) })
const twice = (script: Program[number]): Program => [script, script]

const read = 'select v from t where id = 1'
const update = (level: Program[number]['level'], locks = ''): Program[number] => ({ level, steps: [{ text: read + locks, values: [] }, { text: 'update t set v = ? + 1 where id = 1', values: ['$last'] }] })
const both = 'select cast(sum(v) as signed) as v from t'
const set = (id: number): string => `update t set v = 0 where id = ${id}`
const add = (id: number): string => `update t set v = v + 1 where id = ${id}`

describe.skipIf(missing !== undefined)(`orders of statements on MariaDB${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let pool: Pool
  let enumeration: Enumeration
  let catalogue: Catalogue
  beforeAll(async () => {
    server = await startServer()
    const admin = await server.mysql.createConnection(server.config)
    await admin.query('create database oracle_test')
    await admin.end()
    pool = server.mysql.createPool({ ...server.config, database: 'oracle_test' })
    for (const text of [...schema, 'create table n (id varchar(5) primary key, v int)']) await pool.query(text)
    enumeration = await Enumeration.open(server, 'oracle_test')
    const answers: Record<string, any> = {}
    for (const [name, text] of Object.entries(questions)) [answers[name]] = await pool.query(text)
    catalogue = catalogueOf(answers as Parameters<typeof catalogueOf>[0], 'oracle_test')
  })
  afterAll(async () => {
    await enumeration?.close()
    await pool?.end()
    server?.stop()
  })

  test.each<[name: string, program: Program]>([
    ['read, write, autocommit', twice(update(undefined))],
    ['read, write, REPEATABLE READ', twice(update('repeatable read'))],
    ['read, write, FOR UPDATE', twice(update('read committed', ' for update'))],
    ['a lock on a row that is missing', [transaction('repeatable read', 'select v from t where id = 5 for update', 'select v from t where id = 1'), transaction('repeatable read', 'insert into t values (7, 1)')]],
    ['write skew, SERIALIZABLE', [transaction('serializable', both, set(1)), transaction('serializable', both, set(2))]],
    ['locks in two orders', [transaction('repeatable read', add(1), add(2)), transaction('repeatable read', add(2), add(1))]],
  ])('%s', async (_, program) => {
    expect(await compare(program, { pool, enumeration, limit: 100 })).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
  })

  test('random programs end as they do in all orders', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const program = generate(seed)
      const comparison = await compare(program, { pool, enumeration, limit: 20 })
      if (comparison) expect(comparison, print(program)).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
    }
  })

  test('what is locked of a row that was deleted does not depend on when the server clears it away', async () => {
    const program: Program = [
      { level: undefined, steps: [{ text: 'delete from t where v > ?', values: [15] }, { text: 'insert into t (id, v) values (?, ?)', values: [2, 5] }] },
      { level: 'serializable', steps: [{ text: 'select v from t where id = ?', values: [2] }, { text: 'insert ignore into t (id, v) values (?, ?)', values: [3, 15] }] },
    ]
    for (let times = 0; times < 5; times++) expect(await compare(program, { pool, enumeration, limit: 100 })).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
  })

  test('a conflict that is not told is noticed', async () => {
    const untold = ['access', 'changeEverything'].map((name) => vi.spyOn(Database.prototype, name as 'access').mockImplementation(() => {}))
    try {
      expect((await compare(twice(update(undefined)), { pool, enumeration, limit: 100 }))!.lost).not.toEqual([])
    } finally {
      for (const one of untold) one.mockRestore()
    }
  })

  const text = ({ table, kind, row, inOrder }: TableAccess): string => `${kind} ${table}${row === undefined ? '' : ` ${row}`}${inOrder ? ' in order' : ''}`

  test.runIf(parse).each<[statement: string, accesses: string, values?: unknown[]]>([
    ['select v from t where id = ?', 'read t 5', ['5']],
    ['select v from `t` as x where 3 = x.id and v > 2', 'read t 3'],
    ['select v from t where id in (?, -1, ?)', 'read t 7, read t -1, read t 8', [7, 8]],
    ['select v from oracle_test.t where id = 1 or v = 2', 'read t in order'],
    ["select v from t where id = '1a'", 'read t in order'],
    ["select v from n where id = 'a'", 'read n in order'],
    ['select count(*) from t', 'read t'],
    ['select * from t join c on c.t_id = t.id', 'read t in order, read c in order'],
    ['select v from t where id = 1 for update', 'lock t 1'],
    ['select v from t where id = 1 lock in share mode', 'lock t 1'],
    ['select v from t where v = 1 for update', 'write t'],
    ['update u set v = v + 1 where id = ? and v < ?', 'write u 2', [2, 9]],
    ['update u set name = 5 where id = 2', 'write u'],
    ['update t set v = 1 where id = 1', 'write t 1'],
    ['update t set id = 2 where id = 1', 'everything'],
    ['insert into c (id, t_id) values (4, 1)', 'write c 4, check t'],
    ['insert into u (name) values (1)', 'write u'],
    ['insert into n values (1, 2)', 'write n'],
    ['insert into t values (?, 2)', 'write t 4', [4]],
    ['insert into e values (1, 5), (2, 7)', 'write e 1, write e 2'],
    ['insert into e values (1, null)', 'write e'],
    ['insert into e values (1, 5), (2, 0)', 'write e'],
    ['insert into e (id) values (1)', 'write e'],
    ['insert into u values (0, 5, 1)', 'write u'],
    ['delete from c where id = 1', 'write c 1'],
    ['delete from t where id = 1', 'everything'],
    ['replace into t values (1, 2)', 'everything'],
    ['insert into t values (1, 2) on duplicate key update v = 1', 'everything'],
    ['update t set v = 1 limit 1', 'everything'],
    ['select v from t where id = 1 for update skip locked', 'everything'],
    ['select get_lock(1, 2)', 'everything'],
    ['select @a', 'everything'],
    ['select v into @a from t', 'everything'],
    ['select v from (select * from t) as x', 'everything'],
    ['select /*! sql_no_cache */ v from t', 'everything'],
    ['select * from other.t', 'everything'],
    ['truncate t', 'everything'],
  ])('%s', (statement, accesses, values = []) => {
    const [tree] = parse!(statement) ?? []
    const effects = tree && effectsOf(tree, () => values, { catalogue, database: 'oracle_test', dialect: mysql })
    expect(effects ? [...effects.writes, ...effects.reads].map(text).join(', ') : 'everything').toBe(accesses)
  })
})
