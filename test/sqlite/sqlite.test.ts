import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { learnToReadSqlite } from '../../src/runtime/drivers/sqlite/footprint.ts'
import { valuesIn } from '../../src/runtime/drivers/sqlite/parameters.ts'
import { forgetSchema, schemaOf } from '../../src/runtime/drivers/sqlite/schema.ts'
import { Database as Rows } from '../../src/runtime/drivers/sql/database.ts'
import { investigated } from '../report/executed.ts'
import { compare } from './compare.ts'
import { drivers, opener } from './open.ts'
import { generate, generateFurther, print, start, type Ask, type Program, type Step } from './program.ts'

const asks = (...all: readonly (readonly [by: Ask['by'], text: string, ...values: unknown[]])[]): Step[] => all.map(([by, text, ...values]) => ({ asks: [{ by, text, values }], isTransaction: false }))
const own = (...tasks: Step[][]): Program => ({ tasks, connections: tasks.map(() => 0) })
const each = (...tasks: Step[][]): Program => ({ tasks, connections: [...tasks.keys()] })
const increment = asks(['get', 'select n from t where id = ?', 1], ['run', 'update t set n = ? where id = ?', '$next', 1])
const inTransaction: Step[] = [{ asks: increment.flatMap((step) => step.asks), isTransaction: true }]
const row = (id: number): Step[] => asks(['get', 'select n from t where id = ?', id], ['run', 'update t set n = n + 1 where id = ?', id])
const insertOf = (id: number): Step[] => asks(['run', 'insert into t values (?, ?)', id, 0])

describe.each(drivers)('orders of statements of SQLite (%s)', (_, Driver) => {
  const { open, end } = opener(Driver)
  afterAll(end)

  test.each<[name: string, program: Program, executions: number, orders: number]>([
    ['read, write', own(increment, increment), 4, 6],
    ['by two connections', each(increment, increment), 4, 6],
    ['in a transaction', own(inTransaction, inTransaction), 2, 2],
    ['in transactions of two connections', each(inTransaction, inTransaction), 2, 2],
    ['rows of their own', own(row(1), row(2)), 1, 6],
    ['rows of their own by two connections', each(row(1), row(2)), 1, 6],
    ['rows that come', own(insertOf(3), insertOf(4)), 1, 2],
    ['rows that come, and are counted', own(insertOf(3), asks(['get', 'select count(*) as n from t'])), 2, 2],
    ['rows that are numbered', own(asks(['run', 'insert into t (n) values (1)']), asks(['run', 'insert into t (n) values (2)'])), 2, 2],
    ['what the last one has done', own(insertOf(3), asks(['run', 'update t set n = 0 where id in (1, 2)'], ['get', 'select changes() as n'])), 3, 3],
    ['texts that begin with a look', own(asks(['exec', 'select 1; insert or replace into t values (1, 5)']), asks(['get', 'select n from t where id = 1'])), 2, 2],
    ['a trigger', own(asks(['run', 'update watched set n = 3 where id = 1']), asks(['all', 'select * from log'])), 2, 2],
    ['a view', own(asks(['run', 'update t set n = 3 where id = 1']), asks(['get', 'select n from sums'])), 2, 2],
    ['an index that holds for some rows alone', own(asks(['run', 'update marks set n = 1 where rowid = 1']), asks(['run', 'update marks set n = 1 where rowid = 2'])), 2, 2],
    ['a transaction that is open meanwhile', each(asks(['exec', 'begin immediate'], ['run', 'update t set n = 5 where id = 1'], ['exec', 'commit']), asks(['run', 'update t set n = 6 where id = 2'])), 4, 4],
  ])('%s', async (name, program, executions, orders) => {
    expect(await compare(program, { open, limit: 100 }), name).toEqual({ lost: [], invented: [], executions, orders, verdict: 'holds' })
  })

  test('random programs end as they do in all orders', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      for (const program of [generate(seed), generateFurther(seed)]) {
        const comparison = await compare(program, { open, limit: 20 })
        if (comparison) expect(comparison, print(program)).toMatchObject({ lost: [], invented: [], verdict: 'holds' })
      }
    }
  })

  test('a conflict that is not told is noticed', async () => {
    const untold = vi.spyOn(Rows.prototype, 'access').mockImplementation(() => {})
    try {
      expect((await compare(own(increment, increment), { open, limit: 100 }))!.lost).not.toEqual([])
    } finally {
      untold.mockRestore()
    }
  })

  test('what decides what a statement accesses is asked of the database', () => {
    const [connection] = open(1)
    connection!.exec(start)
    const { catalogue, isPlain } = schemaOf(connection as never)!
    expect(isPlain).toBe(true)
    expect(catalogue.get('main.t')).toEqual({ name: 't', key: 'id', hasIntegerKey: true, checked: new Set(), hasOtherUnique: false, refersTo: [], isReferredTo: false, counted: new Set(['id']), runsCode: false, columns: ['id', 'n'] })
    expect(catalogue.get('main.child')).toMatchObject({ checked: new Set(['parent']), refersTo: ['parent'], isReferredTo: false })
    expect(catalogue.get('main.parent')).toMatchObject({ checked: new Set(['id']), isReferredTo: true })
    expect(catalogue.get('main.watched')).toMatchObject({ key: 'id', counted: new Set(), runsCode: true })
    expect(catalogue.get('main.marks')).toMatchObject({ key: undefined, hasOtherUnique: true, checked: new Set(['n', 'name']) })
    expect(catalogue.has('main.sums')).toBe(false)
    connection!.exec('create temp table t (id integer primary key)')
    forgetSchema(connection as never)
    expect(schemaOf(connection as never)!.isPlain).toBe(false)
  })
})

