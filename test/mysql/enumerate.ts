import type { Connection, Server } from '../explored/uninstrumented/mysql-server.ts'
import type { Reference } from '../servers/comparison.ts'
import { outcomesOfEveryOrder, type Choose } from '../servers/every-order.ts'
import { Line, type Session } from '../servers/line.ts'
import type { Level, Program } from '../servers/scripts.ts'
import { answerText, contents, reset } from './program.ts'

class MysqlSession implements Session {
  readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  async begin(level: Level): Promise<void> {
    await this.connection.query(`set transaction isolation level ${level}`)
    await this.connection.query('begin')
  }

  async rollBack(): Promise<void> {
    await this.connection.query('rollback')
  }

  async ask(text: string, values: readonly number[]): Promise<{ readonly text: string; readonly read: number | undefined }> {
    const [result] = await this.connection.query(text, values)
    return { text: answerText(result), read: result[0]?.v }
  }

  codeOf(error: unknown): number {
    return (error as { readonly errno: number }).errno
  }

  goesOnAfter(error: unknown): boolean {
    return this.codeOf(error) !== deadlock
  }
}

/** By which a transaction is rolled back; what else fails is nothing but a statement. */
const deadlock = 1213

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 4))

/** Runs a program on the server in every order of its statements. It knows nothing of the runtime: the server says who waits. */
export class Enumeration {
  readonly #connections: Connection[]
  readonly #control: Connection
  readonly #keeper: Connection

  private constructor(control: Connection, keeper: Connection, connections: Connection[]) {
    this.#control = control
    this.#keeper = keeper
    this.#connections = connections
  }

  static async open({ mysql, config }: Server, database: string): Promise<Enumeration> {
    const open = (): Promise<Connection> => mysql.createConnection({ ...config, database })
    return new Enumeration(await open(), await open(), [await open(), await open(), await open()])
  }

  async close(): Promise<void> {
    for (const connection of [this.#control, this.#keeper, ...this.#connections]) await connection.end()
  }

  /**
   * The server clears rows away that were deleted, when it likes, but none that somebody's snapshot still has. What is locked of such a row depends on that: who waits for it
   * waits for a gap once it is cleared away, which may close a circle (1213).
   */
  async whileNothingIsClearedAway<T>(work: () => Promise<T>): Promise<T> {
    await this.#keeper.query('start transaction with consistent snapshot')
    try {
      return await work()
    } finally {
      await this.#keeper.query('rollback')
    }
  }

  async reset(): Promise<void> {
    for (const text of reset) await this.#control.query(text)
  }

  /** How it can end; undefined where there are more orders than that. */
  async outcomes(program: Program, limit: number): Promise<Reference | undefined> {
    const reference = await outcomesOfEveryOrder(limit, (choose) => this.#run(program, choose))
    await this.reset()
    return reference
  }

  async #run(program: Program, choose: Choose): Promise<string> {
    await this.reset()
    const all = program.map((script, i) => new Line(new MysqlSession(this.#connections[i]!), script))
    for (const line of all) await line.begin()
    for (;;) {
      const ready = [...all.keys()].filter((i) => !all[i]!.isDone && !all[i]!.isWaiting)
      if (ready.length === 0) break
      all[choose(ready)]!.send()
      await this.#settle(all)
      for (const line of all) if (line.isDone) await line.end()
      await this.#settle(all)
    }
    for (const line of all) await line.end()
    const found = []
    for (const text of contents) found.push((await this.#control.query(text))[0])
    return JSON.stringify([all.map(({ log }) => log), found])
  }

  /** Until each that waits does so for others: the server has said so several times. */
  async #settle(all: readonly Line<MysqlSession>[]): Promise<void> {
    for (let calm = 0; calm < 3; ) {
      const waiting = all.filter(({ isWaiting }) => isWaiting).length
      if (waiting === 0) return
      const [[{ Status: status }]] = await this.#control.query('show engine innodb status')
      const transactions = String(status).split('LIST OF TRANSACTIONS')[1]!.split('---TRANSACTION')
      const held = all.filter(({ isWaiting, session: { connection: { threadId } } }) => isWaiting && transactions.some((one) => one.includes('\nLOCK WAIT ') && one.includes(`thread id ${threadId},`))).length
      calm = held === waiting && all.filter(({ isWaiting }) => isWaiting).length === waiting ? calm + 1 : 0
      await pause()
    }
  }
}
