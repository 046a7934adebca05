import type { Client, Server } from '../explored/uninstrumented/postgres-server.ts'
import type { Reference } from '../servers/comparison.ts'
import { outcomesOfEveryOrder, type Choose } from '../servers/every-order.ts'
import { Line, type Session } from '../servers/line.ts'
import { settle } from '../servers/settle.ts'
import type { Level, Program } from '../servers/scripts.ts'
import { answerText, contents, reset } from './program.ts'

class PgSession implements Session {
  readonly client: Client & { processID: number; readyForQuery: boolean }
  isVictim = false

  constructor(client: Client) {
    this.client = client as PgSession['client']
  }

  async begin(level: Level): Promise<void> {
    await this.client.query(`begin isolation level ${level}`)
  }

  async rollBack(): Promise<void> {
    await this.client.query('rollback')
  }

  async ask(text: string, values: readonly number[]): Promise<{ readonly text: string; readonly read: number | undefined }> {
    try {
      const result = await this.client.query(text, values)
      return { text: answerText(result), read: result.rows[0]?.v }
    } finally {
      while (!this.client.readyForQuery) await turn()
    }
  }

  codeOf(error: unknown): string {
    return this.isVictim ? '40P01' : (error as { readonly code: string }).code
  }
}

type PgLine = Line<PgSession>

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
  outcomes(program: Program, limit: number): Promise<Reference | undefined> {
    return outcomesOfEveryOrder(limit, (choose) => this.#run(program, choose))
  }

  async #run(program: Program, choose: Choose): Promise<string> {
    await this.#control.query(reset)
    const all = program.map((script, i) => new Line(new PgSession(this.#clients[i]!), script))
    for (const line of all) await line.begin()
    for (;;) {
      const ready = [...all.keys()].filter((i) => !all[i]!.isDone && !all[i]!.isWaiting)
      if (ready.length === 0) break
      all[choose(ready)]!.send()
      await this.#settle(all)
      for (let circle = await this.#lastingCircle(all); circle.length > 0; circle = await this.#lastingCircle(all)) {
        const victim = all[choose(circle)]!
        victim.session.isVictim = true
        await this.#control.query('select pg_cancel_backend($1)', [victim.session.client.processID])
        while (victim.isWaiting) await turn()
        await this.#settle(all)
      }
      for (const line of all) if (line.isDone) await line.end()
      await this.#settle(all)
    }
    for (const line of all) await line.end()
    const { rows } = await this.#control.query(contents)
    return JSON.stringify([all.map(({ log }) => log), rows[0]])
  }

  #settle(all: readonly PgLine[]): Promise<void> {
    return settle(all, { isHeldUp: async (line) => (await this.#blockers(line)).length > 0, pause: turn })
  }

  async #blockers({ session: { client } }: PgLine): Promise<readonly number[]> {
    const { rows } = await this.#control.query('select pg_blocking_pids($1) as pids', [client.processID])
    return rows[0].pids
  }

  /** Who waits for whom is asked one after the other, and meanwhile some go on: a circle stays. */
  async #lastingCircle(all: readonly PgLine[]): Promise<readonly number[]> {
    for (;;) {
      const circle = await this.#circle(all)
      if (circle.length === 0) return circle
      await turn()
      const again = await this.#circle(all)
      if (circle.join() === again.join()) return circle
    }
  }

  /** Connections that wait for each other. */
  async #circle(all: readonly PgLine[]): Promise<readonly number[]> {
    const waiting = [...all.keys()].filter((i) => all[i]!.isWaiting)
    const next = new Map<number, readonly number[]>()
    for (const i of waiting) {
      const pids = await this.#blockers(all[i]!)
      next.set(i, waiting.filter((j) => pids.includes(all[j]!.session.client.processID)))
    }
    const reaches = (from: number, to: number, seen = new Set<number>()): boolean => (next.get(from) ?? []).some((i) => i === to || (!seen.has(i) && reaches(i, to, seen.add(i))))
    return waiting.filter((i) => reaches(i, i))
  }
}
