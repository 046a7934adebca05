import type { Client, Server } from '../explored/uninstrumented/postgres-server.ts'
import { answerText, contents, reset, type Program, type Script } from './program.ts'

/** A connection that takes the statements of a script one after the other. */
class Connection {
  readonly client: Client & { processID: number; readyForQuery: boolean }
  readonly log: string[] = []
  readonly #script: Script
  readonly #texts: readonly string[]
  #next = 0
  #last = 0
  isWaiting = false
  #isFailed = false

  constructor(client: Client, script: Script) {
    this.client = client as Connection['client']
    this.#script = script
    this.#texts = [...script.steps.map(({ text }) => text), ...(script.level ? ['commit'] : [])]
  }

  get isDone(): boolean {
    return this.#next >= this.#texts.length
  }

  async begin(): Promise<void> {
    if (this.#script.level) await this.client.query(`begin isolation level ${this.#script.level}`)
  }

  /** Sends its next statement. */
  send(): void {
    const text = this.#texts[this.#next]!
    const values = (this.#script.steps[this.#next]?.values ?? []).map((value) => (value === '$last' ? this.#last : value))
    this.isWaiting = true
    const answered = (note: () => void) => {
      const wait = (): void => {
        if (!this.client.readyForQuery) return void setImmediate(wait)
        note()
        this.isWaiting = false
      }
      wait()
    }
    this.client.query(text, values).then(
      (result) => answered(() => {
        this.log.push(answerText(result))
        this.#last = result.rows[0]?.v ?? this.#last
        this.#next++
      }),
      (error: { code: string }) => answered(() => {
        this.log.push(this.isVictim ? '40P01' : error.code)
        this.#isFailed = true
        this.#next = this.#script.level ? this.#texts.length : this.#next + 1
      }),
    )
  }

  isVictim = false

  async end(): Promise<void> {
    if (this.#isFailed && this.#script.level) await this.client.query('rollback')
    this.#isFailed = false
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Runs a program on the server in every order of its statements. It knows nothing of the runtime: the server says who waits for whom. */
export class Enumeration {
  readonly #clients: Client[] = []
  readonly #control: Client

  private constructor(control: Client, clients: Client[]) {
    this.#control = control
    this.#clients = clients
  }

  static async open({ pg, config }: Server): Promise<Enumeration> {
    const open = async (): Promise<Client> => {
      const client = new pg.Client(config)
      await client.connect()
      return client
    }
    return new Enumeration(await open(), [await open(), await open(), await open()])
  }

  async close(): Promise<void> {
    for (const client of [this.#control, ...this.#clients]) await client.end()
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
    return { outcomes: [...outcomes].toSorted(), orders }
  }

  async #run(program: Program, prefix: readonly number[], branch: (prefix: number[]) => void): Promise<string> {
    await this.#control.query(reset)
    const all = program.map((script, i) => new Connection(this.#clients[i]!, script))
    for (const connection of all) await connection.begin()
    const path: number[] = []
    const choose = (options: readonly number[]): number => {
      const chosen = prefix[path.length] ?? options[0]!
      if (path.length >= prefix.length) for (const other of options.slice(1)) branch([...path, other])
      path.push(chosen)
      return chosen
    }
    for (;;) {
      const ready = [...all.keys()].filter((i) => !all[i]!.isDone && !all[i]!.isWaiting)
      if (ready.length === 0) break
      all[choose(ready)]!.send()
      await this.#settle(all)
      for (let circle = await this.#circle(all); circle.length > 0; circle = await this.#circle(all)) {
        const victim = all[choose(circle)]!
        victim.isVictim = true
        await this.#control.query('select pg_cancel_backend($1)', [victim.client.processID])
        while (victim.isWaiting) await turn()
        await this.#settle(all)
      }
      for (const connection of all) if (connection.isDone) await connection.end()
      await this.#settle(all)
    }
    for (const connection of all) await connection.end()
    const { rows } = await this.#control.query(contents)
    return JSON.stringify([all.map(({ log }) => log), rows[0]])
  }

  /** Until each that waits does so for others, as the server has it. */
  async #settle(all: readonly Connection[]): Promise<void> {
    for (const connection of all) {
      while (connection.isWaiting && (await this.#blockers(connection)).length === 0) await turn()
    }
  }

  async #blockers({ client }: Connection): Promise<readonly number[]> {
    const { rows } = await this.#control.query('select pg_blocking_pids($1) as pids', [client.processID])
    return rows[0].pids
  }

  /** Connections that wait for each other. */
  async #circle(all: readonly Connection[]): Promise<readonly number[]> {
    const waiting = [...all.keys()].filter((i) => all[i]!.isWaiting)
    const next = new Map<number, readonly number[]>()
    for (const i of waiting) {
      const pids = await this.#blockers(all[i]!)
      next.set(i, waiting.filter((j) => pids.includes(all[j]!.client.processID)))
    }
    const reaches = (from: number, to: number, seen = new Set<number>()): boolean => (next.get(from) ?? []).some((i) => i === to || (!seen.has(i) && reaches(i, to, seen.add(i))))
    return waiting.filter((i) => reaches(i, i))
  }
}
