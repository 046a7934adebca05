import { Object, Reflect } from '../../../engine/intrinsics.ts'
import type { Fn } from '../../accesses/handler.ts'
import type { Execution } from '../../execution/execution.ts'
import { isSetAside } from '../../execution/active-work.ts'
import { isTold } from '../../execution/instrumented.ts'
import { whenDriverIsLoaded } from '../../execution/loaded-drivers.ts'
import { noop } from '../../execution/native.ts'
import { besideSteps, running } from '../../execution/running.ts'
import { hearing } from '../messages.ts'
import { serversOf } from '../servers.ts'
import { ask, besideStep, lookAtGiven, making, textsOf, type RedisFunction } from './asking.ts'
import type { RedisClient } from './client.ts'
import type { Command } from './commands.ts'
import { connectionOf, type Connection } from './connections.ts'
import { controlOf, type Control } from './control.ts'
import { holding, isHeld, later } from './holding.ts'
import { KeptKeys } from './kept-keys.ts'
import { rememberSubscription } from './messages.ts'
import { rememberScript } from './scripts.ts'

/** The package `redis`, from version 5 on: what its clients and transactions are asked in a step is asked of the server when it is its turn. */

/** What of its clients is used here. */
interface NodeRedis {
  readonly options?: { readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string }; readonly database?: number } | undefined
  readonly isOpen: boolean
  readonly isReady: boolean
  sendCommand(args: readonly (string | Uint8Array)[]): Promise<unknown>
  duplicate(options: object): NodeRedis
  withTypeMapping(mapping: object): NodeRedis
  on(event: 'error', listener: () => void): void
  connect(): Promise<unknown>
  unref(): void
  destroy(): void
}

/** What stands behind clients that differ in options alone, and behind the objects that have the commands of modules. */
const behind = (client: unknown): NodeRedis => Reflect.get(client as object, '_self') as NodeRedis

type Prototype = Record<string, RedisFunction>

type Factory = (this: unknown, config: unknown) => (options: unknown) => NodeRedis

interface ClientClass {
  readonly prototype: Prototype
  factory: Factory
  readonly create: object
}

/** Waits for every copy of the package that is loaded. */
export function driveByNodeRedis(): void {
  isSetAside(openNow)
  whenDriverIsLoaded('@redis/client/dist/lib/client/index.js', (exported) => {
    const { default: Client } = exported as { readonly default: ClientClass }
    // Former versions send in other ways: they are I/O as any other.
    if (typeof Client.prototype['_executeMulti'] === 'function') hookClass(Client)
  })
  whenDriverIsLoaded('redis/dist/index.js', (exported) => isTold((exported as { readonly createClient: object }).createClient))
}

const clients = new Set<NodeRedis>()

/** Its connections. */
function openNow(): { readonly open: number; readonly timers: number } {
  let open = 0
  for (const client of clients) if (client.isOpen) open++
  return { open, timers: 0 }
}

/** They wait for something else than one answer, or send in ways of their own. */
const sentLater = ['connect', 'SUBSCRIBE', 'UNSUBSCRIBE', 'PSUBSCRIBE', 'PUNSUBSCRIBE', 'SSUBSCRIBE', 'SUNSUBSCRIBE', 'MONITOR', 'reset', 'QUIT', 'close', 'disconnect']
const sentAtOnce = ['SELECT', 'WATCH', 'UNWATCH']

