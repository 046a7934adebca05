import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missing, startServer, type Client, type Pool, type Server } from '../uninstrumented/postgres-server.ts'

type Listener = (message: { readonly channel: string; readonly payload: string }) => void

interface ListeningClient extends Client {
  on(event: string, listener: unknown): void
  removeAllListeners(event: string): void
}

let server: Server
let pool: Pool
let older: ListeningClient
let sql: postgres.Sql

const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

describe.skipIf(missing !== undefined)(`notifications${missing === undefined ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    server = startServer()
    pool = new server.pg.Pool(server.config)
    await pool.query('create table setting (id int primary key, value int); insert into setting values (1, 0)')
    older = new server.pg.Client(server.config) as ListeningClient
    await older.connect()
    await older.query('listen changed')
    sql = postgres({ ...server.config, onnotice: () => {} })
  })
  afterAll(async () => {
    await sql?.end()
    await older?.end()
    await pool?.end()
    server?.stop()
  })

  describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
    /** Whose listener is older than the body. */
    async function heardBefore(body: (heard: string[]) => Promise<unknown>) {
      let heard: string[] = []
      older.on('notification', (({ payload }) => void heard.push(payload)) as Listener)
      const { seen, verdict, executions } = await outcomes(async () => {
        heard = []
        await pool.query('update setting set value = 0')
        return body(heard)
      }, { interleave })
      older.removeAllListeners('notification')
      return { seen, verdict, executions }
    }

    test('what two send comes in either order to whom has listened before the test', async () => {
      const { seen, verdict } = await heardBefore(async (heard) => {
        await Promise.all([pool.query("notify changed, 'a'"), pool.query("notify changed, 'b'")])
        await sleep(10)
        return heard.join('')
      })
      expect({ seen, verdict }).toEqual({ seen: ['"ab"', '"ba"'], verdict: 'holds' })
    })

    test('the same with the package postgres', async () => {
      let heard: string[] = []
      const { unlisten } = await sql.listen('news', (payload) => void heard.push(payload))
      const { seen, verdict } = await outcomes(async () => {
        heard = []
        await Promise.all([sql.notify('news', 'a'), sql`notify news, 'b'`])
        await sleep(10)
        return heard.join('')
      }, { interleave })
      await unlisten()
      expect({ seen, verdict }).toEqual({ seen: ['"ab"', '"ba"'], verdict: 'holds' })
    })

    test('a notification comes at any time after the commit of the transaction that has sent it', async () => {
      const { seen, verdict } = await heardBefore(async (heard) => {
        const client = await pool.connect()
        await client.query('begin')
        await client.query("select pg_notify('changed', 'a')")
        const before = heard.length
        await client.query('commit')
        const at = heard.length
        await pool.query('select 1')
        const later = heard.length
        await sleep(10)
        client.release()
        return [before, at, later, heard.length]
      })
      expect({ seen, verdict }).toEqual({ seen: ['[0,0,0,1]', '[0,0,1,1]', '[0,1,1,1]'], verdict: 'holds' })
    })

    test('what is rolled back nobody hears of', async () => {
      const { seen, verdict } = await heardBefore(async (heard) => {
        const client = await pool.connect()
        await client.query("begin; select pg_notify('changed', 'a')")
        await client.query('rollback')
        await sleep(10)
        client.release()
        return heard.length
      })
      expect({ seen, verdict }).toEqual({ seen: ['0'], verdict: 'holds' })
    })

    test('who listens while somebody sends hears of it or does not', async () => {
      const { seen, verdict } = await outcomes(async () => {
        const heard: string[] = []
        const client = (await pool.connect()) as ListeningClient
        client.on('notification', (({ payload }) => void heard.push(payload)) as Listener)
        await Promise.all([client.query('listen news'), pool.query("notify news, 'a'")])
        await sleep(10)
        client.release()
        return heard.length
      }, { interleave })
      expect({ seen, verdict }).toEqual({ seen: ['0', '1'], verdict: 'holds' })
      const { rows } = await pool.query('select count(*)::int as listening from pg_listening_channels()')
      expect(rows).toEqual([{ listening: 0 }])
    })
  })

  test('a cache that an older listener empties: what was read before the change is stale for ever', async () => {
    let cached: number | undefined
    older.on('notification', () => void (cached = undefined))
    const read = async (): Promise<number> => {
      if (cached === undefined) cached = (await pool.query('select value from setting where id = 1')).rows[0].value as number
      return cached
    }
    const change = async (): Promise<void> => {
      await pool.query("update setting set value = 1 where id = 1")
      await pool.query("notify changed, '1'")
    }
    const body = async (): Promise<void> => {
      cached = undefined
      await pool.query('update setting set value = 0')
      await Promise.all([read(), change()])
      await sleep(10)
      expect(await read()).toBe(1)
    }
    expect((await explore(body)).verdict).toBe('fails')
    older.removeAllListeners('notification')
  })

  test('what an older client listens to stays so, or the verdict says that it does not', async () => {
    const { verdict, inconclusiveReason } = await explore(() => older.query('listen more'))
    await older.query('unlisten more')
    expect(verdict).toBe('inconclusive')
    expect(inconclusiveReason).toContain('changes what somebody listens to')
  })
})
