import type { SiteId } from '../../../engine/ids.ts'
import { Array } from '../../../engine/intrinsics.ts'
import type { Execution } from '../../execution/execution.ts'
import { Due, messagesOf } from '../messages.ts'
import { copying, forItself, waiting } from '../own-question.ts'
import type { Answer, Line, Question, Rivalry } from '../question.ts'
import { looksAtItsRowsOnly, mayBeKeptOut, mayMeet, type Footprint } from '../sql/footprint.ts'
import { historyOf } from '../sql/history.ts'
import { serversOf } from '../servers.ts'
import { shownStatement } from '../sql/shown.ts'
import { ConnectionStatement } from '../sql/statement.ts'
import { changesOf, type Changes, type KeptRows } from './kept-rows.ts'
import { keptRowsOf } from './resets.ts'
import { listensTo, stopsListening, unheard } from './notifications.ts'
import { timedOut, type Limit } from './time-limits.ts'
import { holdersOf, othersHoldAnything, type Connection } from './connections.ts'

/** A text, and the values of its parameters. */
export interface Text {
  readonly text: string
  readonly values: readonly unknown[] | undefined
}

/** Which text may take a lock that its session has: others have it until their transaction ends. */
const locks = /\bpg_(?:try_)?advisory_lock/i

/** A statement that somebody sends by a connection. */
export abstract class Statement extends ConnectionStatement<Connection, Changes> implements Question {
  protected readonly copying = copying('postgres', 'TEMPORARY on the database, SELECT on its tables')
  readonly text: string
  readonly #values: readonly unknown[]
  #footprint: Footprint | undefined
  #circle: readonly Statement[] | undefined
  #timer: { clear(): void } | undefined
  /** What has ended its wait. */
  #endedBy: Limit | undefined
  readonly #due = new Due()
  /** What it asks to be sent is explored. */
  protected isHeard = false
  /** What the others had done when it was sent. */
  #sentAt: { readonly moment: number; readonly commits: number } | undefined

  constructor(execution: Execution, { text, values = [] }: Text, connection?: Connection) {
    super(execution, connection)
    this.text = text
    this.#values = values
  }