function hookClass(Client: ClientClass): void {
  isTold(Client)
  isTold(Client.create)
  const { prototype, factory } = Client
  prototype['sendCommand'] = sending(prototype['sendCommand']!, (args) => [commandOf(args as readonly unknown[])])
  prototype['_executeMulti'] = sending(prototype['_executeMulti']!, (queue) => [named('multi'), ...queued(queue), named('exec')])
  prototype['_executePipeline'] = sending(prototype['_executePipeline']!, queued)
  const { _executeScript: executeScript } = prototype
  prototype['_executeScript'] = function (this: unknown, ...args) {
    const { SCRIPT, SHA1 } = args[0] as { readonly SCRIPT: string; readonly SHA1: string }
    rememberScript(SCRIPT, SHA1)
    return Reflect.apply(executeScript!, this, args)
  }
  for (const name of sentLater) prototype[name] = askingLater(name, prototype[name]!)
  for (const name of sentAtOnce) prototype[name] = asking(prototype[name]!)
  for (const name of ['duplicate', 'withCommandOptions', 'withTypeMapping', 'withAbortSignal', 'asap', 'legacy']) if (prototype[name]) prototype[name] = making(prototype[name])
  for (const name of ['destroy', 'ref', 'unref', 'resetIfDirty']) if (prototype[name]) prototype[name] = besideStep(prototype[name])
  prototype['MULTI'] = makingTransaction(prototype['MULTI']!)
  Client.factory = function (config) {
    const make = Reflect.apply(factory, Client, [config])
    return (options) => {
      const client = besideSteps(() => make(options))
      hookCommands(client)
      if (running) {
        running.identities.made(client)
        running.identities.made(behind(client))
        serversOf(running).whenOver(async () => {
          clients.delete(behind(client))
          if (client.isOpen) client.destroy()
        })
      }
      return client
    }
  }
}

const named = (name: string): Command => ({ name, args: [] })
const commandOf = ([name, ...args]: readonly unknown[]): Command => ({ name: String(name).toLowerCase(), args: textsOf(args) })
const queued = (queue: unknown): readonly Command[] => (queue as readonly { readonly args: readonly unknown[] }[]).map(({ args }) => commandOf(args))

/** A function that sends. */
function sending(fn: RedisFunction, commandsOf: (given: unknown) => readonly Command[]): RedisFunction {
  return function sent(this: unknown, ...args) {
    '__dpor'
    const client = this as NodeRedis
    const commands = commandsOf(args[0])
    const batch = later(commands, () => Reflect.apply(fn, this, args))
    if (isHeld(behind(client), { commands, send: batch.send, change: (at, value) => void ((args[0] as unknown[])[at + 1] = value) })) return batch.result
    if (running === null) return Reflect.apply(fn, this, args)
    return ask(running, connectionFor(running, client), batch, { callback: undefined, site: running.siteOfCall(sent) })
  }
}

function asking(fn: RedisFunction): RedisFunction {
  return function asked(this: unknown, ...args) {
    '__dpor'
    if (running === null) return Reflect.apply(fn, this, args)
    const client = behind(this)
    const site = running.siteOfCall(asked)
    lookAtGiven(running, args, site)
    return ask(running, connectionFor(running, client), holding(client, () => Reflect.apply(fn, this, args)), { callback: undefined, site })
  }
}

function askingLater(name: string, fn: RedisFunction): RedisFunction {
  return function asked(this: unknown, ...args) {
    '__dpor'
    if (name === 'connect') clients.add(behind(this))
    const client = behind(this)
    const channels = textsOf(args.slice(0, 1).filter((arg) => typeof arg !== 'function' && arg !== undefined))
    const given = args.map((arg) => (typeof arg === 'function' ? hearing(client, arg as Fn) : arg))
    if (running === null) {
      rememberSubscription({ name: name.toLowerCase(), args: channels }, () => clientOf(client))
      return Reflect.apply(fn, this, given)
    }
    const batch = later([{ name: name.toLowerCase(), args: channels }], () => Reflect.apply(fn, this, given))
    return ask(running, connectionFor(running, this as NodeRedis), batch, { callback: undefined, site: running.siteOfCall(asked) })
  }
}

const hooked = new WeakSet<object>()

