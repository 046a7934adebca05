import { Array, Object, Reflect } from '../../../engine/intrinsics.ts'
import { dateNow } from '../../execution/clock.ts'
import type { Execution } from '../../execution/execution.ts'
import { isTold } from '../../execution/instrumented.ts'
import { whenDriverIsLoaded } from '../../execution/loaded-drivers.ts'
import { NativeDate } from '../../execution/native.ts'
import { running } from '../../execution/running.ts'
import { ask, besideStep, lookAtGiven, making, textsOf, withoutCallback, type RedisFunction } from './asking.ts'
import type { Kept, RedisClient } from './client.ts'
import type { Command } from './commands.ts'
import { connectionOf, type Connection } from './connections.ts'
import { later } from './holding.ts'
import { rememberSubscription, tellingMessages } from './messages.ts'

/** The package `ioredis-mock`: what its clients and pipelines are asked in a step is done when it is its turn, at virtual time. */

/** What of its clients is used here. */
interface Mock {
  readonly options: { readonly host: string; readonly port: number; readonly db: number; readonly keyPrefix: string }
  /** What all clients of one server share. */
  readonly context: { readonly data: MockData; readonly expires: MockExpiries }
}

interface MockData {
  keys(): readonly string[]
  get(key: string): unknown
  set(key: string, value: unknown): void
  clear(): void
}

interface MockExpiries {
  has(key: string): boolean
  get(key: string): number
  set(key: string, moment: number): void
  clear(): void
}

type Prototype = Record<string, RedisFunction>

interface MockClass {
  readonly prototype: Prototype
  readonly Pipeline: { readonly prototype: Prototype }
}

export function driveByMock(): void {
  whenDriverIsLoaded('ioredis-mock/lib/index.js', (exported) => hookMock(exported as MockClass))
}

function hookMock(Mock: MockClass): void {
  isTold(Mock)
  isTold(Mock.Pipeline)
  const { prototype, Pipeline } = Mock
  const { _initCommands: makeCommands, multi, pipeline, disconnect } = prototype
  prototype['_initCommands'] = function (this: unknown, ...args) {
    Reflect.apply(makeCommands!, this, args)
    const own = this as Prototype
    for (const name of Object.keys(own)) {
      if (typeof own[name] === 'function' && !name.startsWith('_') && !name.endsWith('Stream')) own[name] = name === 'defineCommand' ? defining(own[name]) : asking(own[name], (given) => commandOf(name, given))
    }
  }
  prototype['multi'] = makingPipeline(multi!, [{ name: 'multi', args: [] }])
  prototype['pipeline'] = makingPipeline(pipeline!, [])
  prototype['disconnect'] = besideStep(disconnect!)
  // That it is connected it says in a tick, whatever step has begun by then.
  const emit = prototype['emit']!
  Object.defineProperty(prototype, 'emit', { value: tellingMessages(emit, besideStep(emit)), configurable: true, writable: true })
  const { exec, _addTransaction: add } = Pipeline.prototype
  Pipeline.prototype['exec'] = executing(exec!)
  Pipeline.prototype['_addTransaction'] = function (this: unknown, ...args) {
    const [, name, given] = args as [unknown, string, readonly unknown[]]
    queues.get(this as object)?.commands.push(commandOf(name, given))
    return Reflect.apply(add!, this, args)
  }
}

const commandOf = (name: string, args: readonly unknown[]): Command => ({ name: name.toLowerCase().replace(/buffer$/, ''), args: textsOf(args) })

function asking(fn: RedisFunction, toCommand: (given: readonly unknown[]) => Command): RedisFunction {
  return function asked(this: unknown, ...args) {
    '__dpor'
    if (running === null) {
      rememberSubscription(toCommand(withoutCallback(args).given), () => clientOf(this as Mock))
      return Reflect.apply(fn, this, args)
    }
    const site = running.siteOfCall(asked)
    lookAtGiven(running, args, site)
    const { given, callback } = withoutCallback(args)
    const batch = atVirtualTime(running, [toCommand(given)], () => Reflect.apply(fn, this, given))
    return ask(running, connectionFor(running, this as Mock), batch, { callback, site })
  }
}

