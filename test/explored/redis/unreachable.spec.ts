import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

/** Where no server is, clients try again and again to reach one. Nothing listens at this port. */
const nowhere = 1

const bodies = {
  async 'redis connects'() {
    const client = createClient({ socket: { port: nowhere } })
    client.on('error', () => {})
    await client.connect()
  },
  async 'redis is asked'() {
    const client = createClient({ socket: { port: nowhere } })
    client.on('error', () => {})
    void client.connect()
    await client.set('n', '1')
  },
  async 'ioredis is asked'() {
    const client = new Redis({ port: nowhere, maxRetriesPerRequest: null })
    client.on('error', () => {})
    await client.get('n')
  },
}

describe.each(['await', 'event-loop'] as const)("by '%s', without a server", (interleave) => {
  test.each(Object.entries(bodies))('%s: the exploration ends in time, and so does the next one', async (_, body) => {
    const { verdict, executions, inconclusiveReason } = await explore(body, { interleave, maxTime: 1000 })
    expect({ verdict, executions, inconclusiveReason }).toEqual({ verdict: 'inconclusive', executions: 0, inconclusiveReason: expect.stringContaining('maxTime of 1000 ms') as string })
    expect((await explore(async () => void (await null), { interleave, maxTime: 1000 })).verdict).toBe('holds')
  }, 15_000)
})
