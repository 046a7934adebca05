import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { isSetAside } from '../../execution/active-work.ts'
import { isTold } from '../../execution/instrumented.ts'
import { whenDriverIsLoaded } from '../../execution/loaded-drivers.ts'
import { NativePromise, noop } from '../../execution/native.ts'
import { besideSteps, running } from '../../execution/running.ts'
import { serversOf } from '../servers.ts'
import { ask, besideStep, lookAtGiven, making, textsOf, withoutCallback, type RedisFunction } from './asking.ts'
import type { Batch, RedisClient } from './client.ts'
import type { Command } from './commands.ts'
import { connectionOf, type Connection } from './connections.ts'
import { controlOf, type Argument, type Control } from './control.ts'
import { holding, isHeld, later } from './holding.ts'
import { KeptKeys } from './kept-keys.ts'
import { rememberSubscription, tellingMessages } from './messages.ts'
import { rememberScript } from './scripts.ts'

/** The package `ioredis`: what its clients and pipelines are asked in a step is asked of the server when it is its turn. */

/** What of its clients is used here. */
interface IoRedis {
  readonly options: { readonly host?: string; readonly port?: number; readonly path?: string | null; readonly db?: number; readonly lazyConnect?: boolean; enableAutoPipelining?: boolean }
  readonly condition?: { readonly select?: number } | null
  readonly stream?: { readonly destroyed?: boolean; unref?(): void }
  readonly status: string
  readonly connectionEpoch: number
  readonly scriptsSet: Readonly<Record<string, { readonly lua: string; readonly sha: string }>>
  call(name: string, ...args: readonly string[]): Promise<unknown>
  disconnect(): void
  duplicate(options: object): IoRedis
  on(event: 'error', listener: () => void): void
  once(event: 'ready' | 'close', listener: () => void): void
  connect(): Promise<void>
  pipeline(commands: readonly (readonly Argument[])[]): { exec(): Promise<readonly (readonly [error: unknown, value: unknown])[]> }
}

/** A command that the package has made of a call. */
interface Made {
  readonly name: string
  readonly args: unknown[]
  readonly promise: Promise<unknown>
}

interface Pipeline {
  readonly redis: IoRedis
  readonly isCluster: boolean
}

type Prototype = Record<string, RedisFunction>

type Class = abstract new (...args: never[]) => object

/** Waits for every copy of the package that is loaded. */
export function driveByIoredis(): void {
  isSetAside(openNow)
  whenDriverIsLoaded('ioredis/built/Redis.js', (exported) => hookClient((exported as { readonly default: Class }).default))
  whenDriverIsLoaded('ioredis/built/Pipeline.js', (exported) => hookPipeline((exported as { readonly default: { readonly prototype: Prototype } }).default))
}

const clients = new Set<IoRedis>()

/** Its connections. */
function openNow(): { readonly open: number; readonly timers: number } {
  let open = 0
  for (const client of clients) {
    if (client.status === 'end') clients.delete(client)
    else if (client.stream && client.stream.destroyed !== true) open++
  }
  return { open, timers: 0 }
}

/** The same as `holding`, where the package would gather what is asked in one turn. */
function heldBack(client: IoRedis, call: () => unknown): Batch {
  const { options } = client
  const { enableAutoPipelining = false } = options
  options.enableAutoPipelining = false
  try {
    return holding(client, call)
  } finally {
    options.enableAutoPipelining = enableAutoPipelining
  }
}

