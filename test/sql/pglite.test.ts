import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, startServer, type Client, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { investigated, run } from '../report/executed.ts'

/** PGlite as its users see it: one session, which answers in the order of the calls. The server of this machine stands for the one inside. */
class Base {
  readonly client: Client
  constructor(client: Client) {
    this.client = client
  }
  query(text: string, values?: readonly unknown[]): Promise<unknown> {
    return this.client.query(text, values)
  }
  async exec(text: string): Promise<readonly unknown[]> {
    return [await this.client.query(text)].flat()
  }
  transaction(work: (tx: unknown) => Promise<unknown>): Promise<unknown> {
    return work(this)
  }
}

class PGlite extends Base {}

rememberDriver('@electric-sql/pglite/dist/index.js', { PGlite })
if (missing === undefined) rememberDriver('pg/lib/client.js', createRequire(import.meta.url)('pg/lib/client.js'))

describe.skipIf(missing !== undefined)(`PGlite${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let db: PGlite
  let other: Client
  beforeAll(async () => {
    server = startServer()
    const [client, beside] = [new server.pg.Client(server.config), new server.pg.Client(server.config)]
    await client.connect()
    await beside.connect()
    other = beside
    await client.query('create table counter (id int primary key, n int check (n < 100)); create table part (id serial primary key, counter int references counter); insert into counter values (1, 0), (2, 0)')
    db = new PGlite(client)
  })
  afterAll(async () => {
    await db?.client.end()
    await other?.end()
    server?.stop()
  })

  const add = `const add = async (id) => {
    const { rows: [row] } = await db.query('select n from counter where id = $1', [id])
    await db.query('update counter set n = $1 where id = $2', [row.n + 1, id])
  }\n`

  test('a lost update is found', async () => {
    const { message } = await investigated(`${add}await Promise.all([add(1), add(1)])
      if ((await db.query('select n from counter where id = 1')).rows[0].n !== 2) throw new Error('lost')`, { given: { db } })
    expect(stripVTControlCharacters(message)).toContain('Lost update on counter[1]: add#2 wrote')
  })

  test('one statement that does it holds, in each execution from the same rows', async () => {
    const { result } = await run(`const add = async () => { await null; await db.query('update counter set n = n + 1 where id = 1'); return (await db.query('select n from counter where id = 1')).rows[0].n }
      await db.query('insert into part (counter) values (1)')
      await Promise.all([add(), add()])
      const { rows } = await db.query('select n from counter where id = 1')
      if (rows[0].n !== 2) throw new Error('found ' + rows[0].n)`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.executions]).toEqual(['holds', 6])
    expect((await other.query('select n, (select count(*) from part)::int as parts from counter where id = 1')).rows).toEqual([{ n: 0, parts: 0 }])
  })

  test('what one call asks comes in that order, and what is not understood counts as a change of everything', async () => {
    const { result } = await run(`const all = await Promise.all([db.query('update counter set n = 7 where id = 2'), db.exec('select n from counter where id = 2; select 1')])
      if (all[1][0].rows[0].n !== 7) throw new Error('another order')`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.executions]).toEqual(['holds', 1])
  })

  test.each([['db.transaction(async (tx) => tx.query("select 1"))', 'calls \'transaction\' of PGlite'], ['db.exec("begin")', 'begins a transaction of PGlite']])('%s is refused', async (code, what) => {
    await expect(run(`await ${code}`, { given: { db } })).rejects.toThrow(what)
  })

  test('foreign keys are checked in what the body asks', async () => {
    const { result } = await run(`const error = await db.query('insert into part (counter) values (77)').catch((error) => error)
      if (error.code !== '23503') throw new Error('no check')`, { given: { db } })
    expect(result.verdict).toBe('holds')
  })
})
