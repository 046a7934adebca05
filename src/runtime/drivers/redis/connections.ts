import type { Execution } from '../../execution/execution.ts'
import { PerExecution } from '../../execution/per-execution.ts'
import { OpenLine } from '../asked.ts'
import { nameOf } from '../names.ts'
import { serversOf } from '../servers.ts'
import type { RedisClient } from './client.ts'
import { accessOf, type Command, type CommandAccess } from './commands.ts'

/** What a command that is sent does: itself, or those that were kept for it. */
export interface Done {
  readonly command: Command
  readonly access: CommandAccess
  readonly database: number
}

/** One client in one execution: its line, and what the server keeps of its connection from command to command. */
export class Connection {
  readonly client: RedisClient
  readonly line: OpenLine
  #database: number
  readonly #watched = new Set<string>()
  /** After `MULTI`: commands that wait for `EXEC`. */
  #queued: Done[] | undefined

  constructor(execution: Execution, client: RedisClient) {
    this.client = client
    this.#database = client.database
    this.line = new OpenLine(client.object, nameOf(execution, client.object))
  }

  /** These are about to be sent. */
  follow(commands: readonly Command[]): readonly Done[] {
    return commands.flatMap((command) => this.#follow(command))
  }

  #follow(command: Command): readonly Done[] {
    const { name, args } = command
    const done = (access: CommandAccess): Done => ({ command, access, database: this.#database })
    switch (name) {
      case 'multi':
        this.#queued ??= []
        return []
      case 'exec':
        return this.#endTransaction(done)
      case 'watch':
        for (const key of args) this.#watched.add(key)
        return [done(this.#prefixed({ keys: args.map((key) => ({ key, kind: 'read' })) }))]
      case 'discard':
      case 'reset':
      case 'quit':
        this.#queued = undefined
        this.#watched.clear()
        return []
      case 'unwatch':
        if (!this.#queued) this.#watched.clear()
        return []
      case 'select':
        this.#database = Number(args[0])
        return []
      default:
        if (!this.#queued) return [done(this.#prefixed(accessOf(command)))]
        this.#queued.push(done(this.#prefixed(accessOf(command))))
        return []
    }
  }

  /** What was watched decides whether anything is done. */
  #endTransaction(done: (access: CommandAccess) => Done): readonly Done[] {
    const watched: Done[] = this.#watched.size > 0 ? [done(this.#prefixed({ keys: [...this.#watched].map((key) => ({ key, kind: 'read' })) }))] : []
    const queued = this.#queued ?? []
    this.#queued = undefined
    if (!this.client.keepsWatching) this.#watched.clear()
    return [...queued, ...watched]
  }

  #prefixed(access: CommandAccess): CommandAccess {
    const { keyPrefix = '' } = this.client
    return keyPrefix === '' ? access : { ...access, keys: access.keys.map(({ key, kind }) => ({ key: keyPrefix + key, kind })) }
  }

  /** Nobody goes on with it. */
  async end(): Promise<void> {
    const { database } = this.client
    if (this.#queued) await this.#send('discard')
    else if (this.#watched.size > 0) await this.#send('unwatch')
    if (this.#database !== database) await this.#send('select', String(database))
  }

  async #send(name: string, ...args: readonly string[]): Promise<void> {
    // A connection that is lost has nothing left.
    await this.client.send({ name, args }).catch(() => {})
  }
}

const connectionsIn = new PerExecution(() => new Map<object, Connection>())

export function connectionOf(execution: Execution, object: object, clientOf: () => RedisClient): Connection {
  const connections = connectionsIn.of(execution)
  const known = connections.get(object)
  if (known) return known
  const connection = new Connection(execution, clientOf())
  connections.set(object, connection)
  serversOf(execution).whenOver(() => connection.end())
  return connection
}