function defining(define: RedisFunction): RedisFunction {
  return function (this: unknown, ...args) {
    '__dpor'
    const result: unknown = Reflect.apply(define, this, args)
    const own = this as Prototype
    const [name, { lua, numberOfKeys }] = args as [string, { readonly lua: string; readonly numberOfKeys?: number }]
    own[name] = asking(own[name]!, (given) => commandOf('eval', [lua, ...(numberOfKeys === undefined ? [] : [numberOfKeys]), ...given]))
    return result
  }
}

/** What pipelines have kept, and for whom. */
const queues = new WeakMap<object, { readonly client: Mock; readonly commands: Command[] }>()

function makingPipeline(fn: RedisFunction, first: readonly Command[]): RedisFunction {
  const makes = making(fn)
  return function (this: unknown, ...args) {
    '__dpor'
    // It may be given commands.
    const pipeline = Reflect.apply(makes, this, []) as Prototype
    queues.set(pipeline, { client: this as Mock, commands: [...first] })
    for (const name of Object.keys(pipeline)) if (typeof pipeline[name] === 'function') pipeline[name] = besideStep(pipeline[name])
    const [batch] = args
    if (Array.isArray(batch)) for (const [name, ...given] of batch as readonly (readonly [string, ...unknown[]])[]) Reflect.apply(pipeline[name]!, pipeline, given)
    return pipeline
  }
}

/** A function that does what a pipeline has kept. */
function executing(fn: RedisFunction): RedisFunction {
  return function executed(this: unknown, ...args) {
    '__dpor'
    const queue = queues.get(this as object)
    if (running === null || !queue) return Reflect.apply(fn, this, args)
    const { given, callback } = withoutCallback(args)
    const { client, commands } = queue
    const isTransaction = commands[0]?.name === 'multi'
    const all = isTransaction ? [...commands, { name: 'exec', args: [] }] : commands
    const batch = atVirtualTime(running, [...all], () => Reflect.apply(fn, this, given))
    return ask(running, connectionFor(running, client), { ...batch, answers }, { callback, site: running.siteOfCall(executed) })
  }
}

const answers = (result: unknown): readonly unknown[] | null => (result as readonly (readonly [unknown, unknown])[] | null)?.map(([, value]) => value) ?? null

/** It looks at the time to tell what has expired. */
const atVirtualTime = (execution: Execution, commands: readonly Command[], call: () => unknown) =>
  later(commands, () => {
    const { now } = NativeDate
    const { date } = execution.clock
    NativeDate.now = () => date
    try {
      return call()
    } finally {
      NativeDate.now = now
    }
  })

function connectionFor(execution: Execution, client: Mock): Connection {
  return connectionOf(execution, client, () => clientOf(client))
}

function clientOf(client: Mock): RedisClient {
  const { options: { host, port, db, keyPrefix }, context } = client
  return {
    object: client,
    server: `${host}:${port} of ioredis-mock`,
    database: db,
    keyPrefix,
    keepsWatching: true,
    isOpen: () => true,
    look: (execution) => void dateNow(execution),
    send: ({ name, args }) => (client as unknown as Prototype)[name]!(...args) as Promise<unknown>,
    keep: () => new KeptContents(context),
  }
}

/** All that clients of one server share, as one exploration has found it. */
class KeptContents implements Kept {
  readonly #context: Mock['context']
  readonly #values = new Map<string, unknown>()
  readonly #expiries = new Map<string, number>()

  constructor(context: Mock['context']) {
    this.#context = context
    const { data, expires } = context
    for (const key of data.keys()) {
      this.#values.set(key, data.get(key))
      if (expires.has(key)) this.#expiries.set(key, expires.get(key))
    }
  }

  touch(): boolean {
    return true
  }

  async keep(): Promise<void> {}

  readonly putBack = async (): Promise<readonly string[]> => {
    const { data, expires } = this.#context
    expires.clear()
    data.clear()
    for (const [key, value] of this.#values) data.set(key, value)
    for (const [key, moment] of this.#expiries) expires.set(key, moment)
    return []
  }
}
