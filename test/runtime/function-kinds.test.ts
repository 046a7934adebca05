import { createServer, get } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { kindOf } from '../../src/runtime/accesses/function-kinds.ts'

test('what the HTTP server of Node puts on its sockets is of the platform', async () => {
  const server = createServer((_, response) => response.end())
  const socket = await new Promise<Socket>((resolve) => {
    server.on('connection', resolve)
    server.listen(0, () => get({ port: (server.address() as AddressInfo).port }, (response) => response.resume()))
  })
  const methods = ['on', 'addListener', 'prependListener', 'setEncoding'].map((name) => Object.getOwnPropertyDescriptor(socket, name)?.value as (this: unknown) => unknown)
  expect(methods.map(kindOf)).toEqual(methods.map(() => 'platform'))
  expect(kindOf(function socketListenerWrap() {})).toBe('opaque')
  server.close()
})
