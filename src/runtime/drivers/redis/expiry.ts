import type { Execution } from '../../execution/execution.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import type { Control } from './control.ts'

/** When keys expire that an execution has given a time to live: virtual time, of which the server knows nothing. */
class Expiry {
  /** By database and key: virtual milliseconds since the execution began. */
  readonly #due = new Map<string, Map<string, number>>()

  /** Asks for the times to live of keys that may have got one now. */
  async note({ clock }: Execution, database: string, { keys, control }: { readonly keys: readonly string[]; readonly control: Control }): Promise<void> {
    let ofDatabase = this.#due.get(database)
    if (!ofDatabase) this.#due.set(database, (ofDatabase = new Map()))
    const answers = await control.ask(keys.map((key) => ['PTTL', key]))
    for (const [i, key] of keys.entries()) {
      const left = Number(answers[i])
      if (left < 0) ofDatabase.delete(key)
      else ofDatabase.set(key, clock.now + left)
    }
  }

  /** Keys whose time is over. */
  due({ clock: { now } }: Execution, database: string): readonly string[] {
    return [...(this.#due.get(database) ?? [])].flatMap(([key, moment]) => (moment <= now ? [key] : []))
  }

  /** They are gone, unless they live for ever by now. */
  async remove(execution: Execution, database: string, control: Control): Promise<void> {
    const keys = this.due(execution, database)
    const answers = await control.ask(keys.map((key) => ['PTTL', key]))
    const gone = keys.filter((_, i) => Number(answers[i]) >= 0)
    if (gone.length > 0) await control.ask([['DEL', ...gone]])
    for (const key of keys) this.#due.get(database)?.delete(key)
  }
}

const expiries = new PerExecution(() => new Expiry())

export const expiryIn = (execution: Execution): Expiry => expiries.of(execution)
