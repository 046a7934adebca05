import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { nameOf } from '../names.ts'
import type { Line } from '../question.ts'
import { OpenConnection, OpenConnections, type Opened } from '../sql/connection.ts'
import { Transaction } from '../sql/transaction.ts'
import { call } from './calls.ts'
import { isAlive, ofConnections, type ConnectionFunctions, type MysqlConnection } from './client.ts'
import { controlOf, serverOf, type Control } from './control.ts'
import { sessionOf, type Session } from './session.ts'

/** A connection of the package in one execution. */
export class Connection extends OpenConnection<Control> {
  readonly client: MysqlConnection
  readonly functions: ConnectionFunctions
  readonly session: Session
  /** What the server was asked last. */
  asked = ''
  /** With what others wait for an answer to, which they may never get: they may wait for each other. */
  circle: readonly string[] = []
  /** It has locks by names, or may have, which outlive its transactions. */
  mayHoldLocks = false
  /** It waits for what others hold. */
  isKeptWaiting = false

  constructor(client: MysqlConnection, opened: Opened) {
    super(client, opened)
    this.client = client
    this.functions = ofConnections.of(client)
    this.session = sessionOf(client)
  }

  protected openControl(): Promise<Control> {
    return controlOf(this.client, this.functions)
  }

  protected override isKnown(exploration: object): boolean {
    return this.session.isKnown && super.isKnown(exploration)
  }

  protected override async learn(exploration: object): Promise<void> {
    await super.learn(exploration)
    if (!this.session.isKnown) await this.session.learn()
  }

  protected firstTransaction(): Transaction {
    const { client, session } = this
    return new Transaction({ key: serverOf(client), name: client.config.database ?? 'database' }, { level: session.level, isOpen: session.status === 'open', dialect: 'mysql' })
  }

  protected async rollBack(): Promise<void> {
    // One that is lost has nothing open any more.
    if ((this.session.status === 'open' || !this.session.isKnown) && isAlive(this.client)) await call(this.functions.query, this.client, ['rollback']).catch(noop)
    if (this.mayHoldLocks && isAlive(this.client)) await call(this.functions.query, this.client, ['do release_all_locks()']).catch(noop)
  }

  override async end(): Promise<void> {
    await super.end()
    this.client.off('error', noop)
  }
}

const connections = new OpenConnections<Connection>()

/** A connection that somebody has from now on. */
export function openConnection(execution: Execution, client: MysqlConnection, opened: Opened): Connection {
  const connection = new Connection(client, opened)
  // What it is asked from now on ends by an error as well, if it is lost.
  if (!client.listeners('error').includes(noop)) client.on('error', noop)
  connections.add(execution, client, connection)
  return connection
}

export const connectionOf = (execution: Execution, client: MysqlConnection): Connection => knownConnection(execution, client) ?? openConnection(execution, client, { object: nameOf(execution, client) })

export const knownConnection = (execution: Execution, client: MysqlConnection): Connection | undefined => connections.get(execution, client)

/** Whether an open transaction of another connection has changed or locked anything. */
export const othersHoldAnything = (execution: Execution, connection: Connection): boolean => connections.othersHoldAnything(execution, connection)

/** The server is asked something: where it finds statements that wait for each other, this one and others that wait are among them. */
export function noteAsked(execution: Execution, connection: Connection, text: string): void {
  connection.asked = text
  const waiting = [connection, ...connections.beside(execution, connection).filter(({ isKeptWaiting }) => isKeptWaiting)]
  const circle = waiting.map(({ asked }) => asked)
  for (const one of waiting) one.circle = circle
}

/** Stands for whoever it is that a statement waits for: the server itself sees to those that wait for each other. */
const somebody: Line = { connection: {} }

/** Whether a connection waits for another one of this execution: none, if it does not. */
export async function holdersOf(execution: Execution, connection: Connection): Promise<readonly Line[]> {
  const { client, control, transaction } = connection
  if (!(await control!.waits.isWaiting(client.threadId!)) || !othersHoldAnything(execution, connection)) return []
  const mayCloseCircle = (transaction.holdsAnything || connection.isKeptWaiting) && connections.beside(execution, connection).some(({ isKeptWaiting }) => isKeptWaiting)
  return mayCloseCircle && !(await control!.waits.staysWaiting(client.threadId!)) ? [] : [somebody]
}
