import { Array, Reflect } from '../../../../engine/intrinsics.ts'
import type { SiteId } from '../../../../engine/ids.ts'
import { invoke } from '../../../accesses/invoke.ts'
import { callOpaque } from '../../../accesses/opaque-calls.ts'
import { readWhole } from '../../../accesses/whole.ts'
import type { Fn } from '../../../accesses/handler.ts'
import { inContext } from '../../../execution/contexts.ts'
import type { Execution } from '../../../execution/execution.ts'
import { isSetAside } from '../../../execution/active-work.ts'
import { whenDriverIsLoaded } from '../../../execution/loaded-drivers.ts'
import { PerExecution } from '../../../execution/per-execution.ts'
import { noop } from '../../../execution/native.ts'
import { besideSteps, running } from '../../../execution/running.ts'
import { askForPromise, askWithCallback, OpenLine } from '../../asked.ts'
import { telling } from '../../messages.ts'
import { nameOf } from '../../names.ts'
import { oldestLast } from '../../connection-numbers.ts'
import { whenTaken } from '../../connection-pools.ts'
import { plainQuestion } from '../../plain-question.ts'
import type { Answer, Question } from '../../question.ts'
import { call } from './calls.ts'
import { countOpen, idleIn, isConnected, isOpen, limitsOf, noteClient, type PgClient, type PgFunction, type PgFunctions, type PgPool } from './client.ts'
import { openConnection, type Connection } from '../connections.ts'
import { takeFrom, type Taken } from '../../pool-use.ts'
import { noteListening } from '../notifications.ts'
import { listeningOf } from './listening.ts'
import { hearLosses } from './losses.ts'
import { PgSession } from './session.ts'
import { PgStatement, PooledStatement, type Given } from './statement.ts'

/** The package `pg`: what its clients and pools are asked in a step is asked of the server when it is its turn. */

type ClientClass = PgFunctions['Client'] & { readonly prototype: Record<'query' | 'connect' | 'end' | 'emit', PgFunction> }
type PoolClass = { readonly prototype: Record<'query' | 'connect' | 'end', PgFunction> }

/** Of the copy of the package that a client is of. */
const functionsOf = new WeakMap<object, PgFunctions>()

/** Waits for every copy of the package that is loaded. */
export function driveByPg(): void {
  isSetAside(openNow)
  whenTaken((execution, connection) => connectionsIn.of(execution).delete(connection as PgClient))
  whenDriverIsLoaded('pg/lib/client.js', (exported) => hookClient(exported as ClientClass))
  whenDriverIsLoaded('pg-pool/index.js', (exported) => hookPool(exported as PoolClass))
}

const notification = new Set<unknown>(['notification'])

const pools = new Set<PgPool>()

/** What this package has open, and the timers by which its pools close what nobody uses. */
function openNow(): { readonly open: number; readonly timers: number } {
  let timers = 0
  for (const pool of pools) {
    if (pool.ended === true) pools.delete(pool)
    else timers += pool.options.idleTimeoutMillis ? pool.idleCount : 0
  }
  return { open: countOpen(), timers }
}

function hookClient(Client: ClientClass): void {
  const { query, connect, end } = Client.prototype
  const functions: PgFunctions = { Client, query, connect, end }
  functionsOf.set(Client.prototype, functions)
  // The text `__dpor`: functions are known by it whose code tells what it does.
  Client.prototype.query = function (this: unknown, ...args) {
    '__dpor'
    const client = this as PgClient
    if (running === null) {
      if (client.processID !== null) limitsOf(client).follow(textIn(args[0]), [])
      noteListening(textIn(args[0]), () => listeningOf(client, functions))
      return Reflect.apply(query, client, args)
    }
    const site = running.siteOfCall(Client.prototype.query)
    const { given, callback } = statementOf(running, args, site)
    const connection = connectionOf(running, client, functions)
    return ask(running, connection.line, new PgStatement(running, given, connection), { callback, site })
  }
  globalThis.Object.defineProperty(Client.prototype, 'emit', { value: telling(Client.prototype.emit, notification), configurable: true, writable: true })
  Client.prototype.connect = function (this: unknown, ...args) {
    '__dpor'
    const client = this as PgClient
    noteClient(client)
    if (running === null) return Reflect.apply(connect, client, args)
    return ask(running, connectionOf(running, client, functions).line, plainQuestion('connect', () => call(connect, client, [])), { callback: args[0], site: running.siteOfCall(Client.prototype.connect) })
  }
  Client.prototype.end = function (this: unknown, ...args) {
    '__dpor'
    const client = this as PgClient
    if (running === null) return Reflect.apply(end, client, args)
    return ask(running, connectionOf(running, client, functions).line, plainQuestion('end', () => call(end, client, [])), { callback: args[0], site: running.siteOfCall(Client.prototype.end) })
  }
}

