import { Redis } from 'ioredis'
import postgres from 'postgres'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { counting } from './uninstrumented/outcomes.ts'
import { missing as missingMysql, startServer as startMysql } from './uninstrumented/mysql-server.ts'
import { missing as missingPostgres, startServer as startPostgres } from './uninstrumented/postgres-server.ts'
import { missingRedis, startRedis } from './uninstrumented/redis-server.ts'

/** Servers that are lost, and that do not answer, by drivers; what `pg` does there is in `postgres/postgres.spec.ts`. */

/** What a driver is asked, and what somebody else does to its server. */
interface Driver {
  /** Two of its connections. */
  ask(): Promise<unknown>
  /** Asks for what has no end. */
  hang(): Promise<unknown>
  /** Begins something that it leaves open. */
  leave(): Promise<unknown>
  /** Closes all its connections, from the other end. */
  kill(): Promise<unknown>
  /** How much the server has open, or is at work on. */
  open(): Promise<number>
  end(): Promise<unknown>
}

const both = (ask: () => Promise<unknown>): Promise<unknown> => Promise.all([ask(), ask()])

async function ofPostgres(): Promise<Driver> {
  const server = startPostgres()
  const sql = postgres({ ...server.config, onnotice: () => {} })
  const admin = new server.pg.Client(server.config)
  await admin.connect()
  const own = 'from pg_stat_activity where pid <> pg_backend_pid()'
  return {
    ask: () => both(() => sql`select 1`),
    hang: () => sql`select pg_sleep(100)`,
    leave: async () => {
      const reserved = await sql.reserve()
      await reserved`begin`
    },
    kill: () => admin.query(`select pg_terminate_backend(pid) ${own} and query !~ 'vitest|blocking'`),
    open: async () => (await admin.query(`select count(*)::int as n ${own} and (state like 'idle in%' or query ~ 'sleep' and state = 'active')`)).rows[0].n,
    async end() {
      // What is reserved is not given back, and may be waited for.
      await sql.end({ timeout: 5 })
      await admin.end()
      server.stop()
    },
  }
}

async function ofMysql(): Promise<Driver> {
  const server = await startMysql()
  const pool = server.mysql.createPool(server.config)
  const admin = await server.mysql.createConnection(server.config)
  const others = async (): Promise<readonly { Id: number; Info: string | null }[]> => (await admin.query('show processlist'))[0].filter(({ Info, User }: { Info: string | null; User: string }) => Info !== 'show processlist' && User === 'root')
  return {
    ask: () => both(() => pool.query('select 1')),
    hang: () => pool.query('select sleep(100)'),
    leave: async () => {
      const connection = await pool.getConnection()
      await connection.beginTransaction()
    },
    kill: async () => {
      for (const { Id: id } of await others()) await admin.query(`kill ${id}`).catch(() => {})
    },
    open: async () => (await admin.query('select count(*) as n from information_schema.innodb_trx'))[0][0].n + (await others()).filter(({ Info }) => Info?.includes('sleep')).length,
    async end() {
      await pool.end()
      await admin.end()
      server.stop()
    },
  }
}

const endless = 'while true do end'

async function ofIoredis(): Promise<Driver> {
  const server = await startRedis()
  const clients = [1, 2].map(() => new Redis(server.socket))
  const admin = new Redis(server.socket)
  await admin.config('SET', 'busy-reply-threshold', 50)
  for (const client of clients) client.on('error', () => {})
  await Promise.all(clients.map((client) => client.ping()))
  return {
    ask: () => Promise.all(clients.map((client) => client.get('n'))),
    hang: () => clients[0]!.eval(endless, 0),
    leave: () => clients[0]!.watch('n'),
    kill: () => admin.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    open: async () => String(await admin.client('LIST')).split('\n').filter((line) => / multi=(?!-1)/.test(line)).length,
    async end() {
      for (const client of [...clients, admin]) client.disconnect()
      await server.stop()
    },
  }
}

async function ofNodeRedis(): Promise<Driver> {
  const server = await startRedis()
  const clients = [1, 2].map(() => createClient({ socket: { path: server.socket, tls: false } }))
  const admin = new Redis(server.socket)
  await admin.config('SET', 'busy-reply-threshold', 50)
  for (const client of clients) client.on('error', () => {})
  for (const client of clients) await client.connect()
  return {
    ask: () => Promise.all(clients.map((client) => client.get('n'))),
    hang: () => clients[0]!.eval(endless),
    leave: () => clients[0]!.watch('n'),
    kill: () => admin.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    open: async () => String(await admin.client('LIST')).split('\n').filter((line) => / multi=(?!-1)/.test(line)).length,
    async end() {
      for (const client of clients) client.destroy()
      admin.disconnect()
      await server.stop()
    },
  }
}

const drivers: readonly (readonly [name: string, missing: string | undefined, start: () => Promise<Driver>])[] = [
  ['postgres', missingPostgres, ofPostgres],
  ['mysql2', missingMysql, ofMysql],
  ['ioredis', missingRedis, ofIoredis],
  ['redis', missingRedis, ofNodeRedis],
]

describe.each(drivers.map(([name, missing, start]) => ({ name, missing, start })))('$name', ({ missing, start }) => {
  let driver: Driver
  beforeAll(async () => {
    if (missing === undefined) driver = await start()
  })
  afterAll(() => driver?.end())

  test.skipIf(missing !== undefined)('every connection is lost in the middle: the next exploration is none the wiser', async () => {
    const isSecond = counting(2)
    const lost = await explore(async () => {
      await driver.ask()
      if (isSecond()) await driver.kill()
      await driver.ask()
    }).catch((error: unknown) => error as Error)
    const said = lost instanceof Error ? lost.message : ((lost.failures[0]?.error as Error | undefined)?.message ?? lost.inconclusiveReason)
    // In which words it is told is nobody's choice.
    expect(said).toMatch(/connection|closed|outside was not the same/i)
    await driver.ask().catch(() => {})
    expect(await explore(() => driver.ask(), { stopOnFirst: false })).toMatchObject({ verdict: 'holds' })
  })

  test.skipIf(missing !== undefined)('what takes too long is said to, and is ended', async () => {
    const { verdict, inconclusiveReason } = await explore(() => driver.hang(), { maxTime: 300 })
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringMatching(/^maxTime of 300 ms, before the answer to '[^']+' had come$/) })
    expect(await driver.open()).toBe(0)
    expect(await explore(() => driver.ask())).toMatchObject({ verdict: 'holds' })
  })

  test.skipIf(missing !== undefined)('explorations one after the other leave nothing open', async () => {
    for (let i = 0; i < 30; i++) await explore(() => driver.leave())
    expect(await driver.open()).toBe(0)
  })
})