describe('what goes wrong is told by rows: a lost update', () => {
  const [, Driver] = drivers[0]!
  const { open, end } = opener(Driver)
  beforeAll(() => learnToReadSqlite({ isUsed: true }))
  afterAll(end)

  test('of a row that is not there both find none: it is made twice', async () => {
    const code = `const [connection] = open(1)
connection.exec(start)
const make = async (n) => {
  const found = connection.prepare('select n from t where id = ?').get(7)
  await null
  if (!found) connection.prepare('insert into t values (?, ?)').run(7, n)
}
await Promise.all([make(1), make(2)])`
    const { message } = await investigated(code, { given: { open, start }, maxExecutions: 100 })
    expect(stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')).toContain("Double initialisation on t[7]: make#2")
  })

  test.each([['by one connection', 1], ['by two', 2]])('%s is told by rows, values and statements', async (_, count) => {
    const code = `const opened = open(${count})
opened[0].exec(start)
const add = async (connection, amount) => {
  const { n } = connection.prepare('select n from t where id = ?').get(1)
  await null
  connection.prepare('update t set n = ? where id = ?').run(n + amount, 1)
}
await Promise.all([add(opened[0], 1), add(opened[${count - 1}], 2)])
if (opened[0].prepare('select n from t where id = 1').get().n !== 13) throw new Error('lost')`
    const { message } = await investigated(code, { given: { open, start }, maxExecutions: 100 })
    const told = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
    expect(told).toMatch(/Lost update on t\[1\]: add#\d wrote \{"n":1\d\} from a value read before add#\d wrote \{"n":1\d\}\./)
    expect(told).toContain('select n from t where id = ? [1]')
    expect(told).toContain('What would mend it: one UPDATE that computes the value, or checks it in its WHERE; or a transaction in which nothing is awaited')
  })
})

test.each<[args: unknown[], parameters: string[], values: unknown[]]>([
  [[1, 2], ['?', '?'], [1, 2]],
  [[[1, 2]], ['?', '?'], [1, 2]],
  [[2, 1], ['?2', '?1'], [1, 2]],
  [[1], ['?', '?1'], [undefined, undefined]],
  [[{ a: 1, b: 2 }], [':b', '@a'], [2, 1]],
  [[{ $a: 1 }], ['$a'], [1]],
  [[{ a: 1 }, 5], ['?', ':a'], [5, 1]],
  [[], ['?'], [undefined]],
  [[new Uint8Array([1])], ['?'], [new Uint8Array([1])]],
])('values of a call: %j for %j', (args, parameters, values) => {
  expect(valuesIn(args, parameters)).toEqual(values)
})
