import { createServer, get, type RequestListener } from 'node:http'
import { stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const ask = (port: number): Promise<unknown> => new Promise((resolve, reject) => void get({ port }, (response) => response.resume().on('end', resolve)).on('error', reject))

async function executionsWith(handler: RequestListener): Promise<number> {
  const { executions, verdict } = await explore(async () => {
    const server = createServer(handler)
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    const { port } = server.address() as AddressInfo
    await Promise.all([ask(port), ask(port)])
    await new Promise((resolve) => void server.close(resolve))
  }, { interleave: 'event-loop' })
  expect(verdict).toBe('holds')
  return executions
}

test('a request, its response and its connection are those of one handler alone', async () => {
  const executions = await executionsWith(async (_, response) => {
    await stat('.')
    response.end()
  })
  const withChanges = await executionsWith(async (request, response) => {
    response.statusCode = 201
    request.socket.on('close', () => {})
    await stat('.')
    response.statusCode = 202
    request.headers.host = 'other'
    response.setHeader('a', 'b')
    response.end()
  })
  expect(withChanges).toBe(executions)
})

test('what handlers share is not', async () => {
  const shared = { count: 0 }
  const executions = await executionsWith(async (_, response) => {
    response.end()
  })
  const sharing = await executionsWith(async (_, response) => {
    const before = shared.count
    await stat('.')
    shared.count = before + 1
    response.end()
  })
  expect(sharing).toBeGreaterThan(executions)
})