/** Commands, which each class has that was made for a configuration. */
function hookCommands(client: NodeRedis): void {
  for (let prototype = Reflect.getPrototypeOf(Reflect.getPrototypeOf(client)!)!; !Object.hasOwn(prototype, 'sendCommand') && !hooked.has(prototype); prototype = Reflect.getPrototypeOf(prototype)!) {
    hooked.add(prototype)
    isTold(prototype.constructor)
    hookFunctions(prototype, asking)
    hookMulti((prototype as { readonly Multi?: { readonly prototype: object } }).Multi?.prototype)
  }
}

function hookFunctions(prototype: object, hook: (fn: RedisFunction, name: string) => RedisFunction): void {
  for (const name of Reflect.ownKeys(prototype)) {
    const own = Reflect.getOwnPropertyDescriptor(prototype, name)
    if (typeof name !== 'string' || name === 'constructor' || name === 'Multi' || typeof own?.value !== 'function') continue
    Object.defineProperty(prototype, name, { ...own, value: hook(own.value as RedisFunction, name) })
  }
}

/** Transactions, and which client they are of. */
const clientOfMulti = new WeakMap<object, NodeRedis>()

function makingTransaction(fn: RedisFunction): RedisFunction {
  const makes = making(fn)
  return function (this: unknown, ...args) {
    '__dpor'
    const multi = Reflect.apply(makes, this, args) as object
    clientOfMulti.set(multi, this as NodeRedis)
    return multi
  }
}

const executes = new Set(['exec', 'EXEC', 'execTyped', 'execAsPipeline', 'execAsPipelineTyped'])

function hookMulti(prototype: object | undefined): void {
  for (let one = prototype; one && one !== Object.prototype && !hooked.has(one); one = Reflect.getPrototypeOf(one) ?? undefined) {
    hooked.add(one)
    isTold(one.constructor)
    hookFunctions(one, (fn, name) => (executes.has(name) ? executing(fn) : making(fn)))
  }
}

/** A function that sends what a transaction has kept. */
function executing(fn: RedisFunction): RedisFunction {
  return function executed(this: unknown, ...args) {
    '__dpor'
    const client = clientOfMulti.get(this as object)
    if (running === null || !client) return Reflect.apply(fn, this, args)
    const batch = holding(behind(client), () => Reflect.apply(fn, this, args))
    return ask(running, connectionFor(running, client), { ...batch, answers: (result) => result as readonly unknown[] }, { callback: undefined, site: running.siteOfCall(executed) })
  }
}

function connectionFor(execution: Execution, client: NodeRedis): Connection {
  return connectionOf(execution, behind(client), () => clientOf(behind(client)))
}

function clientOf(client: NodeRedis): RedisClient {
  const { socket: { host = 'localhost', port = 6379, path } = {}, database = 0 } = client.options ?? {}
  const server = path ?? `${host}:${port}`
  return {
    object: client,
    server,
    database,
    isOpen: () => client.isReady,
    send: ({ name, args }) => client.sendCommand([name, ...args]),
    control: (number) => controlFor(client, server, number),
    keep: (number) => new KeptKeys(`${server}/${number}`, () => controlFor(client, server, number)),
  }
}

const controlFor = (client: NodeRedis, server: string, database: number): Promise<Control> => controlOf(`${server}/${database}`, () => openControl(client, database))

async function openControl(client: NodeRedis, database: number): Promise<Control> {
  // Where no server is it would try again for ever.
  const own = client.duplicate({ database, socket: { ...client.options?.socket, reconnectStrategy: false } })
  own.on('error', noop)
  await own.connect()
  // It keeps nothing alive.
  own.unref()
  const inBytes = own.withTypeMapping({ [texts]: Buffer })
  return {
    get isOpen() {
      return own.isReady
    },
    ask: (commands) => Promise.all(commands.map((command) => inBytes.sendCommand(command.map((arg) => (typeof arg === 'number' ? String(arg) : arg))))),
  }
}

/** How the protocol marks texts: `$`. */
const texts = 36
