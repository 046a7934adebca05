import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { buy } from './shop.fixed.ts'

const server = inject('postgres' as never) as object | undefined
const pool = new pg.Pool({ ...server, database: 'fixed_shop_test' })

beforeAll(async () => {
  if (!server) return
  await pool.query('create table item (id int primary key, stock int); create table booking (id serial primary key, item_id int references item (id), customer text)')
  await pool.query('insert into item values (1, 1)')
})
afterAll(() => pool.end())

dporTest.skipIf(!server)('the last piece is sold once', async () => {
  const sold = await Promise.all([buy(pool, 1, 'ann'), buy(pool, 1, 'bob')])
  expect(sold.filter(Boolean)).toHaveLength(1)
  expect((await pool.query('select customer from booking')).rows).toHaveLength(1)
})
