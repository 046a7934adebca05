import { afterAll, expect, inject } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { connect } from '../redis.ts'
import { Sessions } from './sessions.ts'

/** Each server of the shop has a connection of its own. */
const connections = [1, 2].map(() => connect(inject('redis' as never)))
afterAll(() => connections.forEach((connection) => connection.disconnect()))

dporTest('who has logged out stays so', async () => {
  const [one, two] = connections.map((connection) => new Sessions(connection))
  await one!.login('1', 'ann')
  await Promise.all([one!.put('1', 'book'), two!.logout('1')])
  expect(await one!.userOf('1')).toBeUndefined()
})
