import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'
import { ask, serve } from './uninstrumented/requests.ts'

/** Older than each execution: what is changed of it in a step is put back. */
let count = 0

/** What listens to something real, and is not instrumented, may call what is: that is done in a step as well. */
describe.each(['await', 'event-loop'] as const)("listeners of code that is not instrumented, by '%s'", (interleave) => {
  test('of answers', async () => {
    const { seen } = await outcomes(async () => {
      const server = createServer((_, response) => void response.end('text'))
      server.listen(0)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      let order = ''
      const one = (name: string) =>
        new Promise<void>((resolve) => ask(port, () => {
          count++
          order += name
          resolve()
        }))
      await Promise.all([one('a'), one('b')])
      server.close()
      return [count, order]
    }, { interleave, maxExecutions: 40 })
    expect(seen).toEqual(['[2,"ab"]', '[2,"ba"]'])
  })

  // What Node takes off a connection, and what ends it, comes in several executions.
  test('of answers by a connection that is kept', async () => {
    const { seen } = await outcomes(async () => {
      const server = createServer((_, response) => void response.end(String(++count)))
      server.listen(0)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const texts: string[] = []
      const one = (): Promise<void> => new Promise((resolve) => ask(port, (text) => {
        texts.push(text)
        resolve()
      }, { keepsConnection: true }))
      await one()
      await one()
      server.close()
      return texts
    }, { interleave })
    expect(seen).toEqual(['["1","2"]'])
  })

  test('of requests', async () => {
    const { seen } = await outcomes(async () => {
      const server = serve((response) => void response.end(String(++count)))
      server.listen(0)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const texts: string[] = []
      for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => ask(port, (text) => {
        texts.push(text)
        resolve()
      }))
      server.close()
      return texts
    }, { interleave })
    expect(seen).toEqual(['["1","2"]'])
  })
})
