import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rememberDriver } from '../../src/runtime/execution/loaded-drivers.ts'
import { missing, startServer, type Client, type Server } from '../explored/uninstrumented/postgres-server.ts'
import { investigated, run } from '../report/executed.ts'

interface Tx {
  query(text: string, values?: readonly unknown[]): Promise<unknown>
  exec(text: string): Promise<readonly unknown[]>
  rollback(): Promise<void>
  readonly closed: boolean
}

/** PGlite as its users see it: one session, which answers in the order of the calls, and nobody else as long as a transaction lasts. The server of this machine stands for the one inside. */
class Base {
  readonly client: Client
  #last: Promise<unknown> = Promise.resolve()
  constructor(client: Client) {
    this.client = client
  }
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
  query(text: string, values?: readonly unknown[]): Promise<unknown> {
    return this.#alone(() => this.client.query(text, values))
  }
  async sql([text = '', ...texts]: readonly string[], ...values: unknown[]): Promise<unknown> {
    return this.query(texts.reduce((before, after, i) => `${before}$${i + 1}${after}`, text), values)
  }
  exec(text: string): Promise<readonly unknown[]> {
    return this.#alone(async () => [await this.client.query(text)].flat())
  }
  transaction(work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    const { client } = this
    return this.#alone(async () => {
      await client.query('begin')
      let closed = false
      const ask = async (text: string, values?: readonly unknown[]): Promise<unknown> => {
        if (closed) throw new Error('Transaction is closed')
        return client.query(text, values)
      }
      const end = async (text: string): Promise<void> => {
        await ask(text)
        closed = true
      }
      const tx = { query: ask, sql: () => {}, exec: async (text: string) => [await ask(text)].flat(), rollback: () => end('rollback'), listen: () => {}, get closed() { return closed } }
      try {
        const value = await work(tx)
        if (!closed) await end('commit')
        return value
      } catch (error) {
        if (!closed) await end('rollback')
        throw error
      }
    })
  }
}

