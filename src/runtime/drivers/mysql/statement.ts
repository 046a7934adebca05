import type { SiteId } from '../../../engine/ids.ts'
import { Array } from '../../../engine/intrinsics.ts'
import { nameNew } from '../../accesses/new-graphs.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import type { Answer, Line, Question } from '../question.ts'
import type { Footprint } from '../sql/footprint.ts'
import { isAlive } from './client.ts'
import { holdersOf, othersHoldAnything, type Connection } from './connections.ts'
import { footprintOf } from './footprint.ts'
import type { Given } from './given.ts'
import { keptRowsOf } from './resets.ts'

/** A statement that somebody sends by a connection that they have. */
export class Statement implements Question {
  readonly name = 'query'
  protected readonly execution: Execution
  protected connection: Connection | undefined
  readonly #given: Given
  #text: string | undefined
  #footprint: Footprint | undefined

  constructor(execution: Execution, given: Given, connection?: Connection) {
    this.execution = execution
    this.connection = connection
    this.#given = given
  }

  get #shown(): string {
    return (this.#text ??= this.#given.textOf(this.connection!.client))
  }

  prepare(site: SiteId): (() => Promise<void>) | undefined {
    const learn = this.connection!.prepare(this.execution)
    if (!learn && this.#isKept(site)) return undefined
    return async () => {
      await learn?.()
      if (!this.#isKept(site)) await keptRowsOf(this.execution, this.connection!, site)!.keep()
    }
  }

  /** Whether what it is going to change can be put back, if it is to be. */
  #isKept(site: SiteId): boolean {
    return keptRowsOf(this.execution, this.connection!, site)?.touch(this.#findFootprint(), this.#shown) ?? true
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    const { connection } = this
    // It was never sent.
    if (!connection?.control) return
    if (answer === undefined) connection.isKeptWaiting = true
    connection.transaction.tell(execution, this.#findFootprint(), { text: this.#shown, site, rows: rowsOf(answer) })
  }

  #findFootprint(): Footprint {
    return (this.#footprint ??= footprintOf(this.#shown, this.connection!.transaction))
  }

  send(answered: (answer: Answer) => void): void {
    const connection = this.connection!
    const end = (answer: Answer): void => {
      connection.isKeptWaiting = false
      answered(answer)
    }
    this.#ask(connection).then(end, (error: unknown) => end({ error }))
  }

  async #ask(connection: Connection): Promise<Answer> {
    const { client, session } = connection
    const answer = await this.#given.run(connection).then((value): Answer => ({ value }), (error: unknown): Answer => ({ error }))
    const isUncertain = 'error' in answer ? session.failed() : session.answered(this.#shown, answer.value)
    if (isUncertain && isAlive(client)) await session.ask().catch(noop)
    return answer
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return holdersOf(this.execution, this.connection!)
  }

  mayWait(): boolean {
    return !isPlainRead.test(this.#shown) && othersHoldAnything(this.execution, this.connection!)
  }

  async cancel(): Promise<void> {
    const { client, control } = this.connection!
    await control!.cancel(client.threadId!)
  }

  end(execution: Execution, answer: Answer, site: SiteId): Answer {
    if (this.connection === undefined || this.#footprint === undefined) return answer
    const { session, transaction } = this.connection
    transaction.answered(execution, this.#footprint, { status: session.status, text: this.#shown, site })
    nameAnswer(execution, 'error' in answer ? answer.error : answer.value)
    return answer
  }
}

/** Locks of rows are not in its way. */
const isPlainRead = /^\s*select\b(?!.*\b(?:for\s+update|for\s+share|share\s+mode)\b)/is

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
