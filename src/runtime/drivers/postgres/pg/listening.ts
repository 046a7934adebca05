import type { Listening } from '../../messages.ts'
import { call } from './calls.ts'
import { isAlive, isOpen, statusOf, type PgClient, type PgFunctions } from './client.ts'

/** A client that asks for notifications. What comes while it is in a transaction comes when that is over. */
export const listeningOf = (client: PgClient, { query }: PgFunctions): Listening => ({
  object: client,
  name: 'notification',
  isOpen: () => isOpen(client) && isAlive(client),
  haveCome: async () => {
    if (client.readyForQuery !== false && statusOf(client) === 'idle') await call(query, client, ['select 1'])
  },
})
