import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Fn } from '../../accesses/handler.ts'
import { invoke } from '../../accesses/invoke.ts'
import { Source } from '../../events/bursts.ts'
import type { Execution } from '../../execution/execution.ts'
import type { ObjectId } from '../../execution/identity.ts'
import { noop } from '../../execution/native.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { running } from '../../execution/running.ts'
import { serversOf } from '../servers.ts'
import type { RedisFunction } from './asking.ts'
import type { RedisClient } from './client.ts'
import type { Command } from './commands.ts'

/** What a server is asked: messages that come before it is answered are due to that. */
export class Due {
  /** The step that has the answer has this. */
  turn: ObjectId | undefined
}

interface Subscriber {
  readonly client: RedisClient
  /** What it is sent, in the order in which the server sends it: each a step of its own. */
  readonly source: Source
}

const subscribing = new Set(['subscribe', 'psubscribe', 'ssubscribe'])

/** What clients are sent of what others publish. */
class Messages {
  readonly #execution: Execution
  readonly #subscribers = new Map<object, Subscriber>()
  due = new Due()

  constructor(execution: Execution) {
    this.#execution = execution
  }

  /** The running step asks this. */
  asks(client: RedisClient, commands: readonly Command[], site: SiteId): void {
    const { object } = client
    if (this.#subscribers.has(object) || !commands.some(({ name }) => subscribing.has(name))) return
    this.#subscribers.set(object, { client, source: new Source(this.#execution, 'message', site, { isAlone: true }) })
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0
  }

  /** Settled when all that was published so far has come: what a client is sent comes in order. */
  async haveCome(): Promise<void> {
    for (const { client } of this.#subscribers.values()) await client.send({ name: 'ping', args: [] }).catch(noop)
  }

  /** A client is sent something, while no step runs. Returns whether `tell` is going to be called by a step. */
  comes(object: object, tell: (execution: Execution) => void): boolean {
    const execution = this.#execution
    if (execution.foreign.isClosed) return false
    const subscriber = this.#subscribers.get(object)
    if (!subscriber) {
      serversOf(execution).isUnexplored('a client that has subscribed to a channel of Redis before the test is sent a message, and what it does then is not explored: let it subscribe in the body')
      return false
    }
    const { due } = this
    const run = (): void => {
      if (due.turn !== undefined) execution.accesses.followTurn(due.turn)
      tell(execution)
    }
    subscriber.source.comes([object], { run })
    return true
  }
}

/** Those of the execution that was the last to ask a server. */
let current: Messages | undefined

const messages = new PerExecution((execution) => {
  const own = new Messages(execution)
  current = own
  serversOf(execution).whenOver(async () => {
    if (current === own) current = undefined
  })
  return own
})

export const messagesOf = (execution: Execution): Messages => messages.of(execution)

/** A client is sent something. Returns whether that waits for its turn. */
export const messageComes = (object: object, tell: (execution: Execution) => void): boolean => running === null && current?.comes(object, tell) === true

const events = new Set<unknown>(['message', 'pmessage', 'smessage'].flatMap((event) => [event, `${event}Buffer`]))

/** A function of clients that tells their listeners: of a message when it is its turn. `otherwise`: what tells of anything else. */
export function telling(emit: RedisFunction, otherwise = emit): RedisFunction {
  return function (this: unknown, ...args) {
    '__dpor'
    const tell = (execution: Execution): void => void invoke(execution, emit as Fn, this, args, execution.lastSite)
    return (events.has(args[0]) && messageComes(this as object, tell)) || Reflect.apply(otherwise, this, args)
  }
}