class PGlite extends Base {
  runExclusive(): void {}
}

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

  const parts = `const parts = async (tx) => (await tx.query('select count(*)::int as parts from part')).rows[0].parts\n`

  test('a look before a transaction is stale within it, and in the transaction it is not', async () => {
    const book = (before: string, within: string): string => `${parts}const book = async () => {
      await null
      ${before}
      return db.transaction(async (tx) => {
        ${within}
        if (found > 0) return 'full'
        await tx.query('insert into part (counter) values (1)')
        return 'booked'
      })
    }
    const all = await Promise.all([book(), book()])
    if (all.filter((one) => one === 'booked').length !== 1) throw new Error('booked twice')`
    const { message } = await investigated(book('const found = await parts(db)', ''), { given: { db } })
    const story = stripVTControlCharacters(message)
    expect(story).toContain('Error: booked twice')
    expect(story).toMatch(/Phantom read on part: .* read {"parts":0}/)
    expect(story).toMatch(/transaction#\d +executed-\d+.cjs:5 +commit: add {"counter":1} to part/)
    expect(story.replaceAll(/\s+/g, ' ')).toContain('was read by a statement of its own. What would mend it: to read it in the transaction that acts on it')
    const { result } = await run(book('', 'const found = await parts(tx)'), { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.executions]).toEqual(['holds', 2])
  })

  test('others wait for the end of a transaction, and what is asked within is asked by sql and exec as well', async () => {
    const { result } = await run(`const seen = new Set()
      await Promise.all([
        db.transaction(async (tx) => {
          const { rows: [{ n }] } = await tx.sql\`select n from counter where id = \${1}\`
          await tx.exec('update counter set n = ' + (n + 1) + ' where id = 1')
          await tx.query('update counter set n = n + 1 where id = 1')
        }),
        db.query('select n from counter where id = 1').then(({ rows: [{ n }] }) => { if (n !== 0 && n !== 2) throw new Error('saw ' + n) }),
        db.sql\`update counter set n = n + 10 where id = \${1}\`,
      ])
      const { rows: [{ n }] } = await db.query('select n from counter where id = 1')
      if (n !== 12) throw new Error('found ' + n)`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.inconclusiveReason]).toEqual(['holds', undefined])
  })

  test.each([
    ['throws', `throw new Error('no')`, 'no'],
    ['has a statement that fails', `await tx.query('insert into part (counter) values (77)')`, 'violates'],
    ['goes on after one', `await tx.query('insert into part (counter) values (77)').catch(() => {}); await tx.query('select 1')`, 'aborted'],
    ['goes on after one that is not understood', `await tx.exec('create table part (id int)').catch(() => {}); await tx.query('select 1')`, 'aborted'],
    ['rolls back, and asks once more', `await tx.rollback(); await tx.query('select 1')`, 'Transaction is closed'],
  ])('a transaction that %s leaves nothing', async (_, end, text) => {
    const { result } = await run(`const add = async () => {
      const error = await db.transaction(async (tx) => { await tx.query('update counter set n = n + 1 where id = 1'); ${end} }).catch((error) => error)
      if (!error.message.includes(${JSON.stringify(text)})) throw error
      if ((await db.query('select n from counter where id = 1')).rows[0].n !== 0) throw new Error('it is there')
    }
    await Promise.all([add(), add()])`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.inconclusiveReason]).toEqual(['holds', undefined])
  })

  test('rows are put back that were changed for the first time in a transaction that is rolled back', async () => {
    await other.query('create table fresh (id int primary key, n int); insert into fresh values (1, 0)')
    const { result } = await run(`const add = async () => {
      await null
      await db.transaction(async (tx) => { await tx.query('update fresh set n = n + 1 where id = 1'); throw new Error('no') }).catch(() => {})
      await db.query('update fresh set n = n + 1 where id = 1')
    }
    await Promise.all([add(), add()])
    const { rows: [{ n }] } = await db.query('select n from fresh')
    if (n !== 2) throw new Error('found ' + n)`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.inconclusiveReason]).toEqual(['holds', undefined])
    expect((await other.query('select n from fresh')).rows).toEqual([{ n: 0 }])
  })

  test('what a transaction returns comes back, one after the other, and nothing stays', async () => {
    const { result } = await run(`const add = () => db.transaction(async (tx) => {
        const { rows: [{ n }] } = await tx.query('select n from counter where id = 1')
        await tx.query('insert into part (counter) values (1)')
        await tx.query('update counter set n = $1 where id = 1', [n + 1])
        return n
      })
      const all = await Promise.all([add(), add()])
      if (all.join() !== '0,1' && all.join() !== '1,0') throw new Error('found ' + all)`, { given: { db }, stopOnFirst: false })
    expect([result.verdict, result.inconclusiveReason]).toEqual(['holds', undefined])
    expect((await other.query('select n, (select count(*) from part)::int as parts from counter where id = 1')).rows).toEqual([{ n: 0, parts: 0 }])
  })

  test('whoever waits within a transaction for what is asked outside of it waits for ever', async () => {
    const { result } = await run(`await db.transaction(async (tx) => { await tx.query('update counter set n = 5'); await db.query('select 1') })`, { given: { db } })
    expect(result.failures.map(({ kind }) => kind)).toEqual(['deadlock'])
    expect((await other.query('select n from counter where id = 1')).rows).toEqual([{ n: 0 }])
    expect(await db.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] })
  })

  test('an execution that fails within a transaction leaves none open', async () => {
    const { result } = await run(`void db.transaction(async (tx) => { await tx.query('update counter set n = 5'); await new Promise(() => {}) })
      await db.exec('select 1').then(() => { throw new Error('after all') })`, { given: { db } })
    expect(result.verdict).toBe('fails')
    expect((await db.query('select n from counter where id = 1'))).toMatchObject({ rows: [{ n: 0 }] })
  })

  test.each([
    ['db.exec("begin")', 'begins a transaction of PGlite by a statement of its own'],
    ['db.runExclusive(() => {})', "calls 'runExclusive' of PGlite"],
    ['db.transaction(async (tx) => tx.listen("a", () => {}))', "calls 'listen' of a transaction of PGlite"],
  ])('%s is refused', async (code, what) => {
    await expect(run(`await ${code}`, { given: { db } })).rejects.toThrow(what)
  })

  test('foreign keys are checked in what the body asks', async () => {
    const { result } = await run(`const error = await db.query('insert into part (counter) values (77)').catch((error) => error)
      if (error.code !== '23503') throw new Error('no check')`, { given: { db } })
    expect(result.verdict).toBe('holds')
  })
})
