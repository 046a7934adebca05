import { Redis } from 'ioredis'
import postgres from 'postgres'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { missing as missingMysql, startServer as startMysql, type Pool as MysqlPool, type Server as MysqlServer } from './uninstrumented/mysql-server.ts'
import { missing, startServer, type Pool, type Server } from './uninstrumented/postgres-server.ts'
import { missingRedis, startRedis, type RedisServer } from './uninstrumented/redis-server.ts'

/** What vitest-dpor asks a server for itself may be what the user of a test may not ask: then that is said, and it is the answer to nothing that the test has asked. */

const refusal = (body: () => Promise<unknown>) => explore(body, { stopOnFirst: false }).then(({ verdict, failures, inconclusiveReason }) => `${verdict} ${String(failures[0]?.error ?? inconclusiveReason)}`, (error: unknown) => String(error))

describe.skipIf(missing !== undefined)(`PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let admin: Pool
  let pool: Pool
  let sql: postgres.Sql
  beforeAll(async () => {
    server = startServer()
    const first = new server.pg.Pool(server.config)
    await first.query('create database own_test')
    await first.end()
    admin = new server.pg.Pool({ ...server.config, database: 'own_test' })
    await admin.query(`create role plain login; create table account (id int primary key, balance int); insert into account values (1, 0); grant all on account to plain;
      revoke temporary on database own_test from public; revoke execute on function pg_blocking_pids(int) from public`)
    pool = new server.pg.Pool({ ...server.config, database: 'own_test', user: 'plain' })
    sql = postgres({ ...server.config, database: 'own_test', user: 'plain', onnotice: () => {} })
  })
  afterAll(async () => {
    await pool?.end()
    await sql?.end({ timeout: 1 })
    await admin?.end()
    server?.stop()
  })

  const add = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query('select balance from account where id = 1 for update')
      await client.query('update account set balance = $1 where id = 1', [rows[0].balance + 1])
      await client.query('commit')
    } catch {
      // A test that takes every error for one of its own.
      await client.query('rollback')
    } finally {
      client.release()
    }
  }
  const nothingIsLeft = async (): Promise<void> => {
    const { rows } = await admin.query("select count(*)::int as open from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'")
    expect(rows).toEqual([{ open: 0 }])
    expect((await admin.query('select balance from account')).rows).toEqual([{ balance: 0 }])
  }

  test.each([
    ['pg', () => pool.query('update account set balance = 1').catch(() => {})],
    ['postgres', () => sql`update account set balance = 1`.catch(() => {})],
  ])('%s: rows that may not be copied', async (_, body) => {
    expect(await refusal(body)).toMatch(
      /RefusedError: the body cannot be explored: at .*own-questions\.spec\.ts:\d+:\d+.* it asks a server 'update account set balance = 1', and what vitest-dpor has to ask that for itself, to keep a copy of what is about to be changed, which is put back afterwards, has failed: permission denied to create temporary tables in database "own_test"\. Give the user .* dpor\(\{ io: \{ postgres: \{ reset: false \} \} \}\)/,
    )
    await nothingIsLeft()
  })

  test('who keeps a statement waiting may not be asked: the statement is given up', async () => {
    await admin.query('grant temporary on database own_test to plain')
    const started = performance.now()
    expect(await refusal(() => Promise.all([add(), add()]))).toMatch(/it asks a server 'select balance .* for update', .* to find out who keeps a statement waiting, has failed: permission denied for function pg_blocking_pids\. Let the user/)
    expect(performance.now() - started).toBeLessThan(5000)
    await nothingIsLeft()
    await admin.query('grant execute on function pg_blocking_pids(int) to public')
    expect(await refusal(() => Promise.all([add(), add()]))).toBe('holds undefined')
    await nothingIsLeft()
  })

  test('no room for one connection more', async () => {
    await admin.query('create role lonely login connection limit 1; grant all on account to lonely')
    const lonely = new server.pg.Pool({ ...server.config, database: 'own_test', user: 'lonely', max: 1 })
    expect(await refusal(() => lonely.query('select 1').catch(() => {}))).toMatch(/it asks a server 'select 1', .* to have a connection of its own, as the same user, has failed: too many connections for role "lonely"\. See that the server lets that user/)
    await lonely.end()
    await nothingIsLeft()
  })
})

describe.skipIf(missingMysql !== undefined)(`MariaDB${missingMysql === undefined ? '' : ` (${missingMysql})`}`, () => {
  let server: MysqlServer
  let pool: MysqlPool
  beforeAll(async () => {
    server = await startMysql()
    const admin = await server.mysql.createConnection(server.config)
    for (const text of ['create database own_test', 'create table own_test.account (id int primary key, balance int)', 'insert into own_test.account values (1, 0)', "create user plain@localhost identified by ''", 'grant select, update on own_test.* to plain@localhost']) await admin.query(text)
    await admin.end()
    pool = server.mysql.createPool({ ...server.config, user: 'plain', database: 'own_test' })
  }, 60_000)
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  test('who waits may not be asked, and rows may not be copied', async () => {
    const body = () => pool.query('update account set balance = balance + 1').catch(() => {})
    expect(await refusal(body)).toMatch(/RefusedError: .* it asks a server 'update account set balance = balance \+ 1', .* to find out who keeps a statement waiting, has failed: .*PROCESS.*\. Give the user plain@localhost .*: grant process on \*\.\* to/)
    const admin = await server.mysql.createConnection(server.config)
    await admin.query('grant process on *.* to plain@localhost')
    await pool.end()
    pool = server.mysql.createPool({ ...server.config, user: 'plain', database: 'own_test' })
    expect(await refusal(body)).toMatch(/to keep a copy of what is about to be changed, .* has failed: .*denied.* reset: false/)
    expect((await admin.query('select balance from own_test.account'))[0]).toEqual([{ balance: 0 }])
    await admin.end()
  })
})

describe.skipIf(missingRedis !== undefined)(`Redis${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  let server: RedisServer
  let admin: Redis
  beforeAll(async () => {
    server = await startRedis()
    admin = new Redis(server.socket)
    await admin.call('ACL', 'SETUSER', 'plain', 'on', '>secret', '~*', '+@all', '-dump')
  })
  afterAll(async () => {
    admin?.disconnect()
    await server?.stop()
  })

  test('ioredis: keys that may not be copied', async () => {
    const client = new Redis(server.socket, { username: 'plain', password: 'secret' })
    await client.ping()
    expect(await refusal(() => client.set('a', '1').catch(() => {}))).toMatch(/it asks a server 'set a 1', .* to keep a copy of what is about to be changed, .* has failed: .*NOPERM.* reset: false/s)
    expect(await admin.get('a')).toBe(null)
    client.disconnect()
  })

  test('redis: keys that may not be copied', async () => {
    const client = createClient({ socket: { path: server.socket, tls: false }, username: 'plain', password: 'secret' })
    await client.connect()
    expect(await refusal(() => client.set('a', '1').catch(() => {}))).toMatch(/it asks a server 'set a 1', .* to keep a copy of what is about to be changed, .* has failed: .*NOPERM.* reset: false/is)
    expect(await admin.get('a')).toBe(null)
    await client.close()
  })
})
