import type { SiteId } from '../../../engine/ids.ts'
import { nameNew } from '../../accesses/new-graphs.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps } from '../../execution/running.ts'
import { isOfLostConnection } from '../lost-connections.ts'
import { Due, messagesOf } from '../messages.ts'
import { copying, forItself, waiting, type Purpose } from '../own-question.ts'
import type { Answer, Line, Question } from '../question.ts'
import { serversOf } from '../servers.ts'
import { Blocking } from './blocking.ts'
import type { Batch, Changes } from './client.ts'
import { hasChangedNothing, mayExpire, timeoutOf, valueGiven, type Command, type KeyAccess } from './commands.ts'
import type { Connection, Done } from './connections.ts'
import { expiryIn } from './expiry.ts'
import { Keyspace } from './keyspace.ts'
import { keptKeysOf } from './resets.ts'

const copyingKeys = copying('redis', 'DUMP, PTTL, DBSIZE, KEYS, RESTORE and DEL')

const expiring: Purpose = { to: 'have keys expire when virtual time says so', advice: 'Give the user that the test connects as the rights for that (PTTL, PERSIST and DEL)' }

/** What somebody asks of a Redis server in one call: a command, a pipeline, or a transaction. */
export class Request implements Question {
  readonly name: string
  readonly shown: string
  readonly #execution: Execution
  readonly #connection: Connection
  readonly #batch: Batch
  #done: readonly Done[] = []
  readonly #due = new Due()
  #blocking: Blocking | undefined

  constructor(execution: Execution, connection: Connection, batch: Batch) {
    const { commands } = batch
    this.shown = commands.map(({ name, args }) => [name, ...args].join(' ')).join('; ')
    this.name = commands.length === 1 ? commands[0]!.name : commands[0]?.name === 'multi' ? 'exec' : 'pipeline'
    this.#execution = execution
    this.#connection = connection
    this.#batch = batch
  }

