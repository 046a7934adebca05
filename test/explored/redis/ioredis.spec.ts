import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

let server: RedisServer
let redis: Redis
let other: Redis

const increment = "local n = tonumber(redis.call('get', KEYS[1]) or 0) + ARGV[1]; redis.call('set', KEYS[1], n); return n"

declare module 'ioredis' {
  interface Redis {
    addTo(key: string, amount: number): Promise<number>
  }
}

async function add(client: Redis, amount: number, key = 'n'): Promise<void> {
  const n = Number(await client.get(key))
  await client.set(key, n + amount)
}

/** Until nobody has changed it meanwhile. */
async function addWatching(client: Redis, amount: number): Promise<void> {
  for (;;) {
    await client.watch('n')
    const n = Number(await client.get('n'))
    if (await client.multi().set('n', n + amount).exec()) return
  }
}

describe.skipIf(missingRedis !== undefined)(`ioredis${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.socket)
    other = new Redis(server.socket)
    for (const client of [redis, other]) client.defineCommand('addTo', { numberOfKeys: 1, lua: increment })
    await Promise.all([redis.ping(), other.ping()])
  })
  afterAll(async () => {
    redis?.disconnect()
    other?.disconnect()
    await server?.stop()
  })

  /** What the body returns, in all orders. */
  const all = (body: () => Promise<unknown>, interleave: 'await' | 'event-loop' = 'await') =>
    outcomes(async () => {
      await redis.flushdb()
      const result = await body()
      return result
    }, { interleave })

  describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
    const sum = async (one: Promise<unknown>, two: Promise<unknown>) => {
      await Promise.all([one, two])
      return redis.get('n')
    }

    test.each<[name: string, body: () => Promise<unknown>, seen: string[]]>([
      ['GET, SET of two connections', () => sum(add(redis, 1), add(other, 2)), ['"1"', '"2"', '"3"']],
      // Both look before either writes: one connection has its commands answered in the order of the calls.
      ['GET, SET of one connection', () => sum(add(redis, 1), add(redis, 2)), ['"1"', '"2"']],
      ['INCR', () => sum(redis.incr('n'), other.incr('n')), ['"2"']],
      ['a script', () => sum(redis.addTo('n', 1), other.addTo('n', 2)), ['"3"']],
      ['EVAL', () => sum(redis.eval(increment, 1, 'n', 1), other.eval(increment, 1, 'n', 2)), ['"3"']],
      ['WATCH on connections of their own', () => sum(addWatching(redis, 1), addWatching(other, 2)), ['"3"']],
      ['WATCH on one connection, which forgets it at the first EXEC', () => sum(addWatching(redis, 1), addWatching(redis, 2)), ['"1"', '"2"', '"3"']],
      ['callbacks', () => sum(add(redis, 1), new Promise<void>((resolve) => void other.get('n', (_, n) => void other.set('n', Number(n) + 2, () => resolve())))), ['"1"', '"2"', '"3"']],
    ])('%s', async (_, body, seen) => {
      expect(await all(body, interleave)).toMatchObject({ seen, verdict: 'holds' })
    })
  })

  test.each<[name: string, body: () => Promise<unknown>, executions: number, seen: string[]]>([
    ['keys of their own share nothing', async () => {
      await Promise.all([add(redis, 1, 'a'), add(other, 2, 'b')])
      return redis.mget('a', 'b')
    }, 1, ['["1","2"]']],
    ['one of two gets a lock', () => Promise.all([redis.set('lock', 'a', 'NX'), other.set('lock', 'b', 'NX')]), 2, ['["OK",null]', '[null,"OK"]']],
    ['a transaction is one step', () => Promise.all([redis.multi().incr('n').incr('n').exec(), other.get('n')]), 2, ['[[[null,1],[null,2]],"2"]', '[[[null,1],[null,2]],null]']],
    ['a pipeline is one step', () => Promise.all([redis.pipeline([['set', 'a', 1]]).set('b', 1).exec(), other.mget('a', 'b')]), 2, ['[[[null,"OK"],[null,"OK"]],["1","1"]]', '[[[null,"OK"],[null,"OK"]],[null,null]]']],
    ['commands between MULTI and EXEC are done by EXEC', () => {
      const transaction = async () => {
        await redis.multi({ pipeline: false })
        await redis.incr('n')
        await redis.incr('n')
        return await redis.exec()
      }
      return Promise.all([transaction(), other.get('n')])
    }, 2, ['[[[null,1],[null,2]],"2"]', '[[[null,1],[null,2]],null]']],
    ['who looks at all keys sees them come', () => Promise.all([redis.set('a', 1), other.keys('*')]), 2, ['["OK",["a"]]', '["OK",[]]']],
    ['what is not known changes everything', () => Promise.all([redis.call('DEBUG', 'JMAP').catch(() => 'no'), other.get('n')]), 2, ['["no",null]']],
    ['databases have keys of their own', async () => {
      await other.select(1)
      await Promise.all([add(redis, 1), add(other, 2)])
      return [await redis.get('n'), await other.get('n')]
    }, 1, ['["1","2"]']],
  ])('%s', async (_, body, executions, seen) => {
    expect(await outcomes(async () => {
      await redis.flushall()
      const result = await body()
      return result
    })).toEqual({ seen, executions, verdict: 'holds' })
  })

  test('a client that the body makes is closed after each execution', async () => {
    const connections = async () => String(await redis.client('LIST')).split('\n').length
    await all(() => redis.incr('n'))
    const before = await connections()
    const { seen, verdict } = await all(async () => {
      const client = new Redis(server.socket)
      await Promise.all([add(client, 1), add(redis, 2)])
      return redis.get('n')
    })
    expect({ seen, verdict }).toEqual({ seen: ['"1"', '"2"', '"3"'], verdict: 'holds' })
    await expect.poll(connections).toBe(before)
  })

  test('what an error says comes at its turn', async () => {
    const { seen } = await all(async () => {
      await redis.lpush('list', 1)
      return redis.incr('list').catch((error: Error) => error.message)
    })
    expect(seen).toEqual(['"WRONGTYPE Operation against a key holding the wrong kind of value"'])
  })

  test('an execution that ends in a transaction leaves none open', async () => {
    const { failures } = await explore(async () => {
      await redis.multi({ pipeline: false })
      await redis.watch('n').catch(() => {})
      throw new Error('stop')
    })
    expect(failures).toHaveLength(1)
    expect(await redis.set('n', 1)).toBe('OK')
  })
})
