import { Reflect } from '../../engine/intrinsics.ts'
import { isSeenOtherwise } from '../accesses/nobodys-data.ts'
import type { Execution } from '../execution/execution.ts'
import { whenDriverIsLoaded } from '../execution/loaded-drivers.ts'
import { noop } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { besideSteps, running } from '../execution/running.ts'
import { askForPromise } from './asked.ts'
import { isConnection, oldestLast } from './connection-numbers.ts'
import type { Answer, Question } from './question.ts'
import { serversOf } from './servers.ts'
import { takeFrom, type PoolOfPackage, type Taken } from './pool-use.ts'

/**
 * Pools that keep connections of any driver: `tarn`, which Knex has, and `sequelize-pool`. Which connection somebody gets decides nothing, as long as there are
 * enough. Those that keep something else are code like any other.
 */

interface Pool {
  readonly max?: number
  readonly maxSize?: number
  readonly acquireTimeoutMillis?: number
  /** Connections that nobody has, by the name that the package has for them: it gives the last of them. */
  readonly free?: Resource[]
  readonly _availableObjects?: Resource[]
}

interface Resource {
  readonly resource: object
}

type Method = (this: Pool, ...args: unknown[]) => unknown

interface PoolModule {
  readonly Pool: { readonly prototype: { acquire: Method; release: Method } }
}

/** Pools that have given a connection. */
const withConnections = new WeakSet<object>()

function keepsConnections(pool: Pool): void {
  withConnections.add(pool)
  // Its lists are what the package makes of it, and not what a body finds in them.
  isSeenOtherwise(pool)
}

type Listener = (execution: Execution, connection: object) => void

const listeners: Listener[] = []

/** Calls back when somebody has a connection of a pool from now on, under a new name. */
export function whenTaken(listener: Listener): void {
  listeners.push(listener)
}

export function driveByConnectionPools(): void {
  for (const name of ['tarn/dist', 'sequelize-pool/lib']) whenDriverIsLoaded(`${name}/TimeoutError.js`, (exported) => void timeouts.set(name, (exported as TimeoutModule).TimeoutError))
  whenDriverIsLoaded('tarn/dist/Pool.js', (exported) => hook(exported as PoolModule, { timeout: timeoutOf('tarn/dist', 'operation timed out for an unknown reason'), promiseOf: (operation) => Reflect.get(operation as object, 'promise') as Promise<unknown>, returned: (promise) => ({ promise }) }))
  whenDriverIsLoaded('sequelize-pool/lib/Pool.js', (exported) => hook(exported as PoolModule, { timeout: timeoutOf('sequelize-pool/lib', 'Operation timeout'), promiseOf: (promise) => promise as Promise<unknown>, returned: (promise) => promise }))
}

interface TimeoutModule {
  readonly TimeoutError: new (message: string) => Error
}

/** The last that were loaded: by a copy of a package before its pool. */
const timeouts = new Map<string, TimeoutModule['TimeoutError']>()

/** The error, in the words of the package, of who has waited for too long. */
function timeoutOf(name: string, message: string): () => Error {
  const TimeoutError = timeouts.get(name) ?? Error
  return () => new TimeoutError(message)
}

/** How a package hands out what `acquire` comes to. */
interface Form {
  readonly timeout: () => Error
  promiseOf(acquired: unknown): Promise<unknown>
  returned(promise: Promise<unknown>): unknown
}

/** What an execution has of pools. */
const taken = new PerExecution(() => new Map<object, Taken>())

function sortIdle({ free, _availableObjects: available }: Pool): void {
  for (const resources of [free, available]) resources?.splice(0, resources.length, ...oldestLast(resources, ({ resource }) => resource))
}

const patienceOf = ({ acquireTimeoutMillis: milliseconds }: Pool, error: () => Error): PoolOfPackage['patience'] => (milliseconds ? { milliseconds, error } : undefined)

function hook({ Pool }: PoolModule, { timeout, promiseOf, returned }: Form): void {
  const { acquire, release } = Pool.prototype
  Pool.prototype.acquire = function acquires(this: Pool, ...args) {
    '__dpor'
    if (running === null) {
      const acquired = Reflect.apply(acquire, this, args)
      void promiseOf(acquired).then((resource) => isConnection(resource) && keepsConnections(this), noop)
      return acquired
    }
    if (!withConnections.has(this)) return Reflect.apply(acquire, this, args)
    const place = takeFrom(running, { pool: this, size: this.max ?? this.maxSize ?? Infinity, sortIdle: () => sortIdle(this), patience: patienceOf(this, timeout) })
    const question = new Acquiring(place, { acquire: () => promiseOf(Reflect.apply(acquire, this, args)), release: (connection) => Reflect.apply(release, this, [connection]) })
    return returned(askForPromise(running, place.line, question, running.siteOfCall(acquires)))
  }
  Pool.prototype.release = function (this: Pool, ...args) {
    '__dpor'
    const [connection] = args
    const place = running && taken.known(running)?.get(connection as object)
    if (!running || !place) return Reflect.apply(release, this, args)
    taken.of(running).delete(connection as object)
    place.giveBack()
    return besideSteps(() => Reflect.apply(release, this, args))
  }
}

interface Functions {
  acquire(): Promise<unknown>
  release(connection: object): unknown
}

/** `pool.acquire()` */
class Acquiring implements Question {
  readonly name = 'acquire'
  readonly #place: Taken
  readonly #functions: Functions

  constructor(place: Taken, functions: Functions) {
    this.#place = place
    this.#functions = functions
  }

  tell(): void {}

  send(answered: (answer: Answer) => void): void {
    besideSteps(() => this.#functions.acquire()).then((value) => answered({ value }), (error: unknown) => answered({ error }))
  }

  giveBack(answer: Answer): void {
    if ('value' in answer) besideSteps(() => this.#functions.release(answer.value as object))
  }

  end(execution: Execution, answer: Answer): Answer {
    const place = this.#place
    if ('error' in answer) {
      place.giveBack()
      return answer
    }
    const connection = answer.value as object
    execution.identities.assign(connection, place.line.object)
    taken.of(execution).set(connection, place)
    for (const listener of listeners) listener(execution, connection)
    serversOf(execution).whenOver(async () => {
      // What nobody has given back is given back for the execution.
      if (taken.of(execution).delete(connection)) this.#functions.release(connection)
    })
    return answer
  }
}
