import type { Connection, Server } from '../explored/uninstrumented/mysql-server.ts'
import { answerText, contents, reset, type Program, type Script } from './program.ts'

/** A connection that takes the statements of a script one after the other. */
class Line {
  readonly connection: Connection
  readonly log: (string | number)[] = []
  readonly #script: Script
  readonly #texts: readonly string[]
  #next = 0
  #last = 0
  isWaiting = false
  #isFailed = false

  constructor(connection: Connection, script: Script) {
    this.connection = connection
    this.#script = script
    this.#texts = [...script.steps.map(({ text }) => text), ...(script.level ? ['commit'] : [])]
  }

  get isDone(): boolean {
    return this.#next >= this.#texts.length
  }

  async begin(): Promise<void> {
    if (!this.#script.level) return
    await this.connection.query(`set transaction isolation level ${this.#script.level}`)
    await this.connection.query('begin')
  }

  /** Sends its next statement. */
  send(): void {
    const text = this.#texts[this.#next]!
    const values = (this.#script.steps[this.#next]?.values ?? []).map((value) => (value === '$last' ? this.#last : value))
    this.isWaiting = true
    this.connection.query(text, values).then(
      ([result]) => {
        this.log.push(answerText(result))
        this.#last = result[0]?.v ?? this.#last
        this.#next++
        this.isWaiting = false
      },
      ({ errno }: { errno: number }) => {
        this.log.push(errno)
        this.#isFailed = true
        this.#next = this.#script.level ? this.#texts.length : this.#next + 1
        this.isWaiting = false
      },
    )
  }

  async end(): Promise<void> {
    if (this.#isFailed && this.#script.level) await this.connection.query('rollback')
    this.#isFailed = false
  }
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 4))

/** Runs a program on the server in every order of its statements. It knows nothing of the runtime: the server says who waits. */
export class Enumeration {
  readonly #connections: Connection[]
  readonly #control: Connection

  private constructor(control: Connection, connections: Connection[]) {
    this.#control = control
    this.#connections = connections
  }

  static async open({ mysql, config }: Server, database: string): Promise<Enumeration> {
    const open = (): Promise<Connection> => mysql.createConnection({ ...config, database })
    return new Enumeration(await open(), [await open(), await open(), await open()])
  }

  async close(): Promise<void> {
    for (const connection of [this.#control, ...this.#connections]) await connection.end()
  }

  async reset(): Promise<void> {
    for (const text of reset) await this.#control.query(text)
  }

  /** How it can end; undefined where there are more orders than that. */
  async outcomes(program: Program, limit: number): Promise<{ readonly outcomes: readonly string[]; readonly orders: number } | undefined> {
    const outcomes = new Set<string>()
    const waiting: number[][] = [[]]
    let orders = 0
    for (let prefix = waiting.pop(); prefix; prefix = waiting.pop()) {
      if (++orders > limit) return undefined
      outcomes.add(await this.#run(program, prefix, (alternative) => waiting.push(alternative)))
    }
    await this.reset()
    return { outcomes: [...outcomes].toSorted(), orders }
  }

  async #run(program: Program, prefix: readonly number[], branch: (prefix: number[]) => void): Promise<string> {
    await this.reset()
    const all = program.map((script, i) => new Line(this.#connections[i]!, script))
    for (const line of all) await line.begin()
    const path: number[] = []
    for (;;) {
      const ready = [...all.keys()].filter((i) => !all[i]!.isDone && !all[i]!.isWaiting)
      if (ready.length === 0) break
      const chosen = prefix[path.length] ?? ready[0]!
      if (path.length >= prefix.length) for (const other of ready.slice(1)) branch([...path, other])
      path.push(chosen)
      all[chosen]!.send()
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
  async #settle(all: readonly Line[]): Promise<void> {
    for (let calm = 0; calm < 3; ) {
      const waiting = all.filter(({ isWaiting }) => isWaiting).length
      if (waiting === 0) return
      const [[{ Status: status }]] = await this.#control.query('show engine innodb status')
      const transactions = String(status).split('LIST OF TRANSACTIONS')[1]!.split('---TRANSACTION')
      const held = all.filter(({ isWaiting, connection: { threadId } }) => isWaiting && transactions.some((one) => one.includes('\nLOCK WAIT ') && one.includes(`thread id ${threadId},`))).length
      calm = held === waiting && all.filter(({ isWaiting }) => isWaiting).length === waiting ? calm + 1 : 0
      await pause()
    }
  }
}
