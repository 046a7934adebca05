import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { noop } from '../../execution/native.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { OpenLine } from '../asked.ts'
import { nameOf } from '../names.ts'
import type { Line } from '../question.ts'
import { serversOf } from '../servers.ts'
import { Transaction } from '../sql/transaction.ts'
import { call } from './calls.ts'
import { isAlive, ofConnections, type ConnectionFunctions, type MysqlConnection } from './client.ts'
import { controlOf, serverOf, type Control } from './control.ts'
import { sessionOf, type Session } from './session.ts'

/** A connection in one execution, from the moment in which somebody has it to the one in which it is given back. */
export class Connection {
  readonly client: MysqlConnection
  readonly functions: ConnectionFunctions
  readonly line: OpenLine
  readonly session: Session
  control: Control | undefined
  #transaction: Transaction | undefined
  /** What the server was asked last. */
  asked = ''
  /** With what others wait for an answer to, which they may never get: they may wait for each other. */
  circle: readonly string[] = []
  /** It waits for what others hold. */
  isKeptWaiting = false
  /** Gives it back to whom it belongs to, or closes it. */
  #giveBack: GiveBack | undefined

  constructor(client: MysqlConnection, { object, giveBack }: Opened) {
    this.client = client
    this.functions = ofConnections.of(client)
    this.line = new OpenLine(client, object)
    this.session = sessionOf(client)
    this.#giveBack = giveBack
  }

  /** Finds out what has to be known before anything is told; undefined where it is. */
  prepare({ identities }: Execution): (() => Promise<void>) | undefined {
    return this.session.isKnown && this.control?.knows(identities) ? undefined : () => this.#prepare(identities)
  }

  async #prepare(exploration: object): Promise<void> {
    this.control ??= await controlOf(this.client, this.functions)
    if (!this.control.knows(exploration)) await this.control.learn(exploration)
    if (!this.session.isKnown) await this.session.learn()
  }

  get transaction(): Transaction {
    const { client } = this
    return (this.#transaction ??= new Transaction({ key: serverOf(client), name: client.config.database ?? 'database' }, { level: this.session.level, isOpen: this.session.status === 'open', dialect: 'mysql' }))
  }

  /** @param isOver nobody who has it goes on */
  giveBack({ isOver }: { readonly isOver: boolean }): void | Promise<void> {
    const giveBack = this.#giveBack
    this.#giveBack = undefined
    return giveBack?.({ isOver })
  }

  /** A transaction that nobody goes on with is rolled back. */
  async end(): Promise<void> {
    // One that is lost has nothing open any more.
    if ((this.session.status === 'open' || !this.session.isKnown) && isAlive(this.client)) await call(this.functions.query, this.client, ['rollback']).catch(noop)
    await this.giveBack({ isOver: true })
    this.client.off('error', noop)
  }
}

type GiveBack = (when: { readonly isOver: boolean }) => void | Promise<void>

export interface Opened {
  readonly object: ObjectId
  readonly giveBack?: GiveBack | undefined
}

const connections = new PerExecution(() => new Map<MysqlConnection, Connection>())

/** A connection that somebody has from now on. */
export function openConnection(execution: Execution, client: MysqlConnection, opened: Opened): Connection {
  const connection = new Connection(client, opened)
  connections.of(execution).set(client, connection)
  // What it is asked from now on ends by an error as well, if it is lost.
  client.on('error', noop)
  serversOf(execution).whenOver(() => connection.end())
  return connection
}

export const connectionOf = (execution: Execution, client: MysqlConnection): Connection => knownConnection(execution, client) ?? openConnection(execution, client, { object: nameOf(execution, client) })

export const knownConnection = (execution: Execution, client: MysqlConnection): Connection | undefined => connections.of(execution).get(client)

const others = (execution: Execution, connection: Connection): Connection[] => [...connections.of(execution).values()].filter((other) => other !== connection && other.control)

/** Whether an open transaction of another connection has changed or locked anything. */
export const othersHoldAnything = (execution: Execution, connection: Connection): boolean => others(execution, connection).some(({ transaction }) => transaction.holdsAnything)

/** The server is asked something: where it finds statements that wait for each other, this one and others that wait are among them. */
export function noteAsked(execution: Execution, connection: Connection, text: string): void {
  connection.asked = text
  const waiting = [connection, ...others(execution, connection).filter(({ isKeptWaiting }) => isKeptWaiting)]
  const circle = waiting.map(({ asked }) => asked)
  for (const one of waiting) one.circle = circle
}

/** Stands for whoever it is that a statement waits for: the server itself sees to those that wait for each other. */
const somebody: Line = { connection: {} }

/** Whether a connection waits for another one of this execution: none, if it does not. */
export async function holdersOf(execution: Execution, connection: Connection): Promise<readonly Line[]> {
  const { client, control, transaction } = connection
  if (!(await control!.waits.isWaiting(client.threadId!)) || !othersHoldAnything(execution, connection)) return []
  const mayCloseCircle = (transaction.holdsAnything || connection.isKeptWaiting) && others(execution, connection).some(({ isKeptWaiting }) => isKeptWaiting)
  return mayCloseCircle && !(await control!.waits.staysWaiting(client.threadId!)) ? [] : [somebody]
}
