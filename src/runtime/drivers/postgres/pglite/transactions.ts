import { Array, Reflect } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import type { Fn } from '../../../accesses/handler.ts'
import { invoke } from '../../../accesses/invoke.ts'
import { readWhole } from '../../../accesses/whole.ts'
import { inContext } from '../../../execution/contexts.ts'
import type { Execution } from '../../../execution/execution.ts'
import { NativePromise } from '../../../execution/native.ts'
import { running } from '../../../execution/running.ts'
import { onSettled } from '../../../promises/reactions.ts'
import { promiseOf } from '../../../promises/resolving.ts'
import { askForPromise, askWithCallback, OpenLine, promised, type Promised } from '../../asked.ts'
import type { Answer } from '../../question.ts'
import type { Status } from '../../sql/transaction.ts'
import type { Connection } from '../connections.ts'
import type { Changes } from '../kept-rows.ts'
import type { Text } from '../statement.ts'
import { OpenTransaction, type Tx } from './open-transaction.ts'
import type { Pglite, PgliteFunctions, PgliteSession } from './session.ts'
import { PgliteStatement } from './statement.ts'

/**
 * `db.transaction(work)`: whoever asks the database meanwhile waits for its end, as the package has it. What is asked within is answered in the order of the
 * calls, and `work` itself is called in a step of its own once it has begun.
 */
export interface Transacting {
  readonly db: Pglite
  readonly work: unknown
  readonly functions: PgliteFunctions
  readonly connection: Connection
  readonly session: PgliteSession
}

export function transact(execution: Execution, transacting: Transacting, site: SiteId): Promise<unknown> {
  const { connection, work } = transacting
  const result = promised(execution, site)
  const beginning = new Beginning(execution, transacting)
  const hear = inContext((answer: Answer) => {
    if ('error' in answer) return result.settle(answer)
    const within = new Within(execution, transacting, { open: answer.value as OpenTransaction, result, site })
    within.run(work as Fn)
  })
  askWithCallback(execution, connection.line, beginning, { site, hear })
  return result.promise
}

/** The package begins it, and has the session for as long as it lasts. */
class Beginning extends PgliteStatement {
  override readonly name = 'transaction'
  readonly #session: PgliteSession

  constructor(execution: Execution, { db, functions: { transaction }, connection, session }: Transacting) {
    const send = async (): Promise<OpenTransaction> => {
      const open = await OpenTransaction.begin(db, transaction)
      session.status = 'open'
      return open
    }
    super(execution, { text: 'BEGIN', values: undefined }, { connection, send })
    this.#session = session
  }

  /** A copy that is made within is gone where it is rolled back. */
  protected override findChanges(): Changes {
    return { tables: 'all', creates: [] }
  }

  giveBack(answer: Answer): void {
    if ('value' in answer) void this.#session.rollBack()
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = super.end(execution, given, site)
    if ('value' in answer) this.connection!.line.close()
    return answer
  }

  protected override rowsOf(): undefined {}

  protected override nameAnswer(answered: object): void {
    if (answered instanceof OpenTransaction) this.execution.identities.made(answered.tx)
  }
}

/** What is asked within a transaction. */
class WithinStatement extends PgliteStatement {
  readonly #session: PgliteSession

  constructor(execution: Execution, text: Text, { connection, session, send }: Pick<Transacting, 'connection' | 'session'> & { readonly send: () => Promise<unknown> }) {
    super(execution, text, { connection, send })
    this.#session = session
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    if (this.connection?.control) this.#session.status = this.#statusAfter(given)
    return super.end(execution, given, site)
  }

  #statusAfter(answer: Answer): Status {
    const isOver = this.#session.status === 'idle'
    if ('error' in answer) return isOver ? 'idle' : 'failed'
    const { kind } = this.footprint
    if (kind === 'ends') return 'idle'
    return isOver && kind !== 'begins' ? 'idle' : 'open'
  }
}

/** The end of a transaction, by what `work` has come to. */
class Ending extends PgliteStatement {
  override readonly name = 'transaction'
  readonly #session: PgliteSession
  /** `work` has rolled it back itself. */
  readonly #isRolledBack: boolean

  constructor(execution: Execution, outcome: Answer, { open, connection, session }: Pick<Transacting, 'connection' | 'session'> & { readonly open: OpenTransaction }) {
    const isFailed = 'error' in outcome
    super(execution, { text: isFailed ? 'ROLLBACK' : 'COMMIT', values: undefined }, { connection, send: () => (isFailed ? open.rollBack(outcome.error) : open.commit(outcome.value)) })
    this.#session = session
    this.#isRolledBack = open.tx.closed
  }

