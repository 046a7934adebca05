import type { SiteId } from '../../../engine/ids.ts'
import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import { nameNew } from '../../accesses/new-graphs.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { isOfLostConnection } from '../lost-connections.ts'
import { copying, forItself, waiting } from '../own-question.ts'
import type { Answer, Line, Question } from '../question.ts'
import { serversOf } from '../servers.ts'
import type { Footprint } from '../sql/footprint.ts'
import { ConnectionStatement } from '../sql/statement.ts'
import { isAlive } from './client.ts'
import { holdersOf, noteAsked, othersHoldAnything, type Connection } from './connections.ts'
import { footprintOf, planOf, type Outcome } from './footprint.ts'
import type { Given } from './given.ts'
import { changesOf, type Changes, type KeptRows } from './kept-rows.ts'
import { keptRowsOf } from './resets.ts'
import type { Effects } from '../sqlparser/statements.ts'

/** A statement that somebody sends by a connection that they have. */
export class Statement extends ConnectionStatement<Connection, Changes> implements Question {
  protected readonly copying = copying('mysql', 'SELECT, INSERT, DELETE, DROP and CREATE in the database')
  readonly #given: Given
  #text: string | undefined
  #plan: Footprint | Effects | undefined
  #footprint: Footprint | undefined
  #timer: { clear(): void } | undefined
  #hasTimedOut = false

  constructor(execution: Execution, given: Given, connection?: Connection) {
    super(execution, connection)
    this.#given = given
  }

  get shown(): string {
    return (this.#text ??= this.#given.textOf(this.connection!.client))
  }

  protected findChanges(): Changes | undefined {
    return changesOf(this.#findPlan(), this.shown)
  }

  protected keptRows(site: SiteId): KeptRows | undefined {
    return keptRowsOf(this.execution, this.connection!, site)
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    const { connection } = this
    // It was never sent.
    if (!connection?.control) return
    if (answer === undefined) connection.isKeptWaiting = true
    this.#footprint = footprintOf(this.#findPlan(), this.#outcomeOf(answer), connection.transaction)
    connection.transaction.tell(execution, this.#footprint, { text: this.shown, shown: this.shown, site, rows: rowsOf(answer) })
  }

  tellWaiting(execution: Execution, site: SiteId): void {
    this.connection!.transaction.tellWaiting(execution, this.#footprint!, site)
  }

  #findPlan(): Footprint | Effects {
    const { transaction, session, control } = this.connection!
    return (this.#plan ??= planOf(this.shown, this.#given.values, { transaction, autocommits: session.autocommits, database: session.database, parse: control!.parse, catalogue: control!.catalogue }))
  }

  #outcomeOf(answer: Answer | undefined): Outcome {
    if (answer === undefined) return 'kept waiting'
    if ('error' in answer) return 'failed'
    const [result] = answer.value as readonly unknown[]
    return { rows: Array.isArray(result) ? result.length : Number((result as { readonly affectedRows?: number } | undefined)?.affectedRows ?? 0) }
  }

  send(answered: (answer: Answer) => void): void {
    const connection = this.connection!
    noteAsked(this.execution, connection, this.shown)
    if (locks.test(this.shown)) connection.mayHoldLocks = true
    const end = (answer: Answer): void => {
      connection.isKeptWaiting = false
      answered(answer)
    }
    this.#ask(connection).then(end, (error: unknown) => end({ error }))
  }

  async #ask(connection: Connection): Promise<Answer> {
    const { client, session } = connection
    const answer = await this.#given.run(connection).then((value): Answer => ({ value }), (error: unknown): Answer => ({ error }))
    const isUncertain = 'error' in answer ? session.failed() : session.answered(this.shown, answer.value)
    if (isUncertain && isAlive(client)) await session.askStatus().catch(noop)
    if ('error' in answer) this.#explain(answer.error)
    if ('error' in answer && isOfLostConnection(answer.error)) serversOf(this.execution).losesConnection(answer.error)
    return answer
  }

  /** Of a deadlock the server says no more than that. */
  #explain(error: unknown): void {
    const { circle } = this.connection!
    if (typeof error !== 'object' || error === null || Reflect.get(error, 'code') !== 'ER_LOCK_DEADLOCK' || circle.length === 1) return
    Reflect.set(error, 'detail', `${circle.join(', and ')} wait for each other's transactions`)
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return forItself(waiting, () => holdersOf(this.execution, this.connection!))
  }

  mayWait(): boolean {
    const plan = this.#findPlan()
    const { level } = this.connection!.transaction
    const mayLock = 'kind' in plan ? plan.kind === 'everything' && !isPlainRead.test(this.shown) : plan.writes.length > 0 || level === 'serializable'
    return mayLock && othersHoldAnything(this.execution, this.connection!)
  }

  letsGoOf(answer: Answer): 'nothing' | 'perhaps something' | 'everything' {
    const { session, transaction } = this.connection!
    if (transaction.isOpen && session.status === 'idle') return 'everything'
    return 'error' in answer || 'kind' in this.#findPlan() ? 'perhaps something' : 'nothing'
  }

  /** The server would give it up after a time, which is virtual here. */
  waits(execution: Execution, giveUp: () => void): void {
    const callback = (): void => {
      this.#hasTimedOut = true
      giveUp()
    }
    this.#timer = execution.clock.start(execution, { name: 'timeout', callback, delay: this.connection!.session.lockWaitTimeout, repeats: false, site: execution.lastSite, mayRace: true })
  }

  async cancel(): Promise<void> {
    const { client, control } = this.connection!
    await control!.cancel(client.threadId!)
  }

  end(execution: Execution, answer: Answer, site: SiteId): Answer {
    this.#timer?.clear()
    // That it was interrupted is our affair.
    if (this.#hasTimedOut && 'error' in answer) Object.assign(answer.error as object, timedOut)
    if (this.connection === undefined || this.#footprint === undefined) return answer
    const { session, transaction, control } = this.connection
    transaction.answered(execution, this.#footprint, { status: session.status, text: this.shown, site })
    if (this.#footprint.kind === 'everything') {
      if (this.#footprint.keepsTables !== true) control!.forgets()
      if (setsSession.test(this.shown)) session.forgets()
    }
    nameAnswer(execution, 'error' in answer ? answer.error : answer.value)
    return answer
  }
}

/** What the server says of who has waited for a row for too long. */
const timedOut = { message: 'Lock wait timeout exceeded; try restarting transaction', code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205, sqlState: 'HY000', sqlMessage: 'Lock wait timeout exceeded; try restarting transaction' }

/** Which text may take a lock by a name. */
const locks = /\bget_lock\s*\(/i

/** Locks of rows are not in its way. */
const isPlainRead = /^\s*select\b(?!.*\b(?:for\s+update|for\s+share|share\s+mode)\b)/is

/** What of a session decides what its statements do. */
const setsSession = /\b(?:use|set|reset|changeUser)\b/i

/** What a story shows: the only row, or all of them. */
function rowsOf(answer: Answer | undefined): unknown {
  if (answer === undefined || 'error' in answer) return undefined
  const rows: unknown = Array.isArray(answer.value) ? answer.value[0] : undefined
  if (!Array.isArray(rows)) return undefined
  return rows.length === 1 ? rows[0] : rows
}

/** What the server has sent is new. */
function nameAnswer(execution: Execution, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return
  execution.identities.made(answer)
  if (!Array.isArray(answer)) return
  const [rows, columns] = answer as readonly unknown[]
  nameNew(execution, rows)
  // Columns lead to the memory of the connection.
  nameNew(execution, columns, { depth: 2 })
}
