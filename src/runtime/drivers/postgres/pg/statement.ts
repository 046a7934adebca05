import { Array, Reflect } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { nameNew } from '../../../accesses/new-graphs.ts'
import type { Execution } from '../../../execution/execution.ts'
import { noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Answer } from '../../question.ts'
import { openConnection, type Connection } from '../connections.ts'
import type { Taken } from '../../pool-use.ts'
import { Statement, type Text } from '../statement.ts'
import type { Callback } from './client.ts'
import { isReady, PgSession } from './session.ts'

/** What `client.query` was given. */
export interface Given extends Text {
  /** The text, or an object that has it. */
  readonly config: unknown
}

/** `client.query()` */
export class PgStatement extends Statement {
  readonly #given: Given

  constructor(execution: Execution, given: Given, connection?: Connection) {
    super(execution, given, connection)
    this.#given = given
  }

  send(answered: (answer: Answer) => void): void {
    const { client, functions } = this.connection!.session as PgSession
    // One whose connection is lost says so as well.
    client.on('error', noop)
    const callback: Callback = (error, value) =>
      void isReady(client).then(() => {
        client.off('error', noop)
        answered(error ? { error } : { value })
      })
    besideSteps(() => Reflect.apply(functions.query, client, [this.#given.config, this.#given.values, callback]))
  }

  protected rowsOf(answered: object): unknown {
    return Reflect.get(answered, 'rows')
  }

  /** What a result has of its connection is not new. */
  protected nameAnswer(answered: object): void {
    if (Array.isArray(answered)) for (const one of answered as object[]) this.nameAnswer(one)
    this.execution.identities.made(answered)
    nameNew(this.execution, Reflect.get(answered, 'rows'))
    nameNew(this.execution, Reflect.get(answered, 'fields'))
  }
}

/** `pool.query()`: by a connection that nobody else sees. */
export class PooledStatement extends PgStatement {
  readonly #taken: Taken
  readonly #connect: () => Promise<PgSession>

  constructor(execution: Execution, given: Given, taken: Taken, connect: () => Promise<PgSession>) {
    super(execution, given)
    this.#taken = taken
    this.#connect = connect
  }

  override prepare(site: SiteId): () => Promise<void> {
    return async () => {
      const session = await this.#connect()
      const release = session.client.release!
      this.connection = openConnection(this.execution, { session, object: this.#taken.line.object, giveBack: () => besideSteps(() => release()) })
      await super.prepare(site)?.()
    }
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    void this.connection?.giveBack()
    this.#taken.use.giveBack()
    return answer
  }
}
