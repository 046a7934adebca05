import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { searchBy } from './instrumented/answering-requests.ts'
import { outcomesOf } from './uninstrumented/task-outcomes.ts'

test.each(['await', 'event-loop'] as const)("requests of node:http that this process answers are answered in any order, interleave: '%s'", async (interleave) => {
  const searches = async () => {
    const box = { shown: '' }
    await Promise.all([searchBy(box, '/a'), searchBy(box, '/ab')])
    return box.shown
  }
  expect((await outcomesOf({ tasks: [searches] }, { interleave })).outcomes).toEqual(['["/a"]', '["/ab"]'])
})

test('a request gets its answer where somebody listens to its connection', async () => {
  const { verdict } = await explore(async () => {
    const server = createServer((_, response) => void response.end('answer'))
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    await new Promise<void>((resolve) => {
      const asked = request({ port: (server.address() as AddressInfo).port }, (response) => void response.resume().on('end', resolve))
      asked.on('socket', (socket) => void socket.on('connect', () => {})).end()
    })
    await new Promise((resolve) => void server.close(resolve))
  }, { interleave: 'event-loop' })
  expect(verdict).toBe('holds')
})
