import { afterMacrotask, noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Status } from '../../sql/transaction.ts'
import type { Limits } from '../time-limits.ts'
import { lostFor, mostRollbacks, type Address, type OwnConnection, type Session, unlocking } from '../session.ts'
import { call } from './calls.ts'
import { isAlive, isOpen, limitsOf, noteClient, statusOf, type PgClient, type PgFunctions } from './client.ts'

interface Result {
  readonly rows: readonly unknown[]
  readonly fields: readonly unknown[]
}

/** A client of `pg`. */
export class PgSession implements Session {
  readonly client: PgClient
  readonly functions: PgFunctions

  constructor(client: PgClient, functions: PgFunctions) {
    noteClient(client)
    this.client = client
    this.functions = functions
  }

  get address(): Address {
    const { host = '', port = 5432, database = '', user = '' } = this.client
    return { host, port, database, user }
  }

  get process(): number | undefined {
    return this.client.processID ?? undefined
  }

  get status(): Status {
    return statusOf(this.client)
  }

  get limits(): Partial<Limits> {
    const { lock_timeout: lock, statement_timeout: statement } = this.client.connectionParameters ?? {}
    return { ...(lock && { lock }), ...(statement && { statement }), ...limitsOf(this.client).usual }
  }

  async rollBack(): Promise<void> {
    // One that is lost has nothing open any more.
    for (let tries = 0; tries < mostRollbacks && isOpen(this.client) && isAlive(this.client); tries++) {
      await call(this.functions.query, this.client, ['rollback']).catch(() => {})
      await isReady(this.client)
      if (this.status === 'idle') return
    }
  }

  async letGoOfLocks(): Promise<void> {
    if (isAlive(this.client)) await call(this.functions.query, this.client, [unlocking]).catch(noop)
  }

  async openAnother(): Promise<OwnConnection> {
    const { host, port, user, database, password, ssl } = this.client
    const { Client, query, connect } = this.functions
    const client = besideSteps(() => new Client({ host, port, user, database, password, ssl }))
    let lost: (why: string) => void = noop
    client.on('error', (error) => lost(lostFor(String((error as Error).message))))
    await call(connect, client, [])
    client.connection.stream?.unref?.()
    return {
      async run(text) {
        const results = (await call(query, client, [text])) as Result | readonly Result[]
        return [results].flat().filter(({ fields }) => fields.length > 0).map(({ rows }) => rows)
      },
      async rows(text, values) {
        return ((await call(query, client, [text, values])) as Result).rows
      },
      whenLost(callBack) {
        lost = callBack
      },
    }
  }
}

/** An error comes before the server can be asked again. */
export async function isReady(client: PgClient): Promise<void> {
  while (client.readyForQuery === false && isAlive(client)) await new Promise<void>(afterMacrotask)
}