function hookClient(Redis: Class): void {
  for (let base: unknown = Redis; typeof base === 'function' && base !== Function.prototype; base = Reflect.getPrototypeOf(base)) isTold(base)
  const prototype = Redis.prototype as Prototype
  const { sendCommand, connect, disconnect, setStatus, defineCommand, pipeline, multi } = prototype as Record<'sendCommand' | 'connect' | 'disconnect' | 'setStatus' | 'defineCommand' | 'pipeline' | 'multi', RedisFunction>
  prototype['sendCommand'] = function (this: unknown, ...args) {
    '__dpor'
    const send = (): unknown => Reflect.apply(sendCommand, this, args)
    const made = args[0] as Made
    if (isHeld(this as object, { commands: [commandOf(made)], send: () => void send(), change: (at, value) => void (made.args[at] = value) })) return made.promise
    if (running === null) {
      rememberSubscription(commandOf(made), () => clientOf(this as IoRedis))
      return send()
    }
    const batch = { commands: [commandOf(made)], result: made.promise, send: () => void send() }
    return ask(running, connectionFor(running, this as IoRedis), batch, { callback: undefined, site: running.siteOfCall(prototype['sendCommand']) })
  }
  for (const name of commandNames(prototype)) {
    if (name !== 'multi') Object.defineProperty(prototype, name, { value: asking(prototype[name]!), configurable: true, writable: true })
  }
  prototype['setStatus'] = function (this: unknown, ...args) {
    '__dpor'
    // Its constructor says so, of a client that connects when it is asked to.
    if (running !== null && args[0] === 'wait') closesAtEnd(running, this as IoRedis)
    return besideSteps(() => Reflect.apply(setStatus, this, args))
  }
  Object.defineProperty(prototype, 'emit', { value: tellingMessages(prototype['emit']!), configurable: true, writable: true })
  prototype['disconnect'] = besideStep(disconnect)
  prototype['connect'] = connecting(connect)
  prototype['defineCommand'] = function (this: unknown, ...args) {
    '__dpor'
    const name = args[0] as string
    besideSteps(() => Reflect.apply(defineCommand, this, args))
    const own = this as Prototype
    const { lua, sha } = (this as IoRedis).scriptsSet[name]!
    rememberScript(lua, sha)
    for (const defined of [name, `${name}Buffer`]) own[defined] = asking(own[defined]!)
  }
  prototype['pipeline'] = making(pipeline)
  prototype['multi'] = makingTransaction(multi)
}

const commandNames = (prototype: Prototype): readonly string[] =>
  [...Reflect.apply(prototype['getBuiltinCommands'] as () => readonly string[], prototype, []).flatMap((name) => [name, `${name}Buffer`]), 'call', 'callBuffer', 'send_command'].filter((name) => typeof prototype[name] === 'function')

const commandOf = ({ name, args }: Made): Command => ({ name: name.toLowerCase(), args: textsOf(args) })

const isPipeline = (receiver: unknown): receiver is Pipeline => (receiver as { readonly isPipeline?: boolean }).isPipeline === true

/** A client of one server; what a cluster is asked stays as it is. */
const isClient = (receiver: unknown): receiver is IoRedis => typeof receiver === 'object' && receiver !== null && 'status' in receiver && 'stream' in receiver && !isPipeline(receiver)

/** A function that makes a command: a client is asked, a pipeline keeps it. */
function asking(fn: RedisFunction): RedisFunction {
  return function asked(this: unknown, ...args) {
    '__dpor'
    if (running === null) return Reflect.apply(fn, this, args)
    const site = running.siteOfCall(asked)
    lookAtGiven(running, args, site)
    if (isPipeline(this)) return kept(running, this, fn, args, site)
    if (!isClient(this)) return Reflect.apply(fn, this, args)
    const { given, callback } = withoutCallback(args)
    return ask(running, connectionFor(running, this), heldBack(this, () => Reflect.apply(fn, this, given)), { callback, site })
  }
}

function kept(execution: Execution, pipeline: Pipeline, fn: RedisFunction, args: readonly unknown[], site: SiteId): unknown {
  if (!pipeline.isCluster && withoutCallback(args).callback) execution.refuse('it gives a callback to one command of a pipeline, which vitest-dpor cannot call at its turn', 'Take its answer from what exec() gives', site)
  return besideSteps(() => Reflect.apply(fn, pipeline, args))
}

function connecting(connect: RedisFunction): RedisFunction {
  return function connected(this: unknown, ...args) {
    '__dpor'
    const client = this as IoRedis
    clients.add(client)
    if (running === null) return Reflect.apply(connect, this, args)
    // Its constructor connects without being asked, and hears of nothing.
    if (client.connectionEpoch === 0 && client.options.lazyConnect !== true) {
      closesAtEnd(running, client)
      besideSteps(() => (Reflect.apply(connect, this, args) as Promise<unknown>).catch(noop))
      return { catch: noop }
    }
    const { given, callback } = withoutCallback(args)
    return ask(running, connectionFor(running, client), later([], () => Reflect.apply(connect, this, given)), { callback, site: running.siteOfCall(connected) })
  }
}

