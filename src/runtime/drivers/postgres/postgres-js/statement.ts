import { Array } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { nameNew } from '../../../accesses/new-graphs.ts'
import type { Execution } from '../../../execution/execution.ts'
import type { Answer } from '../../question.ts'
import { openConnection, type Connection } from '../connections.ts'
import type { Taken } from '../../pool-use.ts'
import { Statement, type Text } from '../statement.ts'
import { hold, type Holding } from './holdings.ts'
import { noteAnswer } from './lost-sessions.ts'
import { isResult, type Query } from './package.ts'
import { executeOf, type Pool } from './pool.ts'
import { PostgresSession } from './session.ts'

/** A statement of a session that somebody has. */
export class QueryStatement extends Statement {
  readonly #query: Query

  constructor(execution: Execution, query: Query, text: Text, connection?: Connection) {
    super(execution, text, connection)
    this.#query = query
    // The values that it was given.
    query.parameters = text.values
  }

  protected give(answered: (answer: Answer) => void): void {
    const { control } = this.connection!
    void this.session.ask(this.#query, (query) => this.handOver(query), { footprint: this.footprint, control: control! }).then((answer) => {
      noteAnswer(this.execution, this.session.pool, { query: this.#query, answer })
      answered(answer)
    })
  }

  protected get session(): PostgresSession {
    return this.connection!.session as PostgresSession
  }

  protected handOver(query: Query): unknown {
    return executeOf(this.session.connection!)(query)
  }

  protected rowsOf(answered: object): unknown {
    return answered
  }

  /** What a result has of its connection is not new. */
  protected nameAnswer(answered: object): void {
    this.execution.identities.made(answered)
    if (!Array.isArray(answered)) return
    const isOne = isResult(answered)
    for (const one of answered as object[]) if (isOne) nameNew(this.execution, one)
    else this.nameAnswer(one)
  }
}

/** One of a connection that is held: it may be the last. */
export class HeldQuery extends QueryStatement {
  readonly #holding: Holding

  constructor(execution: Execution, query: Query, text: Text, holding: Holding) {
    super(execution, query, text, holding.connection)
    this.#holding = holding
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    this.#holding.answered()
    return answer
  }
}

/** One for which the pool finds a connection, which nobody else sees. */
export class PooledQuery extends QueryStatement {
  readonly #pool: Pool
  protected readonly taken: Taken

  constructor(execution: Execution, query: Query, text: Text, { pool, taken }: { readonly pool: Pool; readonly taken: Taken }) {
    super(execution, query, text)
    this.#pool = pool
    this.taken = taken
  }

  override prepare(site: SiteId): (() => Promise<void>) | undefined {
    this.connection ??= openConnection(this.execution, new PostgresSession(this.#pool), { object: this.taken.line.object })
    return super.prepare(site)
  }

  protected override handOver(query: Query): unknown {
    return query.handler(query)
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    this.hasAnswer(answer)
    return answer
  }

  protected hasAnswer(_answer: Answer): void {
    void this.connection?.giveBack()
    this.taken.giveBack()
  }
}

/** That with which a transaction begins: from then on the connection is its own. */
export class Beginning extends PooledQuery {
  constructor(execution: Execution, query: Query, text: Text, where: { readonly pool: Pool; readonly taken: Taken }) {
    super(execution, query, text, where)
    const { options } = query
    const { onexecute } = options
    options.onexecute = (connection) => {
      this.session.connection = connection
      return onexecute!(connection)
    }
  }

  /** It has begun after all, and nobody goes on with it. */
  giveBack(answer: Answer): void {
    if ('value' in answer) void this.session.rollBack()
  }

  protected override hasAnswer(answer: Answer): void {
    const { connection } = this.session
    if ('error' in answer || !connection) return super.hasAnswer(answer)
    this.execution.identities.assign(connection, this.taken.line.object)
    hold(this.execution, connection, { connection: this.connection!, taken: this.taken })
  }
}
