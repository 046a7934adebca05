import type { Execution } from '../../execution/execution.ts'
import type { Line } from '../question.ts'
import { OpenConnection, OpenConnections, type Opened } from '../sql/connection.ts'
import { Transaction, type Status } from '../sql/transaction.ts'
import { controlOf, type Control } from './control.ts'
import { TimeLimits } from './time-limits.ts'
import { databaseOf, type Session } from './session.ts'

/** A session in one execution. */
export class Connection extends OpenConnection<Control> {
  readonly session: Session
  readonly limits = new TimeLimits()
  /** The session itself has locks, or may have, which outlive its transactions. */
  mayHoldLocks = false
  /** Whoever had it before has left a transaction open. */
  readonly #isInTransaction: boolean

  constructor(session: Session, opened: Opened) {
    super(session, opened)
    this.session = session
    this.#isInTransaction = session.status !== 'idle'
  }

  get status(): Status {
    return this.session.status
  }

  /** Within a transaction that has failed nothing is answered, and a session that all share is asked in no other way. */
  protected override isKnown(exploration: object): boolean {
    return super.isKnown(exploration) || (this.control !== undefined && this.session.isShared === true && this.status === 'failed')
  }

  protected openControl(): Promise<Control> {
    return controlOf(this.session)
  }

  protected firstTransaction(): Transaction {
    const { address } = this.session
    return new Transaction({ key: databaseOf(address), name: address.database }, { level: this.control!.level, isOpen: this.#isInTransaction })
  }

  protected async rollBack(): Promise<void> {
    if (this.status !== 'idle') await this.session.rollBack()
    if (this.mayHoldLocks) await this.session.letGoOfLocks()
  }
}

const connections = new OpenConnections<Connection>()

/** A session that somebody has from now on. */
export function openConnection(execution: Execution, session: Session, { object, giveBack }: Opened): Connection {
  const connection = new Connection(session, {
    object,
    giveBack(when) {
      // What it has left open others may still wait for.
      if (session.status === 'idle') connections.delete(execution, session)
      return giveBack?.(when)
    },
  })
  connections.add(execution, session, connection)
  return connection
}

/** Whether an open transaction of another connection has changed or locked anything. */
export const othersHoldAnything = (execution: Execution, connection: Connection): boolean => connections.othersHoldAnything(execution, connection)

/** The lines of this execution that hold what a connection waits for; undefined where somebody else does. */
export async function holdersOf(execution: Execution, { session, control }: Connection): Promise<readonly Line[] | undefined> {
  if (session.process === undefined) return undefined
  const processes = await control!.blockersOf(session.process)
  const all = connections.in(execution)
  const holders = processes.map((process) => all.findLast((other) => other.session.process === process)?.line)
  return holders.every((line) => line !== undefined) ? holders : undefined
}
