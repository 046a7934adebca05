import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

let stock = 5
function sell(_: unknown, response: { end: (text: string) => void }): void {
  const before = stock
  setTimeout(() => {
    stock = before - 1
    response.end(String(stock))
  }, 1)
}

const started = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(sell)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
const ask = async (server: Server): Promise<string> => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text()

let older: Server
beforeAll(async () => {
  older = await started()
})
const close = (): Promise<void> =>
  new Promise((resolve) => {
    older.close(() => resolve())
    older.closeAllConnections()
  })
afterAll(close)

test('what a server from before the test calls is named, as it runs in no step', async () => {
  const { served } = await explore(() => Promise.all([ask(older), ask(older)]), { interleave: 'event-loop' })
  expect(served).toEqual(['sell'])
})

test('not where nobody has asked it', async () => {
  const { served } = await explore(async () => void (await null))
  expect(served).toEqual([])
})

test('what a server calls that the body has started is explored', async () => {
  await close()
  const { served, verdict } = await explore(async () => {
    stock = 5
    const server = await started()
    await Promise.all([ask(server), ask(server)])
    server.close()
    expect(stock).toBe(3)
  }, { interleave: 'event-loop' })
  expect({ served, verdict }).toEqual({ served: [], verdict: 'fails' })
})
