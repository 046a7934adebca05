import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { besideSteps } from '../../execution/running.ts'
import { oldestLast } from '../connection-numbers.ts'
import { takeFrom, type Taken } from '../pool-use.ts'
import type { Answer, Question } from '../question.ts'
import { ask, simply } from './asking.ts'
import { call } from './calls.ts'
import { notePool, ofPools, type MysqlConnection, type MysqlPool } from './client.ts'
import { openConnection } from './connections.ts'
import type { Given } from './given.ts'
import { Statement } from './statement.ts'

/** How somebody wants to hear: by this callback, or by a promise. */
interface Hearing {
  readonly callback: unknown
  readonly site: SiteId
}

const take = (execution: Execution, pool: MysqlPool): Taken => {
  notePool(pool)
  return takeFrom(execution, { pool, size: pool.config.connectionLimit || Infinity, sortIdle: () => sortIdle(pool), refusal: (waiting) => refusalOf(pool, waiting) })
}

/** The words are those of the package. */
function refusalOf({ config: { waitForConnections, queueLimit } }: MysqlPool, waiting: number): Error | undefined {
  if (!waitForConnections) return new Error('No connections available.')
  return queueLimit > 0 && waiting >= queueLimit ? new Error('Queue limit reached.') : undefined
}

const refused = (name: string, error: Error): Question =>
  simply(name, async () => {
    throw error
  })

function sortIdle({ _freeConnections: free }: MysqlPool): void {
  const sorted = oldestLast(free.toArray(), (connection) => connection)
  free.clear()
  for (const connection of sorted) free.push(connection)
}

async function connect(pool: MysqlPool): Promise<MysqlConnection> {
  const [client] = await call(ofPools.of(pool).getConnection, pool, [])
  return client as MysqlConnection
}

function giveBack(pool: MysqlPool, client: MysqlConnection): void {
  Reflect.set(client, '_released', true)
  besideSteps(() => Reflect.apply(ofPools.of(pool).releaseConnection, pool, [client]))
}

/** `pool.getConnection()`; `handedOut` says what is told of the connection. */
export function checkOut(execution: Execution, pool: MysqlPool, handedOut: (client: MysqlConnection) => object, hearing: Hearing): unknown {
  const taken = take(execution, pool)
  const { line, refusal } = taken
  if (refusal) return ask(execution, line, refused('getConnection', refusal), hearing)
  const question: Question = {
    name: 'getConnection',
    tell() {},
    send(answered) {
      connect(pool).then((value) => answered({ value }), (error: unknown) => answered({ error }))
    },
    giveBack(answer) {
      if ('value' in answer) giveBack(pool, answer.value as MysqlConnection)
    },
    end(_, answer): Answer {
      if ('error' in answer) {
        taken.giveBack()
        return answer
      }
      const client = answer.value as MysqlConnection
      execution.identities.assign(client, line.object)
      openConnection(execution, client, {
        object: line.object,
        giveBack({ isOver }) {
          if (!isOver) taken.giveBack()
          giveBack(pool, client)
        },
      })
      const value = handedOut(client)
      execution.identities.made(value)
      return { value }
    },
  }
  return ask(execution, line, question, hearing)
}

/** `pool.query()`: by a connection that nobody else sees. */
export function stateByPool(execution: Execution, pool: MysqlPool, given: Given, hearing: Hearing): unknown {
  const taken = take(execution, pool)
  if (taken.refusal) return ask(execution, taken.line, refused('query', taken.refusal), hearing)
  return ask(execution, taken.line, new PooledStatement(execution, given, { taken, pool }), hearing)
}

class PooledStatement extends Statement {
  readonly #from: { readonly taken: Taken; readonly pool: MysqlPool }

  constructor(execution: Execution, given: Given, from: { readonly taken: Taken; readonly pool: MysqlPool }) {
    super(execution, given)
    this.#from = from
  }

  override prepare(site: SiteId): () => Promise<void> {
    return async () => {
      const { taken, pool } = this.#from
      const client = await connect(pool)
      this.connection = openConnection(this.execution, client, { object: taken.line.object, giveBack: () => giveBack(pool, client) })
      await super.prepare(site)?.()
    }
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    void this.connection?.giveBack()
    this.#from.taken.giveBack()
    return answer
  }
}
