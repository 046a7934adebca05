import { Redis } from 'ioredis'
import postgres from 'postgres'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { onlyOnce, signal, stopsOnce } from './uninstrumented/outcomes.ts'
import { missing, startServer, type Server } from './uninstrumented/postgres-server.ts'
import { missingRedis, startRedis, type RedisServer } from './uninstrumented/redis-server.ts'

/** A server goes away, or answers no more, in the middle of an exploration: that is said, and the next one finds all as it should be. */

describe.skipIf(missing !== undefined)(`postgres.js${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let sql: postgres.Sql
  beforeAll(async () => {
    server = startServer()
    const admin = postgres({ ...server.config, max: 1 })
    await admin.unsafe('create database trouble_test')
    await admin.end()
    sql = postgres({ ...server.config, database: 'trouble_test', max: 3, onnotice: () => {} })
    await sql.unsafe('create table account (id int primary key, balance int); insert into account values (1, 0)')
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
  })
  afterAll(async () => {
    await sql?.end({ timeout: 1 })
    server?.stop()
  })

  const add = () =>
    sql.begin(async (own) => {
      const [row] = await own<{ balance: number }[]>`select balance from account where id = 1 for update`
      await own`update account set balance = ${row!.balance + 1} where id = 1`
    })
  const twice = () => Promise.all([add(), add()])
  const holds = async (): Promise<void> => {
    await sql`update account set balance = 0`
    const { verdict, failures } = await explore(async () => {
      await twice()
      expect([...(await sql`select balance from account`)]).toEqual([{ balance: 2 }])
    })
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
    const [open] = await sql`select count(*)::int as open from pg_stat_activity where state like 'idle in transaction%'`
    expect(open).toEqual({ open: 0 })
  }

  test('a server that is gone', async () => {
    const halts = onlyOnce(3, server.halt)
    const { verdict, inconclusiveReason } = await explore(async () => {
      await add()
      halts()
      await twice()
    }, { stopOnFirst: false, maxTime: 10_000 })
    expect(verdict).toBe('inconclusive')
    expect(inconclusiveReason).toContain('A connection to a server was lost meanwhile')
    expect(inconclusiveReason).toContain('could not be undone: rows of the database trouble_test')
    server.startAgain()
    await sql`select 1`.catch(() => {})
    await holds()
  }, 60_000)

  test('a server that hangs', async () => {
    const processes = (await sql<{ pid: number }[]>`select pid from pg_stat_activity where datname = 'trouble_test'`).map(({ pid }) => pid)
    const hangs = stopsOnce(2, processes)
    const { verdict, inconclusiveReason } = await explore(async () => {
      hangs()
      await twice()
    }, { maxTime: 1000 })
    signal(processes, 'SIGCONT')
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: "maxTime of 1000 ms, before the answer to 'begin ' had come" })
    await holds()
  }, 60_000)
})

describe.skipIf(missingRedis !== undefined)(`Redis${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  let server: RedisServer
  const clients: Record<string, { client: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<unknown> }; close: () => unknown }> = {}
  beforeAll(async () => {
    server = await startRedis()
    const redis = new Redis(server.socket)
    await redis.ping()
    const node = createClient({ socket: { path: server.socket, tls: false } })
    await node.connect()
    clients['ioredis'] = { client: redis, close: () => redis.disconnect() }
    clients['redis'] = { client: node, close: () => node.close() }
  })
  afterAll(async () => {
    server?.process.kill('SIGCONT')
    for (const { close } of Object.values(clients)) await close()
    await server?.stop()
  })

  test.each([['ioredis', 1], ['redis', 2]] as const)('a server that hangs: %s, in execution %d of a body that fails', async (name, execution) => {
    const { client } = clients[name]!
    const add = async (key: string) => client.set(key, String(Number(await client.get(key)) + 1))
    const body = () => Promise.all([add('a'), add('b')])
    const hangs = stopsOnce(execution, [server.process.pid!])
    const started = performance.now()
    const { verdict, inconclusiveReason } = await explore(async () => {
      await client.set('a', '1')
      hangs()
      await body()
      throw new Error('it fails')
    }, { maxTime: 1000 })
    expect(performance.now() - started).toBeLessThan(30_000)
    signal([server.process.pid!], 'SIGCONT')
    expect(verdict).not.toBe('holds')
    expect(inconclusiveReason).toMatch(/changes to state .* keys of the database .* \(its server does not answer\)/)
    expect(await explore(body)).toMatchObject({ verdict: 'holds', failures: [] })
  }, 60_000)
})
