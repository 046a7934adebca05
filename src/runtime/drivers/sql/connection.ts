import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { OpenLine } from '../asked.ts'
import { forItself, learning, opening } from '../own-question.ts'
import { serversOf } from '../servers.ts'
import type { Transaction } from './transaction.ts'

/** A connection of our own, which learns what there is in a database. */
export interface Learning {
  knows(exploration: object): boolean
  learn(exploration: object): Promise<void>
}

/** Gives a connection back to whom it belongs to, or closes it. `isOver`: nobody who has it goes on. */
export type GiveBack = (when: { readonly isOver: boolean }) => void | Promise<void>

export interface Opened {
  readonly object: ObjectId
  readonly giveBack?: GiveBack | undefined
}

/** A connection to a database in one execution, from the moment in which somebody has it to the one in which it is given back. */
export abstract class OpenConnection<Control extends Learning> {
  readonly line: OpenLine
  control: Control | undefined
  #transaction: Transaction | undefined
  #giveBack: GiveBack | undefined

  /** @param connection stands for it outside executions */
  constructor(connection: object, { object, giveBack }: Opened) {
    this.line = new OpenLine(connection, object)
    this.#giveBack = giveBack
  }

  protected abstract openControl(): Promise<Control>

  /** That in which it is at first, once its control is there. */
  protected abstract firstTransaction(): Transaction

  /** What is open, and can still be asked, is rolled back. */
  protected abstract rollBack(): Promise<void>

  /** Finds out what has to be known before anything is told; undefined where it is. */
  prepare({ identities }: Execution): (() => Promise<void>) | undefined {
    return this.isKnown(identities) ? undefined : () => this.learn(identities)
  }

  protected isKnown(exploration: object): boolean {
    return this.control?.knows(exploration) === true
  }

  protected async learn(exploration: object): Promise<void> {
    const control = (this.control ??= await forItself(opening, () => this.openControl()))
    if (!control.knows(exploration)) await forItself(learning, () => control.learn(exploration))
  }

  get transaction(): Transaction {
    return (this.#transaction ??= this.firstTransaction())
  }

  giveBack(when: { readonly isOver: boolean } = { isOver: false }): void | Promise<void> {
    const giveBack = this.#giveBack
    this.#giveBack = undefined
    return giveBack?.(when)
  }

  /** A transaction that nobody goes on with is rolled back. */
  async end(): Promise<void> {
    await this.rollBack()
    await this.giveBack({ isOver: true })
  }
}

/** The connections of one driver that are open in an execution, by what stands for them. */
export class OpenConnections<Connection extends OpenConnection<Learning>> {
  readonly #all = new PerExecution(() => new Map<object, Connection>())

  /** Somebody has it from now on. */
  add(execution: Execution, key: object, connection: Connection): void {
    this.#all.of(execution).set(key, connection)
    serversOf(execution).whenOver(() => connection.end())
  }

  delete(execution: Execution, key: object): void {
    this.#all.of(execution).delete(key)
  }

  get(execution: Execution, key: object): Connection | undefined {
    return this.#all.of(execution).get(key)
  }

  /** The oldest comes first. */
  in(execution: Execution): readonly Connection[] {
    return [...this.#all.of(execution).values()]
  }

  /** Those that have asked something, without this one. */
  beside(execution: Execution, connection: Connection): readonly Connection[] {
    return this.in(execution).filter((other) => other !== connection && other.control)
  }

  /** Whether an open transaction of another connection has changed or locked anything. */
  othersHoldAnything(execution: Execution, connection: Connection): boolean {
    return this.beside(execution, connection).some(({ transaction }) => transaction.holdsAnything)
  }
}
