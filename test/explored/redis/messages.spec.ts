import { Redis } from 'ioredis'
import Mock from 'ioredis-mock'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from '../uninstrumented/outcomes.ts'
import { missingRedis, startRedis, type RedisServer } from '../uninstrumented/redis-server.ts'

/** What both packages do; the two publishers have connections of their own. */
interface Channels {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  publish(publisher: 0 | 1, channel: string, message: string): Promise<number>
  get(key: string): Promise<string | null>
  set(key: string, value: string): Promise<unknown>
}

let server: RedisServer
let older: Redis
let byPackage: Record<string, Channels>
let destroy: () => void

const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

describe.skipIf(missingRedis !== undefined)(`messages${missingRedis === undefined ? '' : ` (${missingRedis})`}`, () => {
  beforeAll(async () => {
    server = await startRedis()
    const [subscriber, ...publishers] = [1, 2, 3].map(() => new Redis(server.socket))
    older = new Redis(server.socket)
    const clients = [1, 2, 3].map(() => createClient({ socket: { path: server.socket, tls: false } }))
    for (const client of clients) {
      client.on('error', () => {})
      await client.connect()
    }
    const mocks = [1, 2, 3].map(() => new Mock())
    const [nodeSubscriber, ...nodePublishers] = clients
    byPackage = {
      ioredis: {
        async subscribe(channel, listener) {
          subscriber!.on('message', (_, message) => listener(message))
          await subscriber!.subscribe(channel)
        },
        unsubscribe: (channel) => subscriber!.unsubscribe(channel),
        publish: (publisher, channel, message) => publishers[publisher]!.publish(channel, message),
        get: (key) => publishers[0]!.get(key),
        set: (key, value) => publishers[1]!.set(key, value),
      },
      'ioredis-mock': {
        async subscribe(channel, listener) {
          mocks[0]!.on('message', (_, message) => listener(message))
          await mocks[0]!.subscribe(channel)
        },
        unsubscribe: (channel) => mocks[0]!.unsubscribe(channel),
        publish: (publisher, channel, message) => mocks[1 + publisher]!.publish(channel, message),
        get: (key) => mocks[1]!.get(key),
        set: (key, value) => mocks[2]!.set(key, value),
      },
      redis: {
        subscribe: (channel, listener) => nodeSubscriber!.subscribe(channel, listener),
        unsubscribe: (channel) => nodeSubscriber!.unsubscribe(channel),
        publish: (publisher, channel, message) => nodePublishers[publisher]!.publish(channel, message),
        get: (key) => nodePublishers[0]!.get(key),
        set: (key, value) => nodePublishers[1]!.set(key, value),
      },
    }
    destroy = () => {
      for (const client of [subscriber!, older, ...publishers]) client.disconnect()
      for (const client of clients) client.destroy()
    }
  })
  afterAll(async () => {
    destroy?.()
    await server?.stop()
  })

  describe.each([
    ['ioredis', 'await'],
    ['ioredis', 'event-loop'],
    ['ioredis-mock', 'await'],
    ['ioredis-mock', 'event-loop'],
    ['redis', 'await'],
    ['redis', 'event-loop'],
  ] as const)("%s, interleave: '%s'", (name, interleave) => {
    test('who subscribes while somebody publishes hears of it or does not', async () => {
      const { subscribe, unsubscribe, publish } = byPackage[name]!
      const { seen, verdict } = await outcomes(async () => {
        const heard: string[] = []
        await Promise.all([subscribe('news', (message) => void heard.push(message)), publish(0, 'news', 'a')])
        await sleep(10)
        await unsubscribe('news')
        return heard
      }, { interleave })
      expect({ seen, verdict }).toEqual({ seen: ['["a"]', '[]'], verdict: 'holds' })
    })

    test('what two publish comes in either order, and of one publisher in its own', async () => {
      const { subscribe, unsubscribe, publish } = byPackage[name]!
      const { seen, verdict } = await outcomes(async () => {
        const heard: string[] = []
        await subscribe('news', (message) => void heard.push(message))
        const two = async () => {
          await publish(1, 'news', 'b')
          await publish(1, 'news', 'c')
        }
        await Promise.all([publish(0, 'news', 'a'), two()])
        await sleep(10)
        await unsubscribe('news')
        return heard.join('')
      }, { interleave })
      expect({ seen, verdict }).toEqual({ seen: ['"abc"', '"bac"', '"bca"'], verdict: 'holds' })
    })

    test('a message comes at any time after it was published', async () => {
      const { subscribe, unsubscribe, publish, get, set } = byPackage[name]!
      const { seen, verdict } = await outcomes(async () => {
        const heard: (string | null)[] = []
        await set('order', 'old')
        await subscribe('news', async () => void heard.push(await get('order')))
        await publish(0, 'news', 'changed')
        await set('order', 'new')
        await sleep(10)
        await unsubscribe('news')
        return heard
      }, { interleave })
      expect({ seen, verdict }).toEqual({ seen: ['["new"]', '["old"]'], verdict: 'holds' })
    })
  })

  describe.each([['await'], ['event-loop']] as const)("whose listener is older than the body, interleave: '%s'", (interleave) => {
    test.each(['ioredis', 'ioredis-mock', 'redis'])('%s: what two publish comes in either order', async (name) => {
      const { subscribe, unsubscribe, publish } = byPackage[name]!
      let heard: string[] = []
      await subscribe('older', (message) => void heard.push(message))
      const { seen, verdict } = await outcomes(async () => {
        heard = []
        await Promise.all([publish(0, 'older', 'a'), publish(1, 'older', 'b')])
        await sleep(10)
        return heard.join('')
      }, { interleave })
      const { verdict: ofChange, inconclusiveReason } = await explore(() => unsubscribe('older'), { interleave })
      await unsubscribe('older')
      expect({ seen, verdict }).toEqual({ seen: ['"ab"', '"ba"'], verdict: 'holds' })
      expect({ ofChange, inconclusiveReason }).toEqual({ ofChange: 'inconclusive', inconclusiveReason: expect.stringContaining('changes what somebody listens to') })
    })
  })

  test('a client that the body has made is asked when it is connected', async () => {
    const { publish } = byPackage['ioredis']!
    const { seen, verdict } = await outcomes(async () => {
      const own = older.duplicate()
      const heard: string[] = []
      own.on('message', (_, message) => void heard.push(message))
      await own.subscribe('news')
      await publish(0, 'news', 'a')
      await sleep(10)
      own.disconnect()
      return heard
    })
    expect({ seen, verdict }).toEqual({ seen: ['["a"]'], verdict: 'holds' })
  })

  test('messages to nobody come in one order, and those of other channels', async () => {
    const { subscribe, unsubscribe, publish } = byPackage['ioredis']!
    const { executions, verdict } = await outcomes(async () => {
      await subscribe('news', () => {})
      await Promise.all([publish(0, 'sports', 'a'), publish(1, 'sports', 'b')])
      await unsubscribe('news')
    })
    expect({ executions, verdict }).toEqual({ executions: 1, verdict: 'holds' })
  })

  test('what a client hears that an execution before has subscribed is not explored, and the verdict says so', async () => {
    const { subscribe, unsubscribe, publish } = byPackage['redis']!
    const { verdict, inconclusiveReason } = await explore(async () => {
      await publish(0, 'left', 'a')
      await Promise.all([subscribe('left', () => {}), publish(0, 'left', 'b')])
      await sleep(10)
    })
    await unsubscribe('left')
    expect(verdict).toBe('inconclusive')
    expect(inconclusiveReason).toContain('listens since before this execution')
  })
})
