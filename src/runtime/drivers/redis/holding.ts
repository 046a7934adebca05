import { noop } from '../../execution/native.ts'
import { besideSteps } from '../../execution/running.ts'
import type { Batch } from './client.ts'
import type { Command } from './commands.ts'

/** What a call of a package would send by one client. */
interface Held {
  readonly client: object
  readonly commands: Command[]
  readonly sends: (() => void)[]
  change?: Batch['change']
}

let held: Held | undefined

/** Calls a function of a package, which sends nothing so far. */
export function holding(client: object, call: () => unknown): Batch {
  const before = held
  const holds: Held = { client, commands: [], sends: [] }
  held = holds
  try {
    const result = besideSteps(call) as Promise<unknown>
    // It may fail before anything is sent, and before anybody hears of it.
    besideSteps(() => result.then(noop, noop))
    return { commands: holds.commands, result, send: () => holds.sends.forEach((send) => send()), change: holds.change }
  } finally {
    held = before
  }
}

/** Something is about to be sent by a client. Returns whether it is held back. */
export function isHeld(client: object, { commands, send, change }: Omit<Batch, 'result'>): boolean {
  if (held?.client !== client) return false
  held.commands.push(...commands)
  held.sends.push(send)
  held.change ??= change
  return true
}

/** A call that is to be made when it is its turn. */
export function later(commands: readonly Command[], call: () => unknown): Batch {
  let settle!: (result: unknown) => void
  const result = besideSteps(() => new Promise((resolve) => (settle = resolve)))
  return {
    commands,
    result,
    send: () => {
      try {
        settle(call())
      } catch (error) {
        settle(Promise.reject(error as Error))
      }
    },
  }
}