  override tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    if (!this.#isRolledBack) super.tell(execution, site, answer)
  }

  override end(execution: Execution, given: Answer, site: SiteId): Answer {
    this.#session.status = 'idle'
    const answer = super.end(execution, given, site)
    const turn = execution.identities.fresh()
    execution.accesses.takeTurn(turn)
    this.connection!.line.open(turn)
    return answer
  }

  protected override rowsOf(): undefined {}

  /** It is what `work` has returned. */
  protected override nameAnswer(): void {}
}

interface Begun {
  readonly open: OpenTransaction
  readonly result: Promised
  readonly site: SiteId
}

/** What is between the beginning and the end of a transaction. */
class Within {
  readonly #execution: Execution
  readonly #transacting: Transacting
  readonly #begun: Begun
  readonly #line: OpenLine

  constructor(execution: Execution, transacting: Transacting, begun: Begun) {
    this.#execution = execution
    this.#transacting = transacting
    this.#begun = begun
    const { tx } = begun.open
    this.#line = new OpenLine(tx, execution.identities.of(tx))
    this.#hook(tx)
  }

  /** Calls it, and ends with what it comes to. */
  run(work: Fn): void {
    const { open, site } = this.#begun
    let given: unknown
    try {
      given = invoke(this.#execution, work, undefined, [open.tx], site)
    } catch (error) {
      return this.#end({ error })
    }
    const settled = this.#execution.events ? NativePromise.resolve(given) : promiseOf(this.#execution, given, site).promise
    const commit = (value: unknown): void => {
      '__dpor'
      this.#end({ value })
    }
    const rollback = (error: unknown): void => {
      '__dpor'
      this.#end({ error })
    }
    onSettled(this.#execution, settled, [commit, rollback], site)
  }

  #end(outcome: Answer): void {
    this.#begun.result.ask(this.#line, new Ending(this.#execution, outcome, { ...this.#transacting, open: this.#begun.open }))
  }

  #hook(tx: Tx): void {
    const { query, exec, rollback } = this.#begun.open.functions
    const { sql } = this.#transacting.functions
    for (const key of Reflect.ownKeys(tx)) {
      const method: unknown = Reflect.getOwnPropertyDescriptor(tx, key)?.value
      if (typeof method === 'function') this.#replace(tx, key as keyof Tx, method as Fn, () => this.#execution.refuse(`it calls '${String(key)}' of a transaction of PGlite`, 'Ask by query, exec and sql'))
    }
    this.#replace(tx, 'query', query, (args) => this.#asks(args, { method: query, isQuery: true }))
    this.#replace(tx, 'exec', exec, (args) => this.#asks(args, { method: exec, isQuery: false }))
    this.#replace(tx, 'rollback', rollback, () => this.#asks(['ROLLBACK'], { method: rollback, isQuery: false }))
    if (tx.sql) this.#replace(tx, 'sql', tx.sql, (args) => Reflect.apply(sql, tx, args))
  }

  #replace(tx: Tx, name: keyof Tx, method: Fn, inStep: (args: unknown[]) => unknown): void {
    const execution = this.#execution
    const version = function (this: unknown, ...args: unknown[]): unknown {
      '__dpor'
      return running !== execution || tx.closed ? Reflect.apply(method, tx, args) : inStep(args)
    }
    Reflect.set(tx, name, version)
  }

  #asks(args: readonly unknown[], { method, isQuery }: { readonly method: Fn; readonly isQuery: boolean }): Promise<unknown> {
    const execution = this.#execution
    const { tx } = this.#begun.open
    const site = execution.siteOfCall(Reflect.get(tx, isQuery ? 'query' : 'exec'))
    for (const arg of args) if (typeof arg === 'object' && arg !== null) readWhole(execution, arg, site)
    const values = isQuery && Array.isArray(args[1]) ? [...(args[1] as unknown[])] : undefined
    const send = (): Promise<unknown> => Reflect.apply(method, tx, isQuery ? [args[0], values, args[2]] : [...args]) as Promise<unknown>
    return askForPromise(execution, this.#line, new WithinStatement(execution, { text: String(args[0]), values }, { ...this.#transacting, send }), site)
  }
}