  send(answered: (answer: Answer) => void): void {
    const { now, commits } = historyOf.of(this.execution)
    this.#sentAt = { moment: now, commits }
    if (locks.test(this.text)) this.connection!.mayHoldLocks = true
    this.connection!.limits.follow(this.text, this.#values)
    const messages = messagesOf(this.execution)
    if (!this.isHeard && (listensTo(this.text) || (messages.hasSubscribers && stopsListening(this.text)))) serversOf(this.execution).isUnexplored(unheard)
    messages.due = this.#due
    this.give(messages.hasSubscribers ? (answer) => void messages.haveCome().then(() => answered(answer)) : answered)
  }

  /** Has the package send it. */
  protected abstract give(answered: (answer: Answer) => void): void

  /** The rows of what the package answers. */
  protected abstract rowsOf(answered: object): unknown

  /** What the server has sent is new. */
  protected abstract nameAnswer(answered: object): void

  /** As a reader is to see it: with its values. */
  get shown(): string {
    return shownStatement(this.text, this.#values)
  }

  protected findChanges(): Changes | undefined {
    return changesOf(this.footprint)
  }

  protected keptRows(site: SiteId): KeptRows | undefined {
    return keptRowsOf(this.execution, this.connection!, site)
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    // It was never sent.
    if (!this.connection?.control) return
    if (answer !== undefined && messagesOf(execution).hasSubscribers) execution.accesses.takeTurn((this.#due.turn = execution.identities.fresh()))
    this.connection.transaction.tell(execution, this.footprint, { text: this.text, shown: this.shown, site, rows: this.#shownRows(answer) })
  }

  tellWaiting(execution: Execution, site: SiteId): void {
    this.connection!.transaction.tellWaiting(execution, this.footprint, site)
  }

  /** What it accesses. Its connection has what has to be known for that. */
  protected get footprint(): Footprint {
    return (this.#footprint ??= this.connection!.control!.footprintOf(this.text, this.#values))
  }

  /** What a story shows: the only row, or all of them. */
  #shownRows(answer: Answer | undefined): unknown {
    if (answer === undefined || 'error' in answer || typeof answer.value !== 'object' || answer.value === null) return undefined
    const rows = this.rowsOf(answer.value)
    return Array.isArray(rows) && rows.length === 1 ? rows[0] : rows
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return (await forItself(waiting, () => holdersOf(this.execution, this.connection!))) ?? []
  }

  mayWait(): boolean {
    return mayBeKeptOut(this.footprint) && othersHoldAnything(this.execution, this.connection!)
  }

  rivalryWith(other: Question): Rivalry | undefined {
    if (!(other instanceof Statement) || !mayMeet(this.footprint, other.footprint)) return undefined
    if (looksAtItsRowsOnly(this.footprint) && looksAtItsRowsOnly(other.footprint)) return 'always equal'
    return this.#sentAt?.commits === other.#sentAt?.commits ? 'equal' : 'unequal'
  }

  hasBecomeAnother(): boolean {
    return historyOf.of(this.execution).mayBeReplaced(this.footprint, this.#sentAt!.moment)
  }

  letsGoOf(): 'nothing' | 'perhaps something' | 'everything' {
    const { status, transaction } = this.connection!
    const { kind } = this.footprint
    if (kind === 'ends' || (transaction.isOpen && status !== 'open' && !(status === 'failed' && transaction.mayGoOn))) return 'everything'
    if (status === 'failed') return 'perhaps something'
    return kind === 'ends in part' || kind === 'everything' ? 'perhaps something' : 'nothing'
  }

  async cancel(): Promise<void> {
    const { session, control } = this.connection!
    if (session.process !== undefined) await control!.cancel(session.process)
  }

  /** What the server gives up after a time it gives up when so much virtual time has passed. */
  waits(execution: Execution, giveUp: () => void): void {
    const first = this.#firstLimit
    if (!first) return
    const callback = (): void => {
      this.#endedBy ??= first.limit
      giveUp()
    }
    this.#timer = execution.clock.start(execution, { name: 'timeout', callback, delay: first.milliseconds, repeats: false, site: execution.lastSite, mayRace: true })
  }

  get #firstLimit() {
    const { control, session, limits } = this.connection!
    return limits.first({ ...control!.limits, ...session.limits })
  }

  isVictim(circle: readonly Question[]): void {
    const first = this.#firstLimit
    // The server does not look before.
    if (first && first.milliseconds < this.connection!.control!.deadlockTimeout) this.#endedBy = first.limit
    else this.#circle = circle.filter((question) => question instanceof Statement)
  }

  end(execution: Execution, given: Answer, site: SiteId): Answer {
    this.#timer?.clear()
    const answer = this.#named(given)
    if (this.connection === undefined || this.#footprint === undefined) return answer
    if (this.#footprint.kind === 'everything' && this.#footprint.keepsTables !== true) this.connection.control!.forgets()
    if (this.connection.status === 'idle') this.connection.limits.endsTransaction()
    this.connection.transaction.answered(execution, this.#footprint, { status: this.connection.status, text: this.text, site })
    if (!('error' in answer)) historyOf.of(execution).answered(this.#footprint, { text: this.text, isOver: this.connection.status === 'idle' })
    const value = 'error' in answer ? answer.error : answer.value
    if (typeof value === 'object' && value !== null) this.nameAnswer(value)
    return answer
  }

  /** As the server would have answered it. */
  #named(given: Answer): Answer {
    if (!('error' in given)) return given
    if (this.#endedBy) return { error: timedOut(given.error, this.#endedBy) }
    return this.#circle ? { error: deadlocked(given.error, this.#circle) } : given
  }
}

/** The error that the server would have given it: that it was cancelled is our affair. */
function deadlocked(error: unknown, circle: readonly Statement[]): unknown {
  const detail = circle.map((statement, i) => `${statement.shown} waits for the transaction of ${circle[(i + 1) % circle.length]!.shown}`).join('; ')
  return globalThis.Object.assign(error as Error, { message: `deadlock detected: ${detail}`, code: '40P01', detail })
}
