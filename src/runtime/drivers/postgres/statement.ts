import type { SiteId } from '../../../engine/ids.ts'
import { Array, Reflect } from '../../../engine/intrinsics.ts'
import { nameNew } from '../../accesses/new-graphs.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps } from '../../execution/running.ts'
import type { Answer, Line, Question } from '../question.ts'
import { mayBeKeptOut, ofTransaction, type Footprint } from '../sql/footprint.ts'
import { footprintOf } from '../sql/statements.ts'
import type { Callback } from './client.ts'
import { changesOf, type Changes } from './kept-rows.ts'
import { keptRowsOf } from './resets.ts'
import { holdersOf, isReady, othersHoldAnything, type Connection } from './connections.ts'

/** What `client.query` was given. */
export interface Given {
  /** The text, or an object that has it. */
  readonly config: unknown
  readonly text: string
  readonly values: readonly unknown[] | undefined
}

/** A statement that somebody sends by a connection that they have. */
export class Statement implements Question {
  readonly name = 'query'
  readonly text: string
  protected readonly execution: Execution
  protected connection: Connection | undefined
  readonly #given: Given
  #footprint: Footprint | undefined
  #changes: Changes | undefined
  #circle: readonly Statement[] | undefined

  constructor(execution: Execution, given: Given, connection?: Connection) {
    this.execution = execution
    this.connection = connection
    this.#given = given
    this.text = given.text
  }

  /** As a reader is to see it: with its values. */
  get shown(): string {
    const { values = [] } = this.#given
    return values.length === 0 ? this.text : `${this.text} [${values.map(String).join(', ')}]`
  }

  prepare(site: SiteId): (() => Promise<void>) | undefined {
    const learn = this.connection!.prepare(this.execution)
    if (!learn && this.#isKept(site)) return undefined
    return async () => {
      await learn?.()
      if (!this.#isKept(site)) await keptRowsOf(this.execution, this.connection!, site)!.keep(this.#changes!)
    }
  }

  /** Whether what it is going to change can be put back, if it is to be. */
  #isKept(site: SiteId): boolean {
    this.#changes ??= changesOf((this.#footprint ??= this.#findFootprint()))
    return !this.#changes || (keptRowsOf(this.execution, this.connection!, site)?.touch(this.#changes) ?? true)
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    // It was never sent.
    if (!this.connection?.control) return
    this.#footprint ??= this.#findFootprint()
    this.connection.transaction.tell(execution, this.#footprint, { text: this.text, site, rows: rowsOf(answer) })
  }

  #findFootprint(): Footprint {
    const { parse, catalogue } = this.connection!.control!
    if (parse) return footprintOf(this.text, this.#given.values ?? [], { parse, catalogue })
    return ofTransaction(this.text) ?? { kind: 'everything' }
  }

  send(answered: (answer: Answer) => void): void {
    const { client, functions } = this.connection!
    // One whose connection is lost says so as well.
    client.on('error', noop)
    const callback: Callback = (error, value) =>
      void isReady(client).then(() => {
        client.off('error', noop)
        answered(error ? { error } : { value })
      })
    besideSteps(() => Reflect.apply(functions.query, client, [this.#given.config, this.#given.values, callback]))
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return (await holdersOf(this.execution, this.connection!)) ?? []
  }

  mayWait(): boolean {
    this.#footprint ??= this.#findFootprint()
    return mayBeKeptOut(this.#footprint) && othersHoldAnything(this.execution, this.connection!)
  }

  letsGo(): boolean {
    const { status, transaction } = this.connection!
    const { kind } = this.#footprint!
    return kind === 'ends' || kind === 'ends in part' || kind === 'everything' || (transaction.isOpen && status !== 'open')
  }

  async cancel(): Promise<void> {
    const { client, control } = this.connection!
    await control!.cancel(client.processID!)
  }

  isVictim(circle: readonly Question[]): void {
    this.#circle = circle.filter((question) => question instanceof Statement)
  }

  end(execution: Execution, given: Answer, site: SiteId): Answer {
    const answer = this.#circle && 'error' in given ? { error: deadlocked(given.error, this.#circle) } : given
    if (this.connection === undefined || this.#footprint === undefined) return answer
    if (this.#footprint.kind === 'everything' && this.#footprint.keepsTables !== true) this.connection.control!.forgets()
    this.connection.transaction.answered(execution, this.#footprint, { status: this.connection.status, text: this.text, site })
    nameAnswer(execution, 'error' in answer ? answer.error : answer.value)
    return answer
  }
}

/** What a story shows: the only row, or all of them. */
function rowsOf(answer: Answer | undefined): unknown {
  if (answer === undefined || 'error' in answer || typeof answer.value !== 'object' || answer.value === null) return undefined
  const rows: unknown = Reflect.get(answer.value, 'rows')
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : rows
}

/** The error that the server would have given it: that it was cancelled is our affair. */
function deadlocked(error: unknown, circle: readonly Statement[]): unknown {
  const detail = circle.map((statement, i) => `${statement.shown} waits for the transaction of ${circle[(i + 1) % circle.length]!.shown}`).join('; ')
  return globalThis.Object.assign(error as Error, { message: `deadlock detected: ${detail}`, code: '40P01', detail })
}

/** What the server has sent is new; what a result has of its connection is not. */
function nameAnswer(execution: Execution, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return
  if (Array.isArray(answer)) for (const one of answer) nameAnswer(execution, one)
  execution.identities.made(answer)
  nameNew(execution, Reflect.get(answer, 'rows'))
  nameNew(execution, Reflect.get(answer, 'fields'))
}
