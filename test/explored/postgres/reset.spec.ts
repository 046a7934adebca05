import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missing, startServer, type Pool, type Server } from '../uninstrumented/postgres-server.ts'

let server: Server
let pool: Pool

const schema = `create table account (id int primary key, balance int);
create table booking (id serial primary key, account_id int references account (id) on delete cascade, amount int, tax int generated always as (amount / 5) stored);
create table "Odd name" (n int generated always as identity, "A b" text);
create table log (n int);
create table item (n int primary key, name text);
create function note() returns trigger language plpgsql as $$ begin insert into log values (new.balance); return new; end $$;
create trigger note after insert or update on account for each row execute function note();
insert into account values (2, 200), (1, 100);
insert into booking (account_id, amount) values (1, 5), (2, 10);
insert into "Odd name" ("A b") values ('x');
insert into item values (3, 'c'), (1, 'a'), (2, 'b')`

const contents = async (): Promise<unknown> => {
  const texts = ['select * from account', 'select * from booking', 'select * from "Odd name"', 'select * from log', 'select * from item', 'select last_value, is_called from booking_id_seq']
  return Promise.all(texts.map(async (text) => (await pool.query(text)).rows))
}

describe.skipIf(missing !== undefined)(`rows are put back after each execution${missing === undefined ? '' : ` (${missing})`}`, () => {
  let before: unknown
  beforeAll(async () => {
    server = startServer()
    const admin = new server.pg.Client(server.config)
    await admin.connect()
    await admin.query('create database shop_test')
    await admin.query('create database shop')
    await admin.end()
    pool = new server.pg.Pool({ ...server.config, database: 'shop_test' })
    pool.on('error', () => {})
    await pool.query(schema)
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

  const add = async (amount: number): Promise<void> => {
    const { rows } = await pool.query('select balance from account where id = 1')
    await pool.query('update account set balance = $1 where id = 1', [rows[0].balance + amount])
  }

  test('after updates of two requests: nothing in the body does it', async () => {
    const { seen, verdict } = await outcomes(async () => {
      await Promise.all([add(1), add(2)])
      return (await pool.query('select balance from account where id = 1')).rows[0].balance
    })
    expect({ seen, verdict }).toEqual({ seen: ['101', '102', '103'], verdict: 'holds' })
  })

  test('after inserts, with their numbers, and the order of rows', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const book = async (amount: number) => (await pool.query('insert into booking (account_id, amount) values (1, $1) returning id', [amount])).rows[0].id
      const ids = await Promise.all([book(1), book(2)])
      await pool.query('update account set balance = 0 where id = 2')
      return [ids, (await pool.query('select id from account')).rows.map(({ id }) => id), (await pool.query('select amount from booking')).rows.length]
    })
    expect({ seen, verdict }).toEqual({ seen: ['[[3,4],[1,2],4]', '[[4,3],[1,2],4]'], verdict: 'holds' })
  })

  test.each([
    ['a deletion that others follow', 'delete from account where id = 1'],
    ['of everything', 'truncate account cascade'],
    ['of a table with an odd name', `insert into "Odd name" ("A b") values ('y'); delete from "Odd name" where n = 1`],
    ['of a sequence', "select nextval('booking_id_seq')"],
    ['of several tables in one text', 'insert into account values (3, 1); insert into booking (account_id, amount) values (3, 7)'],
    ['that makes a table', 'create table "New one" (id int); insert into "New one" values (1)'],
    ['that is rolled back', 'begin; delete from booking; rollback'],
    ['that fails', 'insert into account values (1, 1)'],
  ])('after a change %s', async (_, text) => {
    const { seen, verdict, executions } = await outcomes(async () => {
      const [, result] = await Promise.all([pool.query('select count(*) from log'), pool.query(text).catch((error: { code: string }) => ({ rowCount: error.code }))])
      return [result].flat().map(({ rowCount }) => rowCount)
    })
    expect(verdict).toBe('holds')
    expect(executions).toBeGreaterThan(0)
    expect(seen).toHaveLength(1)
    expect((await pool.query(`select to_regclass('"New one"') as name`)).rows).toEqual([{ name: null }])
  })

  const changeItems = () =>
    outcomes(async () => {
      await pool.query("update item set name = 'b' where n = 1")
      await pool.query("insert into item values (4, 'd')")
      return (await pool.query('select n, name from item')).rows.map(({ n, name }) => n + name).join(' ')
    })

  /** Where the last row of a table is that is changed again and again, and the file that the table is in. */
  const changeItemsOften = async () => {
    const files = new Set<number>()
    const places: number[] = []
    for (let i = 0; i < 10; i++) {
      expect(await changeItems()).toMatchObject({ seen: ['"3c 2b 1b 4d"'], verdict: 'holds' })
      const { rows } = await pool.query("select max((ctid::text::point)[1])::int as places, pg_relation_filenode('item') as file from item where ctid < '(1,0)'")
      places.push(rows[0].places)
      files.add(rows[0].file)
    }
    // A table that has just been emptied has four.
    expect(Math.max(...places)).toBeGreaterThan(10)
    expect(Math.max(...places)).toBeLessThanOrEqual(40)
    return { places, files: files.size }
  }

  test('a few rows where they are, in their order, and never so many times that the server tidies up there', async () => {
    const { places, files } = await changeItemsOften()
    expect(places.some((place, i) => i > 0 && place < places[i - 1]!)).toBe(true)
    expect(files).toBeLessThanOrEqual(2)
  })

  test('the same where somebody may still look at what is gone', async () => {
    const client = await pool.connect()
    await client.query('begin isolation level repeatable read')
    await client.query('select 1')
    try {
      expect((await changeItemsOften()).files).toBeGreaterThan(2)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('after a transaction that a failing body leaves open', async () => {
    const { verdict } = await explore(async () => {
      const client = await pool.connect()
      await client.query('begin')
      await client.query('delete from booking')
      throw new Error('left open')
    })
    expect(verdict).toBe('fails')
  })

  test('not in a database that is not named like one for tests: that they stay is said', async () => {
    const shop = new server.pg.Pool({ ...server.config, database: 'shop' })
    await shop.query('create table item (n int)')
    const { verdict, inconclusiveReason } = await explore(async () => {
      const insert = () => shop.query('insert into item select count(*) from item')
      await Promise.all([insert(), insert()])
      if ((await shop.query('select count(*)::int as n from item')).rows[0].n > 2) await shop.query('select 1')
    })
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('io.postgres.reset') })
    expect((await shop.query('select n from item')).rows).not.toEqual([])
    await shop.end()
  })

  test('a lock that somebody else holds: what could not be put back is said', { timeout: 30_000 }, async () => {
    const other = new server.pg.Client({ ...server.config, database: 'shop_test' })
    await other.connect()
    await other.query('begin; select * from account')
    const { verdict, inconclusiveReason } = await explore(async () => {
      await Promise.all([pool.query('update account set balance = 1 where id = 1'), pool.query('update account set balance = 2 where id = 1')])
    })
    await other.query('rollback')
    await other.end()
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('rows of the database shop_test (canceling statement due to lock timeout') })
    await pool.query('truncate log; update account set balance = 100 where id = 1; truncate log')
    before = await contents()
  })

  test.each<[what: string, ask: (slow: Pool) => Promise<unknown>]>([
    ['a statement is never sent', (slow) => slow.query('update account set balance = 5 where id = 1')],
    ['a connection is given back', async (slow) => (await slow.connect()).query('update account set balance = 5 where id = 1')],
  ])('an execution that is given up while a connection is made: %s', async (_, ask) => {
    const verify = (client: unknown, done: () => void): void => void setTimeout(done, 400)
    const slow = new server.pg.Pool({ ...server.config, database: 'shop_test', verify })
    const { inconclusiveReason } = await explore(() => ask(slow), { maxTime: 100 })
    expect(inconclusiveReason).toContain('maxTime of 100 ms')
    await new Promise((resolve) => void setTimeout(resolve, 600))
    expect((await pool.query('select balance from account where id = 1')).rows).toEqual([{ balance: 100 }])
    await slow.end()
  })

  const bookings: number[] = []
  dporTest('after a dporTest that passes and leaves other things behind', { hooks: 'once' }, async () => {
    await Promise.all([1, 2].map(async (amount) => {
      await add(amount)
      bookings.push(amount)
    }))
  })

  test('what that has left is there', () => {
    expect(bookings).toEqual([1, 2])
  })

  describe('around a dporTest', () => {
    beforeEach(() => pool.query('update account set balance = 50 where id = 1'))
    afterEach(() => pool.query('update account set balance = 100 where id = 1; truncate log'))
    dporTest('hooks find what they always find', async () => {
      await pool.query('update account set balance = balance + 1 where id = 1')
      expect((await pool.query('select balance from account where id = 1')).rows).toEqual([{ balance: 51 }])
    })
  })
})
