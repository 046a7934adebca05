import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { defineDriver, explore, type DriverCall } from 'vitest-dpor'
import { QueueServer } from '../../examples/io/queue-server.ts'
import { QueueClient } from '../../examples/io/04-message-queue/queue-client.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

const server = new QueueServer()
let clients: QueueClient[]
let control: QueueClient

/** Whether `receive` is said to change nothing: a driver that is wrong. */
let saysLess = false
let resets = 0
let failsToReset = false

const sleep = (time: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, time))

describe.each(['await', 'event-loop'] as const)("a driver of one's own, interleave: '%s'", (interleave) => {
  beforeAll(async () => {
    if (clients) return
    const port = await server.listen()
    clients = [1, 2, 3].map(() => new QueueClient(port))
    control = new QueueClient(port)
    // In this process the server serves them only once they are connected.
    for (const client of [...clients, control]) await client.ask('clear', '')
    defineDriver({
      name: 'queues',
      of: QueueClient.prototype,
      methods: {
        send: { accesses: ({ args: [queue, message] }) => [{ kind: 'write', key: queue, value: message }] },
        peek: { accesses: ({ args: [queue], answer }) => [{ kind: 'read', key: queue, value: answer }] },
        remove: { accesses: ({ args: [queue] }) => [{ kind: 'write', key: queue }] },
        receive: {
          accesses: ({ args: [queue] }) => (saysLess ? [] : [{ kind: 'write', key: queue }]),
          waits: {
            isWaiting: async ({ args: [queue] }) => (await control.ask('waits', queue)) === true,
            giveUp: ({ args: [queue] }) => control.ask('giveUp', queue),
            milliseconds: ({ args: [queue] }) => (queue === 'impatient' ? 1000 : undefined),
          },
        },
      },
      reset: async () => {
        resets++
        await control.ask('clear', '')
        if (failsToReset) throw new Error('nobody there')
      },
    })
  })

  test('messages of two senders come in either order, those of one in its own', async () => {
    const [one, two] = clients
    const { seen, verdict, executions } = await outcomes(async () => {
      const both = async () => {
        await two!.send('news', 'b')
        await two!.send('news', 'c')
      }
      await Promise.all([one!.send('news', 'a'), both()])
      return `${await one!.receive('news')}${await one!.receive('news')}${await one!.receive('news')}`
    }, { interleave })
    expect({ seen, verdict, executions }).toEqual({ seen: ['"abc"', '"bac"', '"bca"'], verdict: 'holds', executions: interleave === 'await' ? 3 : 6 })
  })

  test('what one client asks is answered in the order of the calls, whoever awaits it first', async () => {
    const [one] = clients
    const { seen } = await outcomes(async () => {
      const [first, second] = [one!.send('news', 'a'), one!.send('news', 'b')]
      await second
      await first
      return `${await one!.receive('news')}${await one!.receive('news')}`
    }, { interleave })
    expect(seen).toEqual(['"ab"'])
  })

  test('queues that share nothing come in one order', async () => {
    const [one, two] = clients
    const { executions, verdict } = await outcomes(() => Promise.all([one!.send('a', '1'), two!.send('b', '1')]), { interleave })
    // Which of two answers comes first is an order of events.
    expect({ executions, verdict }).toEqual({ executions: interleave === 'await' ? 1 : 2, verdict: 'holds' })
  })

  test('who waits goes on in the step that sends something', async () => {
    const [one, two, three] = clients
    const { seen, verdict } = await outcomes(async () => {
      const got = Promise.all([one!.receive('jobs'), two!.receive('jobs')])
      await three!.send('jobs', 'a')
      await three!.send('jobs', 'b')
      return (await got).join('')
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['"ab"', '"ba"'], verdict: 'holds' })
  })

  test('a message that comes too late: time is virtual', async () => {
    const [one, two] = clients
    const started = performance.now()
    const { seen, verdict } = await outcomes(async () => {
      const late = async () => {
        await sleep(10_000)
        await two!.send('impatient', 'a')
      }
      return (await Promise.all([one!.receive('impatient'), late()]))[0]
    }, { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['null'], verdict: 'holds' })
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  test('nobody sends anything: a deadlock, after which nobody waits at the server', async () => {
    const { verdict, failures } = await explore(() => clients[0]!.receive('jobs'), { interleave })
    expect({ verdict, kind: failures[0]?.kind }).toEqual({ verdict: 'fails', kind: 'deadlock' })
    expect(await control.ask('waits', 'jobs')).toBe(false)
  })

  test('what is outside is put back after each execution, and where it is not the verdict says so', async () => {
    const [one, two] = clients
    const body = async () => {
      expect(await one!.peek('news')).toBeNull()
      await Promise.all([one!.send('news', 'a'), two!.send('news', 'b')])
    }
    resets = 0
    const { verdict, executions } = await explore(body, { interleave })
    expect({ verdict, resets: resets >= executions && resets > 0 }).toEqual({ verdict: 'holds', resets: true })
    failsToReset = true
    const { verdict: ofFailing, inconclusiveReason } = await explore(body, { interleave })
    failsToReset = false
    expect(ofFailing).toBe('inconclusive')
    expect(inconclusiveReason).toContain('what queues has (nobody there)')
  })

  test('a driver that says less than is done does not find what comes of it', async () => {
    const [one, two] = clients
    const body = async () => {
      await one!.send('jobs', 'a')
      await one!.send('jobs', 'b')
      const got: (string | null)[] = []
      const take = async (client: QueueClient) => got.push(await client.receive('jobs'))
      const second = async () => {
        await null
        await take(two!)
      }
      await Promise.all([take(one!), second()])
      return got.join('')
    }
    const count = async () => (await outcomes(() => body().then(() => undefined), { interleave })).executions
    const all = await count()
    saysLess = true
    const fewer = await count()
    saysLess = false
    expect(fewer).toBeLessThan(all)
  })

  test('an error of the client is an answer', async () => {
    const failing = new Failing()
    const { seen } = await outcomes(() => failing.ask(1).catch((error: Error) => error.message), { interleave })
    expect(seen).toEqual(['"no 1"'])
  })

  test('outside of explorations methods do what they always do', async () => {
    await clients[0]!.send('plain', 'a')
    expect(await clients[1]!.receive('plain')).toBe('a')
  })
})

class Failing {
  async ask(n: number): Promise<string> {
    throw new Error(`no ${n}`)
  }
}

defineDriver({ name: 'failing', of: Failing.prototype, methods: { ask: { accesses: (call) => {
  expectTypeOf(call).toEqualTypeOf<DriverCall<Failing, [n: number], string>>()
  return [{ kind: 'read' }]
} } } })

test('a driver is defined once, of methods that there are', () => {
  const methods = { ask: { accesses: () => [] } }
  expect(() => defineDriver({ name: 'failing', of: Failing.prototype, methods })).toThrow('is defined already')
  expect(() => defineDriver({ name: 'other', of: {} as { ask(): Promise<void> }, methods })).toThrow('a method ask that its clients do not have')
})

afterAll(() => {
  for (const client of [...clients, control]) client.close()
  server.close()
})