/** A client that the running step has made. */
function closesAtEnd(execution: Execution, client: IoRedis): void {
  serversOf(execution).whenOver(async () => client.disconnect())
}

function makingTransaction(fn: RedisFunction): RedisFunction {
  const begins = asking(fn)
  const makes = making(fn)
  return function (this: unknown, ...args) {
    '__dpor'
    const [first, second] = args
    const options = (Array.isArray(first) ? second : first) as { readonly pipeline?: boolean } | undefined
    if (options?.pipeline === false) return Reflect.apply(begins, this, args)
    const pipeline = Reflect.apply(makes, this, args) as Prototype
    // It has functions of its own for this.
    for (const name of ['exec', 'execBuffer']) pipeline[name] = executing(pipeline[name]!, ofTransaction)
    return pipeline
  }
}

function hookPipeline({ prototype }: { readonly prototype: Prototype }): void {
  const names = [...commandNames(prototype), 'multi', 'addBatch']
  for (const name of names) if (name !== 'exec' && name !== 'execBuffer') Object.defineProperty(prototype, name, { value: asking(prototype[name]!), configurable: true, writable: true })
  for (const name of ['exec', 'execBuffer']) prototype[name] = executing(prototype[name]!, ofPipeline)
}

type Answers = (result: unknown) => readonly unknown[] | null | undefined

const ofPipeline: Answers = (result) => (result as readonly (readonly [unknown, unknown])[] | null)?.map(([, value]) => value)
const ofTransaction: Answers = (result) => (result === null ? null : ofPipeline(result))

/** A function that sends what a pipeline has kept. */
function executing(fn: RedisFunction, answers: Answers): RedisFunction {
  return function executed(this: unknown, ...args) {
    '__dpor'
    const { redis, isCluster } = this as Pipeline
    if (running === null || isCluster || !isClient(redis)) return Reflect.apply(fn, this, args)
    const { given, callback } = withoutCallback(args)
    const batch = heldBack(redis, () => Reflect.apply(fn, this, given))
    return ask(running, connectionFor(running, redis), { ...batch, answers }, { callback, site: running.siteOfCall(executed) })
  }
}

function connectionFor(execution: Execution, client: IoRedis): Connection {
  return connectionOf(execution, client, () => clientOf(client))
}

function clientOf(client: IoRedis): RedisClient {
  const { host = 'localhost', port = 6379, path, db = 0 } = client.options
  const server = path ?? `${host}:${port}`
  return {
    object: client,
    server,
    database: client.condition?.select ?? db,
    isOpen: () => client.status === 'ready',
    connected: () => untilConnected(client),
    send: ({ name, args }) => client.call(name, ...args),
    control: (database) => controlFor(client, server, database),
    keep: (database) => new KeptKeys(`${server}/${database}`, () => controlFor(client, server, database)),
  }
}

/** It sends some commands before it has asked the server whether that is ready, by which it never learns that. */
function untilConnected(client: IoRedis): Promise<void> | undefined {
  if (client.status !== 'connecting' && client.status !== 'connect') return undefined
  return besideSteps(() => new NativePromise((resolve) => {
    for (const event of ['ready', 'close'] as const) client.once(event, () => resolve())
  }))
}

const controlFor = (client: IoRedis, server: string, database: number): Promise<Control> => controlOf(`${server}/${database}`, () => openControl(client, database))

async function openControl(client: IoRedis, db: number): Promise<Control> {
  // A server that is busy is not ready, and is to be told to be so no more.
  const own = client.duplicate({ db, keyPrefix: '', lazyConnect: true, enableReadyCheck: false, enableAutoPipelining: false, maxRetriesPerRequest: 0, retryStrategy: () => null, monitor: false })
  own.on('error', noop)
  await own.connect()
  // It keeps nothing alive.
  own.stream?.unref?.()
  return {
    get isOpen() {
      return own.status === 'ready'
    },
    ask: async (commands) => {
      const answers = await own.pipeline(commands.map((command) => ['callBuffer', ...command])).exec()
      return answers.map(([error, value]) => {
        if (error) throw error as Error
        return value
      })
    },
  }
}
