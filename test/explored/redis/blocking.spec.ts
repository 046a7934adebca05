import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

/** What both packages do. */
interface Waiting {
  pop(key: string, seconds: number): Promise<string | undefined>
}

let server: RedisServer
let redis: Redis
let workers: readonly Waiting[]
let destroy: () => void

const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

describe.skipIf(missingRedis !== undefined)(`commands that wait${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.socket)
    const own = new Redis(server.socket)
    const client = createClient({ socket: { path: server.socket, tls: false } })
    client.on('error', () => {})
    await client.connect()
    workers = [
      { pop: async (key, seconds) => (await own.blpop(key, seconds))?.[1] },
      { pop: async (key, seconds) => (await client.blPop(key, seconds))?.element },
    ]
    destroy = () => {
      own.disconnect()
      client.destroy()
    }
  })
  afterAll(async () => {
    redis?.disconnect()
    destroy?.()
    await server?.stop()
  })

  test.each(['await', 'event-loop'] as const)("jobs go to whoever has come first, interleave: '%s'", async (interleave) => {
    const { seen, verdict } = await outcomes(async () => {
      const [one, two] = await Promise.all([workers[0]!.pop('jobs', 0), workers[1]!.pop('jobs', 0), redis.rpush('jobs', 'a'), redis.rpush('jobs', 'b')])
      return [one, two]
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['["a","b"]', '["b","a"]'], verdict: 'holds' })
  })

  test('a timeout is over at virtual time, if nothing has come before', async () => {
    const { seen, verdict } = await outcomes(async () => {
      const start = Date.now()
      const late = async () => {
        await sleep(500)
        await redis.rpush('jobs', 'late')
      }
      const [job, other] = await Promise.all([workers[0]!.pop('jobs', 1), workers[1]!.pop('others', 60), late()])
      return [job, other ?? 'nothing', Date.now() - start]
    })
    expect({ seen, verdict }).toEqual({ seen: ['["late","nothing",60000]'], verdict: 'holds' })
  })

  test('who waits for ever is a deadlock, and the next body is unharmed', async () => {
    const { failures } = await explore(async () => void (await workers[0]!.pop('jobs', 0)))
    expect(failures).toMatchObject([{ kind: 'deadlock' }])
    expect(await outcomes(async () => {
      await redis.rpush('jobs', 'a')
      return workers[0]!.pop('jobs', 0)
    })).toMatchObject({ seen: ['"a"'], verdict: 'holds' })
  })
})
