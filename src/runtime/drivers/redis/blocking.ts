import type { Execution } from '../../execution/execution.ts'
import type { RedisClient } from './client.ts'

/** A command that the server keeps waiting until somebody puts something there, or until its time is over: virtual time. */
export class Blocking {
  readonly #client: RedisClient
  readonly #milliseconds: number
  /** Of its connection, as the server has it. */
  #id = ''
  #isOver = false

  /** @param milliseconds 0: for ever */
  constructor(client: RedisClient, milliseconds: number) {
    this.#client = client
    this.#milliseconds = milliseconds
  }

  async prepare(): Promise<void> {
    this.#id = String(await this.#client.send({ name: 'client', args: ['ID'] }))
  }

  async isWaiting(): Promise<boolean> {
    const [found] = await (await this.#client.control!(this.#client.database)).ask([['CLIENT', 'LIST', 'ID', this.#id]])
    return /\bflags=\w*b/.test(String(found))
  }

  startTimer(execution: Execution, giveUp: () => void): void {
    if (this.#milliseconds === 0) return
    const callback = (): void => {
      this.#isOver = true
      giveUp()
    }
    execution.clock.start(execution, { name: 'timeout', callback, delay: this.#milliseconds, repeats: false, site: execution.lastSite, mayRace: true })
  }

  /** It is answered as when its time is over, or by an error where nobody wants an answer any more. */
  async cancel(): Promise<void> {
    await (await this.#client.control!(this.#client.database)).ask([['CLIENT', 'UNBLOCK', this.#id, this.#isOver ? 'TIMEOUT' : 'ERROR']])
  }
}