function hookPool(Pool: PoolClass): void {
  const { query, connect, end } = Pool.prototype
  whenMade(Pool.prototype, (pool) => running && endsWithExecution(running, pool))
  Pool.prototype.connect = function (this: unknown, ...args) {
    '__dpor'
    const pool = this as PgPool
    if (keepsClients(pool)) pools.add(pool)
    if (running === null) return Reflect.apply(connect, pool, args)
    if (!keepsClients(pool)) return asOpaque(running, { fn: connect, receiver: pool, args, site: running.siteOfCall(Pool.prototype.connect) })
    const site = running.siteOfCall(Pool.prototype.connect)
    const taken = take(running, pool, site)
    return ask(running, taken.line, new Checkout(running, taken, () => call(connect, pool, [])), { callback: args[0], site })
  }
  Pool.prototype.query = function (this: unknown, ...args) {
    '__dpor'
    const pool = this as PgPool
    if (running === null) return Reflect.apply(query, pool, args)
    if (!keepsClients(pool) || typeof args[0] === 'function') return asOpaque(running, { fn: query, receiver: pool, args, site: running.siteOfCall(Pool.prototype.query) })
    const site = running.siteOfCall(Pool.prototype.query)
    const { given, callback } = statementOf(running, args, site)
    const taken = take(running, pool, site)
    return ask(running, taken.line, new PooledStatement(running, given, taken, async () => sessionOf((await call(connect, pool, [])) as PgClient)), { callback, site })
  }
  Pool.prototype.end = function (this: unknown, ...args) {
    '__dpor'
    const pool = this as PgPool
    if (running === null) return Reflect.apply(end, pool, args)
    if (!keepsClients(pool)) return asOpaque(running, { fn: end, receiver: pool, args, site: running.siteOfCall(Pool.prototype.end) })
    return ask(running, new OpenLine(pool, nameOf(running, pool)), plainQuestion('end', () => call(end, pool, [])), { callback: args[0], site: running.siteOfCall(Pool.prototype.end) })
  }
}

/** What asks no server is code like any other that is not instrumented. */
const asOpaque = (execution: Execution, { fn, receiver, args, site }: { readonly fn: PgFunction; readonly receiver: PgPool; readonly args: readonly unknown[]; readonly site: SiteId }): unknown =>
  callOpaque(execution, { fn, receiver, args, site }, () => Reflect.apply(fn, receiver, args))

function ask(execution: Execution, line: OpenLine, question: Question, { callback, site }: { readonly callback: unknown; readonly site: SiteId }): unknown {
  if (typeof callback !== 'function') return askForPromise(execution, line, question, site)
  const hear = inContext((answer: Answer) => {
    const results = 'error' in answer ? [answer.error] : [null, answer.value, ...releaseOf(answer.value)]
    invoke(execution, callback as Fn, undefined, results, site)
  })
  askWithCallback(execution, line, question, { site, hear })
  return undefined
}

/** `pool.connect((error, client, release) => ...)` */
const releaseOf = (value: unknown): unknown[] => (value instanceof globalThis.Object && typeof Reflect.get(value, 'release') === 'function' ? [Reflect.get(value, 'release')] : [])

/** What `query` is given: `(text, values?, callback?)`, or an object in the place of the text. */
function statementOf(execution: Execution, args: readonly unknown[], site: SiteId): { readonly given: Given; readonly callback: unknown } {
  const [config, second, third] = args
  const callback = [second, third, ownOf(config, 'callback')].find((arg) => typeof arg === 'function')
  for (const arg of args) if (typeof arg === 'object' && arg !== null) readWhole(execution, arg, site)
  if (typeof ownOf(config, 'submit') === 'function') execution.refuse('it reads rows by a cursor or a stream, whose parts vitest-dpor cannot order', 'Ask for all rows at once')
  const values = Array.isArray(second) ? [...(second as unknown[])] : undefined
  if (typeof config !== 'object' || config === null) return { given: { config, text: String(config), values }, callback }
  const own = ownOf(config, 'values')
  const given = { ...config, callback: undefined }
  return { given: { config: given, text: textIn(config), values: values ?? (Array.isArray(own) ? [...(own as unknown[])] : undefined) }, callback }
}

/** The text that `query` is given. */
const textIn = (config: unknown): string => String(typeof config === 'object' && config !== null ? ownOf(config, 'text') : config)

const ownOf = (object: unknown, key: string): unknown => (typeof object === 'object' && object !== null ? (Reflect.get(object, key) as unknown) : undefined)

