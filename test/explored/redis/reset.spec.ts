import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { looksLikeTest } from '../../../src/runtime/drivers/redis/resets.ts'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

let server: RedisServer
let redis: Redis
let other: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<unknown>; destroy(): void }

describe.skipIf(missingRedis !== undefined)(`keys are put back after each execution${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.socket)
    const client = createClient({ socket: { path: server.socket, tls: false } })
    client.on('error', () => {})
    await client.connect()
    other = client
    await redis.mset('n', 10, 'gone', 'x', 'untouched', 'y')
    await redis.hset('hash', { a: '1', b: '2' })
    await redis.set('for an hour', 'z', 'EX', 3600)
  })
  afterAll(async () => {
    redis?.disconnect()
    other?.destroy()
    await server?.stop()
  })

  /** All that there is. */
  const contents = async () => ({ keys: (await redis.keys('*')).toSorted(), n: await redis.get('n'), gone: await redis.get('gone'), hash: await redis.hgetall('hash'), hour: (await redis.ttl('for an hour')) > 3500, untouched: await redis.get('untouched') })
  const expected = { keys: ['for an hour', 'gone', 'hash', 'n', 'untouched'], n: '10', gone: 'x', hash: { a: '1', b: '2' }, hour: true, untouched: 'y' }

  const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

  async function add(client: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<unknown> }, amount: number) {
    await client.set('n', String(Number(await client.get('n')) + amount))
  }

  test.each<[name: string, body: () => Promise<unknown>, seen: string[]]>([
    ['two packages', async () => {
      await Promise.all([add(redis, 1), add(other, 2)])
      return redis.get('n')
    }, ['"11"', '"12"', '"13"']],
    ['what comes, goes and changes', async () => {
      const before = await redis.exists('gone', 'new')
      await redis.del('gone')
      await redis.hset('hash', 'c', 3)
      await redis.expire('n', 5)
      await redis.persist('for an hour')
      await redis.set('new', 1)
      return before
    }, ['1']],
    ['all of it', async () => {
      const before = await redis.dbsize()
      await redis.flushdb()
      await redis.set('new', 1)
      return before
    }, ['5']],
  ])('%s', async (_, body, seen) => {
    expect(await outcomes(body)).toMatchObject({ seen, verdict: 'holds' })
    expect(await contents()).toEqual(expected)
  })

  test('keys expire at virtual time', async () => {
    const { seen, verdict } = await outcomes(async () => {
      await redis.set('lock', 'me', 'PX', 60_000)
      await redis.set('kept', 'me', 'PX', 60_000)
      const early = await other.get('lock')
      await redis.persist('kept')
      await sleep(60_000)
      return [early, await redis.set('lock', 'you', 'NX'), await other.get('lock'), await redis.get('kept')]
    })
    expect({ seen, verdict }).toEqual({ seen: ['["me","OK","you","me"]'], verdict: 'holds' })
    expect(await contents()).toEqual(expected)
  })

  dporTest('around a dporTest', async () => {
    await Promise.all([redis.incr('n'), redis.incr('n')])
    expect(await redis.get('n')).toBe('12')
  })
})

test.each([
  ['localhost:6379', 0, true],
  ['127.0.0.1:7000', 0, true],
  ['/run/redis.sock', 0, true],
  ['redis.example.com:6379', 1, true],
  ['redis.example.com:6379', 0, false],
  ['10.0.0.1:6379', 0, false],
  ['localhost.example.com:6379', 0, false],
])('%s/%i is taken for one for tests: %s', (host, database, is) => {
  expect(looksLikeTest(host, database)).toBe(is)
})
