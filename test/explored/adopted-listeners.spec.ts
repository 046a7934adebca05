import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

let server: Server

beforeAll(async () => {
  server = createServer().listen(0)
  await once(server, 'listening')
})
afterAll(() => void server.close())

test.each(['await', 'event-loop'] as const)("a body listens to a server that beforeAll has opened, by '%s'", async (interleave) => {
  const found = await explore(async () => {
    server.once('upgrade', (_, socket) => {
      socket.on('end', () => socket.end())
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    })
    const asked = request({ port: (server.address() as AddressInfo).port, headers: { Connection: 'Upgrade', Upgrade: 'x' } })
    const answered = new Promise<void>((resolve) =>
      asked.on('upgrade', (_, socket) => {
        socket.end()
        resolve()
      }),
    )
    asked.end()
    await answered
  }, { interleave, maxExecutions: 30 })
  expect(found).toMatchObject({ verdict: 'holds' })
})
