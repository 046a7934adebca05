import { execFile } from 'node:child_process'
import { createServer, get, type RequestListener, type Server } from 'node:http'
import { stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

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

describe.each(['await', 'event-loop'] as const)("what waits outside for the answer of a server, by '%s'", (interleave) => {
  let count = 0
  const answer: RequestListener = async (_, response) => {
    const before = count
    await stat('.')
    count = before + 1
    response.end(String(count))
  }
  const older = createServer(answer)
  beforeAll(() => new Promise<void>((resolve) => void older.listen(0, resolve)))
  afterAll(() => new Promise((resolve) => void older.close(resolve)))

  const code = (server: Server, end: string): string => `fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}').then((answer) => answer.text()).then((text) => { ${end} })`
  const askers: Record<string, (server: Server) => Promise<unknown>> = {
    'a child process': async (server) => (await promisify(execFile)(process.execPath, ['-e', code(server, 'console.log(text); process.exit()')])).stdout.trim(),
    'a thread': (server) => new Promise((resolve) => void new Worker(code(server, `require('node:worker_threads').parentPort.postMessage(text)`), { eval: true }).once('message', resolve)),
  }

  test.each(Object.keys(askers))('%s', async (name) => {
    const ofBefore = await outcomes(() => askers[name]!(older), { interleave })
    expect(ofBefore).toMatchObject({ seen: ['"1"'], verdict: 'holds' })
    const ofBody = await outcomes(async () => {
      const server = createServer(answer)
      await new Promise<void>((resolve) => void server.listen(0, resolve))
      const text = await askers[name]!(server)
      server.close()
      server.closeAllConnections()
      return text
    }, { interleave })
    expect(ofBody).toMatchObject({ seen: ['"1"'], verdict: 'holds' })
  }, 30_000)
})

test.each(['await', 'event-loop'] as const)('a key with the port of a server is the same in each execution, however that was made to listen, switches at %s', async (interleave) => {
  const pools = new Map<string, number>()
  const { verdict, inconclusiveReason, executions } = await explore(
    async () => {
      const server = createServer((_, response) => void response.end('ok'))
      await promisify(server.listen.bind(server) as (port: number, done: () => void) => void)(0)
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`
      const use = async () => {
        await null
        pools.set(origin, (pools.get(origin) ?? 0) + 1)
      }
      await Promise.all([use(), use()])
      await promisify(server.close.bind(server))()
    },
    { interleave },
  )
  expect({ verdict, inconclusiveReason, isMore: executions > 1 }).toEqual({ verdict: 'holds', inconclusiveReason: undefined, isMore: true })
})
