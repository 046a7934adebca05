import type { Redis } from 'ioredis'
import RedisMock from 'ioredis-mock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'

const increment = "local n = tonumber(redis.call('get', KEYS[1]) or 0) + ARGV[1]; redis.call('set', KEYS[1], n); return n"

const redis: Redis = new RedisMock()
const other: Redis = new RedisMock()

beforeAll(() => redis.set('n', 10))
afterAll(() => redis.flushall())

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

const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

async function sum(one: Promise<unknown>, two: Promise<unknown>): Promise<number> {
  await Promise.all([one, two])
  return Number(await redis.get('n'))
}

describe.each(['await', 'event-loop'] as const)("interleave: '%s'", (interleave) => {
  test.each<[name: string, body: () => Promise<unknown>, seen: string[]]>([
    ['GET, SET of two clients', () => sum(add(redis, 1), add(other, 2)), ['11', '12', '13']],
    ['GET, SET of one client', () => sum(add(redis, 1), add(redis, 2)), ['11', '12']],
    ['INCR', () => sum(redis.incr('n'), other.incr('n')), ['12']],
    ['EVAL', () => sum(redis.eval(increment, 1, 'n', 1), other.eval(increment, 1, 'n', 2)), ['13']],
    ['WATCH on clients of their own', () => sum(addWatching(redis, 1), addWatching(other, 2)), ['13']],
    ['callbacks', () => sum(add(redis, 1), new Promise<void>((resolve) => void other.get('n', (_, n) => void other.set('n', Number(n) + 2, () => resolve())))), ['11', '12', '13']],
  ])('%s', async (_, body, seen) => {
    expect(await outcomes(body, { interleave })).toMatchObject({ seen, verdict: 'holds' })
    expect(await redis.get('n')).toBe('10')
  })
})

test.each<[name: string, body: () => Promise<unknown>, executions: number, seen: string[]]>([
  ['keys of their own share nothing', async () => {
    await Promise.all([add(redis, 1, 'a'), add(other, 2, 'b')])
    return await redis.mget('a', 'b')
  }, 1, ['["1","2"]']],
  ['a transaction is one step', async () => await Promise.all([redis.multi().incr('n').incr('n').exec(), other.get('n')]), 2, ['[[[null,11],[null,12]],"10"]', '[[[null,11],[null,12]],"12"]']],
  ['a pipeline is one step', async () => await Promise.all([redis.pipeline([['set', 'a', 1]]).set('b', 1).exec(), other.mget('a', 'b')]), 2, ['[[[null,"OK"],[null,"OK"]],["1","1"]]', '[[[null,"OK"],[null,"OK"]],[null,null]]']],
  ['a prefix is part of the key', async () => {
    const prefixed: Redis = new RedisMock({ keyPrefix: 'a:' })
    const set = async () => {
      await prefixed.set('b', 1)
    }
    return (await Promise.all([other.get('a:b'), set()]))[0]
  }, 2, ['"1"', 'null']],
])('%s', async (_, body, executions, seen) => {
  expect(await outcomes(body)).toEqual({ seen, executions, verdict: 'holds' })
})

test('keys expire at virtual time', async () => {
  const { seen, verdict } = await outcomes(async () => {
    await redis.set('lock', 'me', 'PX', 100)
    const early = await redis.set('lock', 'you', 'PX', 100, 'NX')
    await sleep(100)
    return [early, await redis.set('lock', 'you', 'PX', 100, 'NX'), await redis.pttl('lock')]
  })
  expect({ seen, verdict }).toEqual({ seen: ['[null,"OK",100]'], verdict: 'holds' })
})

test('the story shows commands, and what would mend it', async () => {
  const { failures } = await explore(async () => {
    expect(await sum(add(redis, 1), add(other, 2))).toBe(13)
  })
  expect(failures).toHaveLength(1)
})

dporTest('what a body leaves is gone when the next one begins', async () => {
  expect(await redis.exists('left')).toBe(0)
  await redis.set('left', 1)
  await Promise.all([add(redis, 1), redis.get('n')])
})