  prepare(site: SiteId): (() => Promise<void>) | undefined {
    this.#done = this.#connection.follow(this.#batch.commands)
    const [command] = this.#batch.commands
    const timeout = this.#batch.commands.length === 1 && this.#done.length > 0 ? timeoutOf(command!) : undefined
    if (timeout && this.#connection.client.control) this.#blocking = new Blocking(this.#connection.client, timeout.milliseconds)
    // The server's time is real: it waits until somebody says that it is over.
    if (this.#blocking && timeout) this.#batch.change?.(timeout.at, '0')
    const missing = this.#changes().flatMap(({ database, changes }) => {
      const kept = keptKeysOf(this.#execution, { client: this.#connection.client, database }, site)
      return kept && !kept.touch(changes) ? [() => kept.keep(changes)] : []
    })
    const databases = [...new Set(this.#done.map(({ database }) => database))].filter((database) => expiryIn(this.#execution).due(this.#execution, this.#nameOf(database)).length > 0)
    const connected = this.#connection.client.connected?.()
    if (missing.length === 0 && databases.length === 0 && !this.#blocking && !connected) return undefined
    return async () => {
      await connected
      for (const database of databases) await forItself(expiring, async () => expiryIn(this.#execution).remove(this.#execution, this.#nameOf(database), await this.#connection.client.control!(database)))
      for (const keep of missing) await forItself(copyingKeys, keep)
      await forItself(waiting, async () => this.#blocking?.prepare())
    }
  }

  readonly #nameOf = (database: number): string => `${this.#connection.client.server}/${database}`

  /** Keys that have got a time to live. */
  async #noteExpiry(): Promise<void> {
    const { control } = this.#connection.client
    if (!control) return
    for (const { command, access, database } of this.#done) {
      const keys = access.keys.flatMap(({ key, kind }) => (kind === 'write' ? [key] : []))
      if (keys.length > 0 && mayExpire(command)) await expiryIn(this.#execution).note(this.#execution, this.#nameOf(database), { keys, control: await control(database) })
    }
  }

  #changes(): readonly { readonly database: number; readonly changes: Changes }[] {
    return [...new Set(this.#done.map(({ database }) => database))].flatMap((database): { readonly database: number; readonly changes: Changes }[] => {
      const accesses = this.#done.filter((done) => done.database === database).map(({ access }) => access)
      if (accesses.some((access) => access.database === 'write')) return [{ database, changes: 'all' }]
      const changes = accesses.flatMap(({ keys }) => keys).filter(({ kind }) => kind === 'write').map(({ key }) => key)
      return changes.length > 0 ? [{ database, changes }] : []
    })
  }

  tell(execution: Execution, site: SiteId, answer: Answer | undefined): void {
    const { look } = this.#connection.client
    look?.(execution)
    const answers = this.#answersIn(answer)
    if (answer !== undefined && messagesOf(execution).hasSubscribers) execution.accesses.takeTurn((this.#due.turn = execution.identities.fresh()))
    // What a transaction does it does when it ends, if it does.
    execution.recorder?.statement({ command: this.#done.length === 1 && this.name !== 'exec' ? this.#done[0]!.command.name : this.name })
    for (const [i, { command, access, database }] of this.#done.entries()) {
      const keyspace = new Keyspace(execution, this.#nameOf(database), site)
      const found = answers?.[i]
      const isUnchanged = answers === null || (answers !== undefined && hasChangedNothing(command, found))
      if (access.database === 'write' && !isUnchanged) keyspace.changeAll([command.name, ...command.args].join(' '))
      else if (access.database) keyspace.lookAtAll(found)
      for (const channel of access.channels ?? []) keyspace.accessChannel(this.#connection.client.server, isUnchanged ? { ...channel, kind: 'read' } : channel, command.args.join(' '))
      for (const key of access.keys) keyspace.access(isUnchanged ? { ...key, kind: 'read' } : key, isUnchanged || key.kind === 'read' ? found : given(command, key, found))
    }
  }

  /** To each of what is done, where they are known; null: nothing is done. */
  #answersIn(answer: Answer | undefined): readonly unknown[] | null | undefined {
    if (answer === undefined || 'error' in answer) return undefined
    const answers = this.#batch.answers ? this.#batch.answers(answer.value) : [answer.value]
    // Last comes what was watched, to which nothing is answered.
    return answers && answers.length > this.#done.length ? undefined : answers
  }

  send(answered: (answer: Answer) => void): void {
    const { send, result } = this.#batch
    const messages = messagesOf(this.#execution)
    messages.due = this.#due
    besideSteps(send)
    const withMessages = messages.hasSubscribers ? result.finally(() => messages.haveCome()) : result
    const withExpiry = this.#done.some(({ command }) => mayExpire(command)) ? withMessages.finally(() => forItself(expiring, () => this.#noteExpiry())) : withMessages
    withExpiry.then((value) => answered({ value }), (error: unknown) => {
      if (isOfLostConnection(error)) serversOf(this.#execution).losesConnection(error)
      answered({ error })
    })
  }

  mayWait(): boolean {
    return this.#blocking !== undefined
  }

  async heldUpBy(): Promise<readonly Line[]> {
    return (await forItself(waiting, async () => this.#blocking?.isWaiting())) ? [nobody] : []
  }

  waits(execution: Execution, giveUp: () => void): void {
    this.#blocking?.startTimer(execution, giveUp)
  }

  async cancel(): Promise<void> {
    if (this.#blocking) return this.#blocking.cancel()
    const { client } = this.#connection
    // Nothing else takes long: a script that has changed nothing so far can be ended.
    await (await client.control?.(client.database))?.ask([['SCRIPT', 'KILL']]).catch(noop)
  }

  end(execution: Execution, answer: Answer): Answer {
    nameNew(execution, 'error' in answer ? answer.error : answer.value)
    return answer
  }
}

/** Whoever puts something there lets it go on. */
const nobody: Line = { connection: {} }

/** What becomes of a key, as a reader is to see it. */
function given(command: Command, { key }: KeyAccess, answer: unknown): unknown {
  const value = valueGiven(command, key)
  if (value !== undefined) return value
  return typeof answer === 'number' && /^(?:incr|decr)/.test(command.name) ? String(answer) : command.args.filter((arg) => arg !== key).join(' ')
}
