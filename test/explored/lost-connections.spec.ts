import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { killConnections } from './uninstrumented/killed-connections.ts'
import { counting, onlyOnce } from './uninstrumented/outcomes.ts'
import { missing as missingMysql, startServer as startMysql, type Pool as MysqlPool, type Server as MysqlServer } from './uninstrumented/mysql-server.ts'
import { missing, startServer, type Pool, type Server } from './uninstrumented/postgres-server.ts'

/** Somebody else ends connections: what a body makes of that is no failure of its orders. A connection that it ends itself is its own affair. */

describe.skipIf(missing !== undefined)(`PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let pool: Pool
  let sql: postgres.Sql
  const config = () => ({ ...server.config, database: 'lost_test' })
  beforeAll(async () => {
    server = startServer()
    const admin = new server.pg.Pool(server.config)
    await admin.query('create database lost_test')
    await admin.end()
    pool = new server.pg.Pool(config())
    pool.on('error', () => {})
    await pool.query('create table account (id int primary key, balance int); insert into account values (1, 0)')
    sql = postgres({ ...config(), onnotice: () => {} })
    await sql`select 1`
  })
  afterAll(async () => {
    await pool?.end()
    await sql?.end({ timeout: 1 })
    server?.stop()
  })

  const bodies = {
    async pg() {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const { rows } = await client.query('select balance from account where id = 1 for update')
        await client.query('update account set balance = $1 where id = 1', [rows[0].balance + 1])
        await client.query('commit')
      } finally {
        client.release(true)
      }
    },
    async postgres() {
      await sql.begin(async (own) => {
        const [row] = await own<{ balance: number }[]>`select balance from account where id = 1 for update`
        await own`update account set balance = ${row!.balance + 1} where id = 1`
      })
    },
  }

  test('one that is lost while an execution ends what was left open ends no process', async () => {
    for (let times = 0; times < 15; times++) {
      await explore(async () => {
        const left = await pool.connect()
        await left.query('begin')
        await left.query('update account set balance = 1 where id = 1')
        const { rows } = await left.query('select pg_backend_pid() as pid')
        await pool.query('select pg_terminate_backend($1)', [rows[0].pid])
      })
    }
    expect((await pool.query('select balance from account where id = 1')).rows).toEqual([{ balance: 0 }])
  })

  describe.each(Object.keys(bodies) as (keyof typeof bodies)[])('%s', (name) => {
    const add = bodies[name]
    test.each(['of the body', 'of vitest-dpor'] as const)('connections %s are killed from outside: nothing is said to fail', async (whose) => {
      const { host } = server.config
      for (const execution of [1, 2]) {
        const kills = onlyOnce(execution, () => killConnections(host, whose === 'of vitest-dpor' ? 'own' : 'others'))
        const { verdict, failures, inconclusiveReason } = await explore(async () => {
          await add()
          kills()
          await Promise.all([add(), add()])
        }, { stopOnFirst: false, maxTime: 20_000 })
        expect(failures).toEqual([])
        // Where nobody has asked by it any more it is the body alone that is another one.
        if (verdict !== 'holds') expect(inconclusiveReason).toMatch(/connection to (?:a|its) server was lost|\((?:terminating connection due to administrator command|read ECONNRESET)\)|outside was not the same/)
        expect(verdict).not.toBe('fails')
        await pool.query('update account set balance = 0').catch(() => {})
        await pool.query('update account set balance = 0')
        await sql`select 1`.catch(() => {})
        expect(await explore(() => Promise.all([add(), add()]), { stopOnFirst: false })).toMatchObject({ verdict: 'holds', failures: [] })
        expect((await pool.query('select balance from account')).rows).toEqual([{ balance: 0 }])
        expect((await pool.query("select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%'")).rows).toEqual([{ open: 0 }])
      }
    }, 60_000)
  })

  test('those of a pool that nobody has, after requests that have listened to theirs: the pool is told', async () => {
    const heard: unknown[] = []
    const idle = new server.pg.Pool(config())
    idle.on('error', (error) => void heard.push(error))
    await Promise.all([1, 2].map(() => idle.query('select pg_sleep(0.05)')))
    const add = async () => {
      const client = await idle.connect()
      const hears = () => {}
      client.on('error', hears)
      await client.query('update account set balance = balance + 1 where id = 1')
      client.off('error', hears)
      client.release()
    }
    expect(await explore(() => Promise.all([add(), add()]))).toMatchObject({ verdict: 'holds', failures: [] })
    killConnections(server.config.host, 'others')
    await expect.poll(() => heard.length).toBe(2)
    await idle.end()
  })

  test('a client that one request ends while another one asks it', async () => {
    const { verdict, failures } = await explore(async () => {
      const client = new server.pg.Client(config())
      await client.connect()
      await Promise.all([(async () => (await client.query('select 1'), client.query('select 2')))(), (async () => (await null, client.end()))()])
    })
    expect(verdict).toBe('fails')
    expect(String(failures[0]!.error)).toMatch(/closed|terminated/i)
  })
})

describe.skipIf(missingMysql !== undefined)(`MariaDB${missingMysql === undefined ? '' : ` (${missingMysql})`}`, () => {
  let server: MysqlServer
  let pool: MysqlPool
  beforeAll(async () => {
    server = await startMysql()
    const admin = await server.mysql.createConnection(server.config)
    for (const text of ['create database lost_test', 'create table lost_test.account (id int primary key, balance int)', 'insert into lost_test.account values (1, 0)']) await admin.query(text)
    await admin.end()
    pool = server.mysql.createPool({ ...server.config, database: 'lost_test' })
  }, 60_000)
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  test('connections are killed: nothing is said to fail', async () => {
    const add = async () => {
      const connection = await pool.getConnection()
      try {
        await connection.query('update account set balance = balance + 1 where id = 1')
        await connection.query('select balance from account')
      } finally {
        connection.release()
      }
    }
    const isSecond = counting(2)
    const { verdict, failures, inconclusiveReason } = await explore(async () => {
      const victim = await pool.getConnection()
      const ends = isSecond()
      await Promise.all([add(), victim.query('select 1')])
      if (ends) await victim.query('kill connection_id()')
      victim.release()
    }, { stopOnFirst: false, maxTime: 20_000 })
    expect({ verdict, failures }).toEqual({ verdict: 'inconclusive', failures: [] })
    expect(inconclusiveReason).toMatch(/connection to a server was lost|outside was not the same/)
    expect(await explore(() => Promise.all([add(), add()]))).toMatchObject({ verdict: 'holds' })
  })
})
