import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missing, startServer, type Client, type Pool, type Server } from '../uninstrumented/postgres-server.ts'

let server: Server
let pool: Pool

/** How a transaction ends that changes two rows. */
async function move(first: number, second: number, how?: string): Promise<string> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    if (how) await client.query(how)
    await client.query('update account set balance = balance + 1 where id = $1', [first])
    await client.query('update account set balance = balance + 1 where id = $1', [second])
    await client.query('commit')
    return 'committed'
  } catch (error) {
    await client.query('rollback')
    return (error as { code: string }).code
  } finally {
    client.release()
  }
}

describe.skipIf(missing !== undefined)(`time limits${missing === undefined ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    server = startServer()
    pool = new server.pg.Pool(server.config)
    await pool.query('create table account (id int primary key, balance int); insert into account values (1, 0), (2, 0)')
  })
  afterAll(async () => {
    await pool?.end()
    server?.stop()
  })

  test.each([
    ["set local lock_timeout = '5s'", '55P03'],
    ["select set_config('lock_timeout', '5000', true)", '55P03'],
    ['set local statement_timeout = 5000', '57014'],
  ])('who waits for a lock that only the test itself lets go of: %s', async (how, code) => {
    const { seen, verdict } = await outcomes(async () => {
      await pool.query('update account set balance = 0')
      const holder = await pool.connect()
      await holder.query('begin')
      await holder.query('update account set balance = 1 where id = 1')
      const ended = await move(1, 2, how)
      await holder.query('commit')
      holder.release()
      return ended
    })
    expect({ seen, verdict }).toEqual({ seen: [`"${code}"`], verdict: 'holds' })
  })

  test('a limit of the client, and one that was set before the test', async () => {
    const limited = new server.pg.Client({ ...server.config, lock_timeout: 5000 })
    const set = new server.pg.Client(server.config)
    for (const client of [limited, set]) await client.connect()
    await set.query("set lock_timeout = '5s'")
    const waits = (client: Client): Promise<string> => client.query('update account set balance = 2 where id = 1').then(() => 'done', (error: { code: string }) => error.code)
    for (const client of [limited, set]) {
      const { seen } = await outcomes(async () => {
        const holder = await pool.connect()
        await holder.query('begin')
        await holder.query('update account set balance = 1 where id = 1')
        const ended = await waits(client)
        await holder.query('rollback')
        holder.release()
        return ended
      })
      expect(seen).toEqual(['"55P03"'])
    }
    for (const client of [limited, set]) await client.end()
  })

  test('transactions that wait for each other end by what comes first, and without a limit as a deadlock', async () => {
    const ends = async (how?: string): Promise<unknown> => {
      const { seen, verdict } = await outcomes(async () => {
        await pool.query('update account set balance = 0')
        return Promise.all([move(1, 2, how), move(2, 1, how)])
      })
      return { seen, verdict }
    }
    expect(await ends()).toEqual({ seen: ['["40P01","committed"]', '["committed","40P01"]', '["committed","committed"]'], verdict: 'holds' })
    expect(await ends("set local lock_timeout = '5s'")).toEqual({ seen: ['["55P03","committed"]', '["committed","55P03"]', '["committed","committed"]'], verdict: 'holds' })
  })

  describe.each(['await', 'event-loop'] as const)("a pool with a limit, interleave: '%s'", (interleave) => {
    test('who has waited for too long gets its error', async () => {
      const small = new server.pg.Pool({ ...server.config, max: 2, connectionTimeoutMillis: 1000 })
      const { seen, verdict } = await outcomes(async () => {
        const two = async (): Promise<string> => {
          const first = await small.connect()
          try {
            await first.query('select 1')
            const second = await small.connect()
            second.release()
            return 'done'
          } catch (error) {
            return (error as Error).message
          } finally {
            first.release()
          }
        }
        return Promise.all([two(), two()])
      }, { interleave })
      await small.end()
      const late = '"timeout exceeded when trying to connect"'
      expect({ seen, verdict }).toEqual({ seen: expect.arrayContaining([`[${late},"done"]`, `["done",${late}]`]), verdict: 'holds' })
    })
  })

  test('the error of a pool that is exhausted tells a reader who has its connections, since which line', async () => {
    const small = new server.pg.Pool({ ...server.config, max: 1, connectionTimeoutMillis: 1000 })
    const { failures } = await explore(async () => {
      const first = await small.connect()
      await small.query('select 1').finally(() => first.release())
    })
    await small.end()
    const error = failures[0]!.error as Error & Record<symbol, string>
    expect(error.message).toBe('timeout exceeded when trying to connect')
    expect(error[Symbol.for('vitest-dpor.pool')]).toMatch(/^Pool exhausted: .* has waited 1000 ms for a connection, and all 1 are in use: .* since .*time-limits\.spec\.ts:\d+:\d+ \(small\.connect\(\)\)/)
  })

  test('a pool that an execution has made, and that it does not end, is ended after it', async () => {
    const { verdict } = await explore(async () => {
      const own = new server.pg.Pool({ ...server.config, max: 2 })
      await Promise.all([own.query('select 1'), own.query('update account set balance = 1 where id = 1'), pool.query('update account set balance = 2 where id = 1')])
    })
    expect(verdict).toBe('holds')
    await expect.poll(async () => (await pool.query("select count(*)::int as open from pg_stat_activity where backend_type = 'client backend'")).rows[0].open).toBeLessThanOrEqual(6)
  })
})
