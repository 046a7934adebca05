import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isNobodysData } from '../../src/runtime/accesses/nobodys-data.ts'

test('what Node has of an open pipe or socket is no data of the program: messages of the test runner come by one', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const handle: unknown = Reflect.get(server, '_handle')
  expect([isNobodysData(handle as object), isNobodysData({}), isNobodysData(Object.create({ getId: () => 1 }) as object)]).toEqual([true, false, false])
  server.close()
})
