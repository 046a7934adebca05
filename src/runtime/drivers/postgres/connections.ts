import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { afterMacrotask } from '../../execution/native.ts'
import { OpenLine } from '../asked.ts'
import type { Line } from '../question.ts'
import { serversOf } from '../servers.ts'
import { Transaction, type Status } from '../sql/transaction.ts'
import { call } from './calls.ts'
import { isAlive, isConnected, isOpen, noteClient, statusOf, type PgClient, type PgFunctions } from './client.ts'
import { controlOf, databaseOf, type Control } from './control.ts'

/** One client in one execution, from the moment in which somebody has it to the one in which it is given back. */
export class Connection {
  readonly client: PgClient
  readonly line: OpenLine
  readonly functions: PgFunctions
  control: Control | undefined
  #transaction: Transaction | undefined
  /** Whoever had it before has left a transaction open. */
  readonly #isInTransaction: boolean
  /** Gives it back to whom it belongs to, or closes it. */
  #giveBack: (() => void | Promise<void>) | undefined

  constructor(client: PgClient, { object, functions, giveBack }: Opened) {
    this.client = client
    this.functions = functions
    this.line = new OpenLine(client, object)
    this.#giveBack = giveBack
    this.#isInTransaction = statusOf(client) !== 'idle'
  }

  /** Finds out what has to be known before anything is told; undefined where it is. */
  prepare({ identities }: Execution): (() => Promise<void>) | undefined {
    return this.control?.knows(identities) ? undefined : () => this.#prepare(identities)
  }

  async #prepare(exploration: object): Promise<void> {
    this.control ??= await controlOf(this.client, this.functions)
    if (!this.control.knows(exploration)) await this.control.learn(exploration)
  }

  get transaction(): Transaction {
    const { client } = this
    return (this.#transaction ??= new Transaction({ key: databaseOf(client), name: client.database ?? 'database' }, { level: this.control!.level, isOpen: this.#isInTransaction }))
  }

  get status(): Status {
    return statusOf(this.client)
  }

  giveBack(): void | Promise<void> {
    const giveBack = this.#giveBack
    this.#giveBack = undefined
    return giveBack?.()
  }

  /** A transaction that nobody goes on with is rolled back. */
  async end(): Promise<void> {
    if (this.status !== 'idle' && isOpen(this.client) && isAlive(this.client)) {
      // One that is lost has nothing open any more.
      await call(this.functions.query, this.client, ['rollback']).catch(() => {})
      await isReady(this.client)
    }
    await this.giveBack()
  }
}

export interface Opened {
  readonly object: ObjectId
  readonly functions: PgFunctions
  readonly giveBack?: (() => void | Promise<void>) | undefined
}

/** An error comes before the server can be asked again. */
export async function isReady(client: PgClient): Promise<void> {
  while (client.readyForQuery === false && isAlive(client)) await new Promise<void>(afterMacrotask)
}

const byExecution = new WeakMap<Execution, Map<PgClient, Connection>>()

function connectionsOf(execution: Execution): Map<PgClient, Connection> {
  let connections = byExecution.get(execution)
  if (!connections) byExecution.set(execution, (connections = new Map()))
  return connections
}

/** A client that somebody has from now on. */
export function openConnection(execution: Execution, client: PgClient, opened: Opened): Connection {
  noteClient(client)
  const connection = new Connection(client, opened)
  connectionsOf(execution).set(client, connection)
  serversOf(execution).whenOver(() => connection.end())
  return connection
}

export function connectionOf(execution: Execution, client: PgClient, functions: PgFunctions): Connection {
  const known = connectionsOf(execution).get(client)
  if (known) return known
  const closes = async (): Promise<void> => {
    if (isOpen(client)) await call(functions.end, client, [])
  }
  return openConnection(execution, client, { object: nameOf(execution, client), functions, giveBack: isConnected(client) ? undefined : closes })
}

/** Clients and pools that are older than any execution, in the order in which they were met. */
const older = new WeakMap<object, number>()
let count = 0

/** The name of a client or pool. */
export function nameOf(execution: Execution, object: object): ObjectId {
  if (execution.identities.isOwn(object)) return execution.identities.of(object)
  if (!older.has(object)) older.set(object, ++count)
  return execution.identities.named(`opened before: ${older.get(object)}`)
}

/** Whether an open transaction of another connection has changed or locked anything. */
export function othersHoldAnything(execution: Execution, connection: Connection): boolean {
  for (const other of connectionsOf(execution).values()) if (other !== connection && other.control && other.transaction.holdsAnything) return true
  return false
}

/** The lines of this execution that hold what a client waits for; undefined where somebody else does. */
export async function holdersOf(execution: Execution, { client, control }: Connection): Promise<readonly Line[] | undefined> {
  const processes = await control!.blockersOf(client.processID!)
  const all = [...connectionsOf(execution).values()]
  const holders = processes.map((process) => all.find((other) => other.client.processID === process)?.line)
  return holders.every((line) => line !== undefined) ? holders : undefined
}
