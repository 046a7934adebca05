import { littlePatience, settlesWithin } from './patience.ts'
import type { PutBack } from './servers.ts'

/** What of a database is put back after each execution. */
export abstract class KeptState {
  /** What a reader calls it: `rows of the database shop`. */
  protected abstract readonly shown: string

  /** What puts back what the execution may have changed, which is forgotten from now on; undefined where that is nothing. Calls back with why a part stays as it is. */
  protected abstract restoring(): ((stays: (why: string) => void) => Promise<void>) | undefined

  /** Asks the server for something that changes nothing. */
  protected abstract greet(): Promise<unknown>

  /** Nothing goes on of what could not be put back. */
  protected async giveUp(): Promise<void> {}

  /** Nothing of the execution is open any more. Returns what could not be put back. */
  readonly putBack: PutBack = async ({ mayBeStuck }) => {
    const restore = this.restoring()
    if (!restore) return []
    const lost: string[] = []
    const stays = (why: string): void => void lost.push(`${this.shown} (${why})`)
    if (mayBeStuck && !(await this.#answers())) {
      stays('its server does not answer')
      return lost
    }
    try {
      await restore(stays)
    } catch (error) {
      await this.giveUp()
      stays(String((error as Error).message))
    }
    return lost
  }

  async #answers(): Promise<boolean> {
    return settlesWithin(littlePatience, this.greet())
  }
}
