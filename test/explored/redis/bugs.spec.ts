import { Redis } from 'ioredis'
import RedisMock from 'ioredis-mock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

/** Bugs that applications have had, each beside what mends it. */

let server: RedisServer | undefined
let redis: Redis
let other: Redis

const session = async (id: string): Promise<Record<string, unknown>> => JSON.parse((await redis.get(id)) ?? '{}') as Record<string, unknown>

/** What a middleware does at the end of a request. */
async function save(client: Redis, field: string): Promise<void> {
  const found = JSON.parse((await client.get('session')) ?? '{}') as object
  await client.set('session', JSON.stringify({ ...found, [field]: true }))
}

const limit = 1

async function isAllowed(client: Redis): Promise<boolean> {
  if (Number(await client.get('hits')) >= limit) return false
  await client.incr('hits')
  return true
}

const lock = 'lock'
let isInside = false

/** Nobody else is in there meanwhile. */
async function alone(work: () => Promise<void>): Promise<void> {
  if (isInside) throw new Error('two are inside')
  isInside = true
  await work()
  isInside = false
}

async function locked(client: Redis, take: (client: Redis) => Promise<boolean>): Promise<void> {
  if (!(await take(client))) return
  await alone(async () => void (await client.get('something')))
  await client.del(lock)
}

const both = async <T>(task: (client: Redis) => Promise<T>): Promise<T[]> => await Promise.all([task(redis), task(other)])

const increment = "if redis.call('incr', KEYS[1]) > tonumber(ARGV[1]) then return 0 end return 1"

const bugs: readonly (readonly [name: string, buggy: () => Promise<void>, mended: () => Promise<void>])[] = [
  ['two requests add a field to a session', async () => {
    await Promise.all([save(redis, 'a'), save(other, 'b')])
    expect(await session('session')).toEqual({ a: true, b: true })
  }, async () => {
    await Promise.all([redis.hset('session', 'a', 1), other.hset('session', 'b', 1)])
    expect(await redis.hgetall('session')).toEqual({ a: '1', b: '1' })
  }],
  ['a rate limit that looks and then counts', async () => {
    expect((await both(isAllowed)).filter(Boolean)).toHaveLength(limit)
  }, async () => {
    expect((await both(async (client) => (await client.eval(increment, 1, 'hits', limit)) === 1)).filter(Boolean)).toHaveLength(limit)
  }],
  ['a lock that is looked at before it is taken', async () => {
    isInside = false
    await both((client) => locked(client, async () => (await client.get(lock)) === null && (await client.set(lock, 'me')) === 'OK'))
  }, async () => {
    isInside = false
    await both((client) => locked(client, async () => (await client.set(lock, 'me', 'NX')) === 'OK'))
  }],
  ['a job that two workers take', async () => {
    await redis.rpush('jobs', 'one')
    const taken = await both(async (client) => {
      const [job] = await client.lrange('jobs', 0, 0)
      if (job !== undefined) await client.lrem('jobs', 1, job)
      return job
    })
    expect(taken.filter((job) => job !== undefined)).toHaveLength(1)
  }, async () => {
    await redis.rpush('jobs', 'one')
    const taken = await both((client) => client.lpop('jobs'))
    expect(taken.filter((job) => job !== null)).toHaveLength(1)
  }],
]

describe.each(['a server', 'ioredis-mock'] as const)('with %s', (kind) => {
  const isMissing = kind === 'a server' && missingRedis !== undefined
  beforeAll(async () => {
    if (isMissing) return
    if (kind === 'a server') server = await startRedis()
    const connect = (): Redis => (server ? new Redis(server.socket) : new RedisMock())
    redis = connect()
    other = connect()
  })
  afterAll(async () => {
    redis?.disconnect()
    other?.disconnect()
    await server?.stop()
    server = undefined
  })

  test.skipIf(isMissing).each(bugs)(`%s${isMissing ? ` (${missingRedis})` : ''}`, async (_, buggy, mended) => {
    expect(await explore(buggy)).toMatchObject({ verdict: 'fails', failures: [{ kind: 'error' }] })
    expect(await explore(mended)).toMatchObject({ verdict: 'holds' })
  })
})
