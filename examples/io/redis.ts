import { Redis } from 'ioredis'
import RedisMock from 'ioredis-mock'
import type { TestProject } from 'vitest/node'
import { missingRedis, startRedis } from '../../test/explored/uninstrumented/redis-server.ts'

/** A Redis server for the examples, where the machine has one: `redis-server`. */
export default async function start(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingRedis !== undefined) {
    console.log(`With ioredis-mock, as there is ${missingRedis}: examples with Redis.`)
    return undefined
  }
  const server = await startRedis()
  project.provide('redis' as never, server.socket as never)
  return () => server.stop()
}

/** A connection to that server, or to what stands for one in this process. */
export const connect = (socket: string | undefined): Redis => (socket === undefined ? new RedisMock() : new Redis(socket))
