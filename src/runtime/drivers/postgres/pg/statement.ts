import { Array, Object, Reflect } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { nameNew } from '../../../accesses/new-graphs.ts'
import type { Execution } from '../../../execution/execution.ts'
import { NativePromise, noop } from '../../../execution/native.ts'
import { besideSteps } from '../../../execution/running.ts'
import { messagesOf } from '../../messages.ts'
import type { Answer } from '../../question.ts'
import { serversOf } from '../../servers.ts'
import { looksAtItsRowsOnly } from '../../sql/footprint.ts'
import { openConnection, type Connection } from '../connections.ts'
import type { Taken } from '../../pool-use.ts'
import { listensTo, stopsListening } from '../notifications.ts'
import { Statement, type Text } from '../statement.ts'
import { call } from './calls.ts'
import { statusOf, type Callback } from './client.ts'
import { listeningOf } from './listening.ts'
import { hearLosses, noteError } from './losses.ts'
import { isReady, PgSession } from './session.ts'

/** What `client.query` was given. */
export interface Given extends Text {
  /** The text, or an object that has it. */
  readonly config: unknown
}

interface Field {
  readonly name: string
}

/** The code of the error by which a statement ends that is cancelled. */
const queryCanceled = '57014'

/** Of our own: nobody else has one of this name. */
const savepoint = 'vitest_dpor'
/** Ends as if somebody had cancelled it. */
const cancellation = 'do $$ begin raise query_canceled; end $$'
/** The same for the transaction, as it was before the savepoint. */
const failure = `rollback to savepoint ${savepoint}; release savepoint ${savepoint}; ${cancellation}`

/** `client.query()` */
export class PgStatement extends Statement {
  readonly #given: Given
  /** Somebody has the client that sends it. */
  readonly #isOfClient: boolean
  /** From where on it is taken back: a savepoint, or its own beginning. */
  #revocableFrom: 'savepoint' | 'itself' | undefined
  #isTakenBack = false
  #answered!: (answer: Answer) => void
  /** It is being taken back. */
  #cancelled: ((answer: Answer) => void) | undefined

  constructor(execution: Execution, given: Given, connection?: Connection) {
    super(execution, given, connection)
    this.#given = given
    this.#isOfClient = connection !== undefined
  }

  override prepare(site: SiteId): (() => Promise<void>) | undefined {
    if (this.#isOfClient) this.#followListening(this.connection!, site)
    return super.prepare(site)
  }

  /** The running step sends it, by a client that somebody has. */
  #followListening(connection: Connection, site: SiteId): void {
    const { client, functions } = connection.session as PgSession
    const messages = messagesOf(this.execution)
    const stops = stopsListening(this.text)
    if (stops) messages.stopsListening(client)
    this.isHeard = stops || listensTo(this.text)
    if (!listensTo(this.text)) return
    const listening = listeningOf(client, functions)
    if (!messages.listens(listening, site)) return
    serversOf(this.execution).whenOver(async () => {
      if (listening.isOpen() && statusOf(client) === 'idle') await call(functions.query, client, ['unlisten *']).catch(noop)
    })
  }

  async makeRevocable(): Promise<void> {
    const { status, transaction } = this.connection!
    const isOpen = status === 'open'
    // One that is a transaction of its own would have another snapshot.
    if (!this.mayWait() || !looksAtItsRowsOnly(this.footprint) || (!isOpen && transaction.level !== 'read committed')) return
    if (isOpen) await this.#run(`savepoint ${savepoint}`)
    this.#revocableFrom = isOpen ? 'savepoint' : 'itself'
  }

  protected give(answered: (answer: Answer) => void): void {
    this.#isTakenBack = false
    this.#answered = answered
    const { client, functions } = this.#session
    hearLosses(this.execution, client)
    const callback: Callback = (error, value) =>
      void isReady(client).then(async () => {
        if (error) noteError(client, error)
        const answer = error ? { error } : { value }
        if (this.#cancelled) return this.#cancelled(answer)
        // What fails ends its whole transaction.
        if (this.#revocableFrom === 'savepoint') await this.#run(error ? failure : `release savepoint ${savepoint}`).catch(noop)
        answered(answer)
      })
    besideSteps(() => Reflect.apply(functions.query, client, [this.#given.config, this.#given.values, callback]))
  }

  async takeBack(): Promise<boolean> {
    if (this.#revocableFrom === undefined) return false
    const end = new NativePromise<Answer>((resolve) => (this.#cancelled = resolve))
    await super.cancel()
    const answer = await end
    this.#cancelled = undefined
    if (!('error' in answer) || (answer.error as { readonly code?: string }).code !== queryCanceled) {
      this.#answered(answer)
      return false
    }
    if (this.#revocableFrom === 'savepoint') await this.#run(`rollback to savepoint ${savepoint}`)
    return (this.#isTakenBack = true)
  }

  override async cancel(): Promise<void> {
    if (!this.#isTakenBack) return super.cancel()
    // What the server would have said.
    await this.#run(this.#revocableFrom === 'savepoint' ? failure : cancellation).catch((error: unknown) => this.#answered({ error }))
  }

  /** Comes back when the server can be asked again: before that, what fails still holds what its transaction does. */
  async #run(text: string): Promise<void> {
    const { client, functions } = this.#session
    try {
      await call(functions.query, client, [text])
    } finally {
      await isReady(client)
    }
  }

  get #session(): PgSession {
    return this.connection!.session as PgSession
  }

  protected rowsOf(answered: object): unknown {
    const rows: unknown = Reflect.get(answered, 'rows')
    const fields: unknown = Reflect.get(answered, 'fields')
    if (!Array.isArray(rows) || !Array.isArray(rows[0]) || !Array.isArray(fields)) return rows
    // Asked for as lists: a reader is to see the columns.
    const names = fields.map((field) => String((field as Field).name))
    return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, (row as readonly unknown[])[i]])))
  }

  /** What a result has of its connection is not new. */
  protected nameAnswer(answered: object): void {
    if (Array.isArray(answered)) for (const one of answered as object[]) this.nameAnswer(one)
    this.execution.identities.made(answered)
    nameNew(this.execution, Reflect.get(answered, 'rows'))
    // Whatever a column is called and how its values are read are no objects.
    nameNew(this.execution, Reflect.get(answered, 'fields'), { depth: 2 })
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
      hearLosses(this.execution, session.client)
      const release = session.client.release!
      this.connection = openConnection(this.execution, session, { object: this.#taken.line.object, giveBack: () => besideSteps(() => release()) })
      await super.prepare(site)?.()
    }
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    void this.connection?.giveBack()
    this.#taken.giveBack()
    return answer
  }
}