function take(execution: Execution, pool: PgPool, site: SiteId): Taken {
  const { max = 10, connectionTimeoutMillis: milliseconds } = pool.options
  // The words are those of the package.
  const patience = milliseconds ? { milliseconds, error: () => new Error('timeout exceeded when trying to connect') } : undefined
  return takeFrom(execution, { pool, size: max, sortIdle: () => sortIdle(pool), patience }, site)
}

/** Nobody ends it where the execution that has made it is given up. Where what that has changed stays, somebody may have kept it. */
function endsWithExecution(execution: Execution, pool: PgPool): void {
  execution.journal.change(() => {
    // It is over once all its clients are given back, for which nobody has to wait.
    if (pool.ending !== true) void besideSteps(() => pool.end()).catch(noop)
  })
}

/** Calls back with each that is made: its constructor sets this. */
function whenMade(prototype: object, made: (pool: PgPool) => void): void {
  globalThis.Object.defineProperty(prototype, '_clients', {
    configurable: true,
    set(this: PgPool, value: unknown) {
      '__dpor'
      globalThis.Object.defineProperty(this, '_clients', { value, configurable: true, enumerable: true, writable: true })
      made(this)
    },
  })
}

function sortIdle(pool: PgPool): void {
  const idle = idleIn(pool)
  idle.splice(0, idle.length, ...oldestLast(idle, ({ client }) => client))
}

const connectionsIn = new PerExecution(() => new Map<PgClient, Connection>())

/** That of a client that is asked something. */
function connectionOf(execution: Execution, client: PgClient, functions: PgFunctions): Connection {
  const connections = connectionsIn.of(execution)
  const known = connections.get(client)
  if (known) return known
  const closes = async (): Promise<void> => {
    if (isOpen(client)) await call(functions.end, client, [])
  }
  const connection = openConnection(execution, new PgSession(client, functions), { object: nameOf(execution, client), giveBack: isConnected(client) ? undefined : closes })
  connections.set(client, connection)
  return connection
}

/** The client of a pool that somebody has, under a name of its own; `release` is theirs. */
function checkedOut(execution: Execution, client: PgClient, taken: Taken): Connection {
  const release = client.release!
  let has: 'the body' | 'nobody' | 'the pool' = 'the body'
  const giveBack = (error?: unknown): void => besideSteps(() => release(error))
  client.release = (error) => {
    '__dpor'
    // What the execution has left open was given back for it.
    if (has === 'nobody') return
    if (has === 'the body' && running === execution) taken.giveBack()
    has = 'the pool'
    giveBack(error)
  }
  const end = (): void => {
    if (has === 'the body') giveBack()
    has = 'nobody'
  }
  execution.identities.assign(client, taken.line.object)
  const connection = openConnection(execution, sessionOf(client), { object: taken.line.object, giveBack: end })
  connectionsIn.of(execution).set(client, connection)
  return connection
}

/** Those of the class of a client, if it is of the package or extends one of those. */
function functionsFrom(prototype: object | null): PgFunctions | undefined {
  for (let one = prototype; one !== null; one = Reflect.getPrototypeOf(one)) {
    const functions = functionsOf.get(one)
    if (functions) return functions
  }
  return undefined
}

/** It may have been given a class of clients that stands in for that of the package: those ask no server. */
const keepsClients = ({ Client }: PgPool): boolean => functionsFrom(Client.prototype) !== undefined

function sessionOf(client: PgClient): PgSession {
  const functions = functionsFrom(Reflect.getPrototypeOf(client))
  if (functions) return new PgSession(client, functions)
  throw new Error('vitest-dpor: a pool of pg has given a client of a class that is not known; please report this')
}

/** `pool.connect()` */
class Checkout implements Question {
  readonly name = 'connect'
  readonly #execution: Execution
  readonly #taken: Taken
  readonly #connect: () => Promise<unknown>

  constructor(execution: Execution, taken: Taken, connect: () => Promise<unknown>) {
    this.#execution = execution
    this.#taken = taken
    this.#connect = connect
  }

  tell(): void {}

  send(answered: (answer: Answer) => void): void {
    const given = (value: unknown): void => {
      // The pool listens no more.
      hearLosses(this.#execution, value as PgClient)
      answered({ value })
    }
    this.#connect().then(given, (error: unknown) => answered({ error }))
  }

  giveBack(answer: Answer): void {
    if ('value' in answer) besideSteps(() => (answer.value as PgClient).release!())
  }

  end(_: Execution, answer: Answer): Answer {
    if ('error' in answer) this.#taken.giveBack()
    else checkedOut(this.#execution, answer.value as PgClient, this.#taken)
    return answer
  }
}
