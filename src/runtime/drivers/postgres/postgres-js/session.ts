import { NativePromise, noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Answer } from '../../question.ts'
import type { Footprint } from '../../sql/footprint.ts'
import type { Status } from '../../sql/transaction.ts'
import type { Control } from '../control.ts'
import { lostFor, mostRollbacks, type Address, type OwnConnection, type Session, unlocking } from '../session.ts'
import { isResult, type Options, type PostgresConnection, type Query, type Result, type Sql } from './package.ts'
import { executeOf, isAlive, type Pool } from './pool.ts'

/** A connection of a pool of the package `postgres`. */
export class PostgresSession implements Session {
  readonly pool: Pool
  /** Undefined before it is known which one it is. */
  connection: PostgresConnection | undefined
  #status: Status
  #last: Query | undefined

  constructor(pool: Pool, connection?: PostgresConnection) {
    this.pool = pool
    this.connection = connection
    this.#status = pool.left
  }

  get address(): Address {
    return this.pool.address
  }

  get process(): number | undefined {
    return this.#last?.state?.pid ?? undefined
  }

  get status(): Status {
    return this.#status
  }

  /** Has a statement sent, and finds out in which transaction that leaves it. */
  async ask(query: Query, send: (query: Query) => unknown, what: { readonly footprint: Footprint; readonly control: Control }): Promise<Answer> {
    this.#last = query
    // The package would send it to nowhere, and wait for the answer.
    const answer = this.connection && !isAlive(this.connection) ? { error: closed(this.pool.address) } : await answerOf(query, send)
    this.#status = await this.#statusAfter(answer, what)
    if (this.pool.size === 1) this.pool.left = this.#status
    return answer
  }

  /** The package keeps it to itself. */
  async #statusAfter(answer: Answer, { footprint, control }: { readonly footprint: Footprint; readonly control: Control }): Promise<Status> {
    if (this.connection && !isAlive(this.connection)) return 'idle'
    const isOfServer = 'error' in answer ? isServerError(answer.error) : true
    if (!isOfServer || footprint.kind === 'everything' || footprint.kind === 'ends') return this.process === undefined ? 'idle' : control.statusOf(this.process).catch(() => this.#statusUnknown)
    if ('error' in answer) return this.#status === 'idle' ? 'idle' : 'failed'
    if (footprint.kind === 'begins' || footprint.kind === 'ends in part') return 'open'
    return this.#status
  }

  /** The server cannot be asked: it may be open. */
  get #statusUnknown(): Status {
    return this.connection && !isAlive(this.connection) ? 'idle' : 'open'
  }

  async rollBack(): Promise<void> {
    const { connection } = this
    // One that is lost has nothing open any more.
    if (!connection || !isAlive(connection)) return
    const rollBack = async (): Promise<Answer> => answerOf(besideSteps(() => this.pool.sql.unsafe('rollback')), executeOf(connection))
    for (let tries = 0; tries < mostRollbacks && isAlive(connection); tries++) if ('value' in (await rollBack())) break
    this.#status = 'idle'
  }

  async letGoOfLocks(): Promise<void> {
    const { connection } = this
    if (connection && isAlive(connection)) await answerOf(besideSteps(() => this.pool.sql.unsafe(unlocking)), executeOf(connection))
  }

  async openAnother(): Promise<OwnConnection> {
    const { make, options } = this.pool
    let lost: (why: string) => void = noop
    const onclose = (): void => {
      lost(lostFor('it was closed'))
      // The package would open it anew.
      void besideSteps(() => sql.end({ timeout: 0 }))
    }
    const sql: Sql = besideSteps(() => make({ ...only(options), max: 1, idle_timeout: null, max_lifetime: null, onnotice: noop, onclose, socket: () => socketFor(options) }))
    const rowsOf = async (text: string, values: readonly unknown[]): Promise<readonly unknown[]> => {
      const answer = await answerOf(besideSteps(() => sql.unsafe(text, values)), (query) => query.handler(query))
      if ('error' in answer) throw answer.error
      return answer.value as readonly unknown[]
    }
    return {
      async run(text) {
        const results = await rowsOf(text, [])
        const all = isResult(results) ? [results] : (results as readonly Result[])
        return all.filter(({ columns }) => columns !== undefined)
      },
      rows: rowsOf,
      whenLost(callBack) {
        lost = callBack
      },
    }
  }
}

/** The answer to a statement that is sent now. The statement itself, which is a promise, stays as it is: nobody waits for that. */
function answerOf(query: Query, send: (query: Query) => unknown): Promise<Answer> {
  return new NativePromise((resolve) => {
    const answered = (answer: Answer): void => {
      query.active = false
      resolve(answer)
    }
    query.resolve = (value) => answered({ value })
    query.reject = (error) => answered({ error })
    query.executed = true
    besideSteps(() => send(query))
  })
}

/** Others have never reached the server, or have reached it in part. */
export const isServerError = (error: unknown): boolean => error instanceof Error && 'severity' in error

/** What leads to the same database. */
const only = ({ host, port, path, database, user, pass, ssl }: Options): object => ({ host, port, path, database, user, pass, ssl })

/** One that keeps nothing alive. It may still be connecting: of one that could not be opened the package would hear nothing, and wait for it. */
async function socketFor(options: Options): Promise<unknown> {
  const { connect } = globalThis.process.getBuiltinModule('node:net')
  const socket = (await options.socket?.(options)) ?? (options.path ? connect(options.path) : connect(options.port[0]!, options.host[0]))
  return socket.unref()
}

/** The package's own error of a connection that is lost. */
const closed = ({ host, port }: Address): Error => globalThis.Object.assign(new Error(`write CONNECTION_CLOSED ${host}:${port}`), { code: 'CONNECTION_CLOSED', errno: 'CONNECTION_CLOSED', address: host, port })
