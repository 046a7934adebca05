import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { OpenLine } from '../asked.ts'
import type { Line } from '../question.ts'
import { serversOf } from '../servers.ts'
import { Transaction, type Status } from '../sql/transaction.ts'
import { controlOf, type Control } from './control.ts'
import { databaseOf, type Session } from './session.ts'

/** A session in one execution. */
export class Connection {
  readonly session: Session
  readonly line: OpenLine
  control: Control | undefined
  #transaction: Transaction | undefined
  /** Whoever had it before has left a transaction open. */
  readonly #isInTransaction: boolean
  /** Gives it back to whom it belongs to, or closes it. */
  #giveBack: (() => void | Promise<void>) | undefined

  constructor({ session, object, giveBack }: Opened) {
    this.session = session
    this.line = new OpenLine(session, object)
    this.#giveBack = giveBack
    this.#isInTransaction = session.status !== 'idle'
  }

  /** Finds out what has to be known before anything is told; undefined where it is. */
  prepare({ identities }: Execution): (() => Promise<void>) | undefined {
    return this.control?.knows(identities) ? undefined : () => this.#prepare(identities)
  }

  async #prepare(exploration: object): Promise<void> {
    this.control ??= await controlOf(this.session)
    if (!this.control.knows(exploration)) await this.control.learn(exploration)
  }

  get transaction(): Transaction {
    const { address } = this.session
    return (this.#transaction ??= new Transaction({ key: databaseOf(address), name: address.database }, { level: this.control!.level, isOpen: this.#isInTransaction }))
  }

  get status(): Status {
    return this.session.status
  }

  giveBack(): void | Promise<void> {
    const giveBack = this.#giveBack
    this.#giveBack = undefined
    return giveBack?.()
  }

  /** A transaction that nobody goes on with is rolled back. */
  async end(): Promise<void> {
    if (this.status !== 'idle') await this.session.rollBack()
    await this.giveBack()
  }
}

export interface Opened {
  readonly session: Session
  readonly object: ObjectId
  readonly giveBack?: (() => void | Promise<void>) | undefined
}

const connectionsIn = new PerExecution((): Connection[] => [])

/** A session that somebody has from now on. */
export function openConnection(execution: Execution, { session, object, giveBack }: Opened): Connection {
  const connections = connectionsIn.of(execution)
  const connection = new Connection({
    session,
    object,
    giveBack: () => {
      // What it has left open others may still wait for.
      if (session.status === 'idle') connections.splice(connections.indexOf(connection), 1)
      return giveBack?.()
    },
  })
  connections.push(connection)
  serversOf(execution).whenOver(() => connection.end())
  return connection
}

/** Whether an open transaction of another connection has changed or locked anything. */
export function othersHoldAnything(execution: Execution, connection: Connection): boolean {
  return connectionsIn.of(execution).some((other) => other !== connection && other.control && other.transaction.holdsAnything)
}

/** The lines of this execution that hold what a connection waits for; undefined where somebody else does. */
export async function holdersOf(execution: Execution, { session, control }: Connection): Promise<readonly Line[] | undefined> {
  if (session.process === undefined) return undefined
  const processes = await control!.blockersOf(session.process)
  const all = connectionsIn.of(execution)
  const holders = processes.map((process) => all.findLast((other) => other.session.process === process)?.line)
  return holders.every((line) => line !== undefined) ? holders : undefined
}
