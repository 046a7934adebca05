import { afterAll, expect, inject } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { control } from './driver.ts'
import { Mailer } from './mailer.fixed.ts'
import { QueueClient } from './queue-client.ts'

/** Each worker has a connection of its own. */
const connections = [1, 2].map(() => new QueueClient(inject('queue' as never)))
afterAll(() => [...connections, control].forEach((connection) => connection.close()))

dporTest('each mail is sent once', async () => {
  const sent: string[] = []
  const [one, two] = connections.map((connection) => new Mailer(connection, sent))
  await connections[0]!.send('mails', 'welcome')
  await connections[0]!.send('mails', 'invoice')
  await Promise.all([one!.sendNext(), two!.sendNext()])
  expect(sent.toSorted()).toEqual(['invoice', 'welcome'])
})
