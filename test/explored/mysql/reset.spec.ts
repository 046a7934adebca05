import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { missing, startServer, type Pool, type Server } from '../uninstrumented/mysql-server.ts'
import { outcomes } from '../uninstrumented/outcomes.ts'

let server: Server
let pool: Pool

const schema = [
  'create table account (id int primary key, balance int)',
  'create table booking (id int primary key auto_increment, account_id int, amount int, tax int generated always as (amount / 5) stored, foreign key (account_id) references account (id) on delete cascade)',
  'create table `Odd name` (n int, `A ``b` text)',
  'create table traced (id int primary key)',
  'create trigger note after insert on traced for each row insert into `Odd name` values (new.id, null)',
  'insert into account values (2, 200), (1, 100)',
  'insert into booking (account_id, amount) values (1, 5), (2, 10)',
  "insert into `Odd name` values (1, 'x'), (0, 'y')",
]

const contents = async (): Promise<unknown> => {
  const tables = ['account', 'booking', '`Odd name`', 'traced']
  const [status] = await pool.query("show table status like 'booking'")
  return [status[0].Auto_increment, (await pool.query('show tables'))[0], ...(await Promise.all(tables.map(async (table) => (await pool.query(`select * from ${table}`))[0])))]
}

describe.skipIf(missing !== undefined)(`rows are put back after each execution${missing === undefined ? '' : ` (${missing})`}`, () => {
  let before: unknown
  beforeAll(async () => {
    server = await startServer()
    const admin = await server.mysql.createConnection(server.config)
    await admin.query('create database shop_test')
    await admin.query('create database shop')
    await admin.end()
    pool = server.mysql.createPool({ ...server.config, database: 'shop_test' })
    for (const text of schema) await pool.query(text)
  })
  beforeEach(async () => {
    before = await contents()
  })
  afterEach(async () => {
    expect(await contents()).toEqual(before)
  })
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  test('after inserts, with their numbers', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const book = async (amount: number) => (await pool.query('insert into booking (account_id, amount) values (1, ?)', [amount]))[0].insertId
      const ids = await Promise.all([book(1), book(2)])
      await pool.query('update account set balance = 0 where id = 2')
      return [ids, (await pool.query('select id from account'))[0].map(({ id }: { id: number }) => id), (await pool.query('select amount from booking'))[0].length]
    })
    expect({ seen, verdict }).toEqual({ seen: ['[[3,4],[1,2],4]', '[[4,3],[1,2],4]'], verdict: 'holds' })
  })

  test.each([
    ['a deletion that others follow', ['delete from account where id = 1']],
    ['of everything', ['delete from booking', 'truncate booking']],
    ['of a table without a key', ['delete from `Odd name` where n = 1', "insert into `Odd name` values (1, 'x')"]],
    ['that makes a table', ['create table `New one` (id int)', 'insert into `New one` values (1)']],
    ['that is rolled back', ['begin', 'insert into booking (account_id, amount) values (1, 1)', 'rollback']],
    ['that fails', ['insert into account values (1, 1)']],
    ['that nobody ends', ['begin', 'delete from booking']],
  ])('after a change %s', async (_, texts) => {
    const { verdict } = await outcomes(async () => {
      const connection = await pool.getConnection()
      for (const text of texts) await connection.query(text).catch(() => {})
      connection.release()
    })
    expect(verdict).toBe('holds')
  })

  test('after a body that fails', async () => {
    const set = async (...values: readonly (readonly [id: number, balance: number])[]) => {
      for (const [id, balance] of values) await pool.query('update account set balance = ? where id = ?', [balance, id])
    }
    const { verdict } = await explore(async () => {
      await Promise.all([set([1, 5], [2, 5]), set([2, 7], [1, 7])])
      const [[one, two]] = await pool.query('select balance from account')
      expect(one).toEqual(two)
    })
    expect(verdict).toBe('fails')
  })

  test('a table with triggers is named: nobody can keep them from running', async () => {
    const { verdict, inconclusiveReason } = await explore(async () => {
      await pool.query('insert into traced values (7)')
    })
    expect({ verdict, inconclusiveReason }).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('`traced` has triggers') })
    await pool.query('delete from traced')
    await pool.query('delete from `Odd name` where n = 7')
  })

  test('rows of a database that is not named like one for tests stay', async () => {
    const other = server.mysql.createPool({ ...server.config, database: 'shop' })
    await other.query('create table account (id int primary key)')
    await explore(async () => {
      await other.query('insert ignore into account values (1)')
    })
    expect((await other.query('select * from account'))[0]).toEqual([{ id: 1 }])
    await other.end()
  })
})
