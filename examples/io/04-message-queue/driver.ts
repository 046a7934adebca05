import { inject } from 'vitest'
import { defineDriver } from 'vitest-dpor'
import { QueueClient } from './queue-client.ts'

/** Asks the server about others, and is explored itself by nobody. */
export const control = new QueueClient(inject('queue' as never))

/** What calls of a client do to its queues. */
defineDriver({
  name: 'queues',
  of: QueueClient.prototype,
  methods: {
    send: { accesses: ({ args: [queue, message] }) => [{ kind: 'write', key: queue, value: message }] },
    peek: { accesses: ({ args: [queue], answer }) => [{ kind: 'read', key: queue, value: answer }] },
    remove: { accesses: ({ args: [queue] }) => [{ kind: 'write', key: queue }] },
    receive: {
      // Whoever waits changes nothing, but who comes first is served first.
      accesses: ({ args: [queue], answer }) => [{ kind: 'write', key: queue, value: answer }],
      waits: {
        isWaiting: async ({ args: [queue] }) => (await control.ask('waits', queue)) === true,
        giveUp: ({ args: [queue] }) => control.ask('giveUp', queue),
      },
    },
  },
  reset: () => control.ask('clear', ''),
})
