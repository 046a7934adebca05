import { createClient, defineScript } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

const increment = "local n = tonumber(redis.call('get', KEYS[1]) or 0) + ARGV[1]; redis.call('set', KEYS[1], n); return n"

const connectTo = (socket: string) => createClient({
  socket: { path: socket, tls: false },
  scripts: {
    addTo: defineScript({
      SCRIPT: increment,
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, key: string, amount: number) {
        parser.pushKey(key)
        parser.push(String(amount))
      },
      transformReply: (reply: unknown) => Number(reply),
    }),
  },
})

type Client = ReturnType<typeof connectTo>

let server: RedisServer
let redis: Client
let other: Client

async function add(client: Client, amount: number, key = 'n'): Promise<void> {
  const n = Number(await client.get(key))
  await client.set(key, n + amount)
}

/** Until nobody has changed it meanwhile. */
async function addWatching(client: Client, amount: number): Promise<void> {
  for (;;) {
    await client.watch('n')
    const n = Number(await client.get('n'))
    try {
      await client.multi().set('n', n + amount).exec()
      return
    } catch (error) {
      if ((error as Error).constructor.name !== 'WatchError') throw error
    }
  }
}

describe.skipIf(missingRedis !== undefined)(`redis${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  beforeAll(async () => {
    server = await startRedis()
    redis = connectTo(server.socket)
    other = connectTo(server.socket)
    for (const client of [redis, other]) {
      client.on('error', () => {})
      await client.connect()
    }
  })
  afterAll(async () => {
    redis?.destroy()
    other?.destroy()
    await server?.stop()
  })

  /** What the body returns, in all orders. */
  const all = (body: () => Promise<unknown>, interleave: 'await' | 'event-loop' = 'await') =>
    outcomes(async () => {
      await redis.flushDb()
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
      ['GET, SET of one connection', () => sum(add(redis, 1), add(redis, 2)), ['"1"', '"2"']],
      ['INCR', () => sum(redis.incr('n'), other.incr('n')), ['"2"']],
      ['a script', () => sum(redis.addTo('n', 1), other.addTo('n', 2)), ['"3"']],
      ['sendCommand', () => sum(redis.sendCommand(['INCR', 'n']), other.sendCommand(['INCR', 'n'])), ['"2"']],
      ['WATCH on connections of their own', () => sum(addWatching(redis, 1), addWatching(other, 2)), ['"3"']],
      ['WATCH on one connection, which forgets it at the first EXEC', () => sum(addWatching(redis, 1), addWatching(redis, 2)), ['"1"', '"2"', '"3"']],
    ])('%s', async (_, body, seen) => {
      expect(await all(body, interleave)).toMatchObject({ seen, verdict: 'holds' })
    })
  })

  test.each<[name: string, body: () => Promise<unknown>, executions: number, seen: string[]]>([
    ['keys of their own share nothing', async () => {
      await Promise.all([add(redis, 1, 'a'), add(other, 2, 'b')])
      return redis.mGet(['a', 'b'])
    }, 1, ['["1","2"]']],
    ['a transaction is one step', () => Promise.all([redis.multi().incr('n').incr('n').exec(), other.get('n')]), 2, ['[["1","2"],"2"]', '[["1","2"],null]'].map((text) => text.replace('["1","2"]', '[1,2]'))],
    ['a pipeline is one step', () => Promise.all([redis.multi().set('a', 1).set('b', 1).execAsPipeline(), other.mGet(['a', 'b'])]), 2, ['[["OK","OK"],["1","1"]]', '[["OK","OK"],[null,null]]']],
    ['options of its own make no other connection', async () => {
      const buffers = redis.withTypeMapping({})
      await Promise.all([add(redis, 1), buffers.incr('m')])
      return redis.mGet(['n', 'm'])
    }, 1, ['["1","1"]']],
    ['a field of a hash', async () => {
      await redis.hSet('h', { a: '1', b: '2' })
      return redis.hGetAll('h')
    }, 1, ['{"a":"1","b":"2"}']],
  ])('%s', async (_, body, executions, seen) => {
    expect(await all(body)).toEqual({ seen, executions, verdict: 'holds' })
  })

  test('a client that the body makes is closed after each execution', async () => {
    const connections = async () => String(await redis.sendCommand(['CLIENT', 'LIST'])).split('\n').length
    await all(() => redis.incr('n'))
    const before = await connections()
    const { seen, verdict } = await all(async () => {
      const client = connectTo(server.socket)
      client.on('error', () => {})
      await client.connect()
      await Promise.all([add(client, 1), add(redis, 2)])
      return redis.get('n')
    })
    expect({ seen, verdict }).toEqual({ seen: ['"1"', '"2"', '"3"'], verdict: 'holds' })
    await expect.poll(connections).toBe(before)
  })

  test('what is wrong with a call comes at its turn', async () => {
    const { seen } = await all(async () => {
      await redis.lPush('list', '1')
      return redis.incr('list').catch((error: Error) => error.message)
    })
    expect(seen).toEqual(['"WRONGTYPE Operation against a key holding the wrong kind of value"'])
  })
})
