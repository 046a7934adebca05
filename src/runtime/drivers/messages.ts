import type { SiteId } from '../../engine/ids.ts'
import { Reflect } from '../../engine/intrinsics.ts'
import type { Fn } from '../accesses/handler.ts'
import { invoke } from '../accesses/invoke.ts'
import { Source } from '../events/bursts.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { noop } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { Process } from '../execution/process.ts'
import { running } from '../execution/running.ts'
import { serversOf } from './servers.ts'

/** What a server is asked: messages that come before it is answered are due to that. */
export class Due {
  /** The step that has the answer has this. */
  turn: ObjectId | undefined
}

/** Somebody whom a server sends what others publish. */
export interface Listening {
  /** What the body has. */
  readonly object: object
  /** What a reader calls the process of what it is sent: `message`. */
  readonly name: string
  /** It may still be sent something. */
  isOpen(): boolean
  /** Settled when all that it was sent so far has come. No step runs. */
  haveCome(): Promise<unknown>
}

interface Subscriber {
  readonly listening: Listening
  /** What it is sent, in the order in which the server sends it: each a step of its own. */
  readonly source: Source
}

/** Those that listen, and were told to outside of executions: and to what. */
const older = new Map<object, { readonly listening: Listening; readonly channels: Set<string> }>()

/** Somebody begins to listen while no execution is under way. */
export function rememberListening(listening: Listening, channels: readonly string[]): void {
  const known = older.get(listening.object) ?? { listening, channels: new Set() }
  older.set(listening.object, known)
  for (const channel of channels) known.channels.add(channel)
}

/** The same the other way round. Without channels: to all of them. */
export function forgetListening(object: object, channels: readonly string[]): void {
  const known = older.get(object)
  for (const channel of channels.length === 0 ? [...(known?.channels ?? [])] : channels) known?.channels.delete(channel)
  if (known?.channels.size === 0) older.delete(object)
}

/** What is sent to those that listen to what others publish. */
export class Messages {
  readonly #execution: Execution
  readonly #subscribers = new Map<object, Subscriber>()
  /** Of those that have listened before. */
  readonly #processes: Process[] = []
  due = new Due()

  constructor(execution: Execution) {
    this.#execution = execution
  }

  /** They have listened before the execution, which begins. */
  adopt(all: readonly Listening[]): void {
    for (const listening of all) {
      const process = new Process(-1, listening.name)
      this.#processes.push(process)
      this.#subscribers.set(listening.object, { listening, source: new Source(this.#execution, listening.name, 0, { isAlone: true, process }) })
    }
  }

  /** The running step has it listen from now on, or to something else. Returns whether it has not listened before. */
  listens(listening: Listening, site: SiteId): boolean {
    if (older.has(listening.object)) this.#changesOlder()
    if (this.#subscribers.has(listening.object)) return false
    this.#subscribers.set(listening.object, { listening, source: new Source(this.#execution, listening.name, site, { isAlone: true }) })
    return true
  }

  /** The running step changes what somebody listens to. */
  stopsListening(object: object): void {
    if (older.has(object)) this.#changesOlder()
  }

  /** In the next execution they would listen to something else. */
  #changesOlder(): void {
    serversOf(this.#execution).isUnexplored('the body changes what somebody listens to who has listened before the test, and that is not put back: let all that it listens to be asked for in the body, or all of it before')
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0
  }

  /** Settled when all that was published so far has come: what somebody is sent comes in order. */
  async haveCome(): Promise<void> {
    for (const { listening } of this.#subscribers.values()) if (listening.isOpen()) await listening.haveCome().catch(noop)
  }

  /** Somebody is sent something, while no step runs. Returns whether it is told later, or not at all. */
  comes(object: object, tell: (execution: Execution) => void): boolean {
    const execution = this.#execution
    // Nobody goes on.
    if (execution.foreign.isClosed) return true
    const subscriber = this.#subscribers.get(object)
    if (!subscriber) {
      serversOf(execution).isUnexplored('a client is sent a message that listens since before this execution, and what it does then is not explored: let it begin to listen in the body, and stop at its end')
      return false
    }
    execution.processes.rootLater(this.#processes)
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

/** An execution begins. */
export function adoptListening(execution: Execution): void {
  for (const [object, { listening }] of older) if (!listening.isOpen()) older.delete(object)
  if (older.size > 0) messagesOf(execution).adopt([...older.values()].map(({ listening }) => listening))
}

/** Somebody is sent something. Returns whether that waits for its turn. */
export const messageComes = (object: object, tell: (execution: Execution) => void): boolean => running === null && current?.comes(object, tell) === true

type Emit = (this: unknown, ...args: unknown[]) => unknown

/** A function of clients that tells their listeners: of a message, which is one of these events, when it is its turn. `otherwise`: what tells of anything else. */
export function telling(emit: Emit, events: ReadonlySet<unknown>, otherwise = emit): Emit {
  return function (this: unknown, ...args) {
    '__dpor'
    const tell = (execution: Execution): void => void invoke(execution, emit as Fn, this, args, execution.lastSite)
    return (events.has(args[0]) && messageComes(this as object, tell)) || Reflect.apply(otherwise, this, args)
  }
}

const hearers = new WeakMap<object, WeakMap<Fn, Fn>>()

/** What hears of messages in the place of a listener: of each when it is its turn. */
export function hearing<T extends Fn>(object: object, listener: T): T {
  let own = hearers.get(object)
  if (!own) hearers.set(object, (own = new WeakMap()))
  let hears = own.get(listener)
  if (!hears) {
    hears = function (this: unknown, ...args: unknown[]) {
      '__dpor'
      const tell = (execution: Execution): void => void invoke(execution, listener, this, args, execution.lastSite)
      return messageComes(object, tell) ? undefined : Reflect.apply(listener, this, args)
    }
    own.set(listener, hears)
  }
  return hears as T
}
