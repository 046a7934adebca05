import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { whenDriverIsLoaded } from '../execution/loaded-drivers.ts'
import { besideSteps, running } from '../execution/running.ts'
import { askForPromise } from './asked.ts'
import type { Answer, Question } from './question.ts'
import { serversOf } from './servers.ts'
import { takeFrom, type Taken } from './pool-use.ts'

/**
 * Pools that keep connections of any driver: `tarn`, which Knex has, and `sequelize-pool`. Which connection somebody gets decides nothing, as long as there are
 * enough. Those that keep something else are code like any other.
 */

interface Pool {
  readonly max?: number
  readonly maxSize?: number
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

/** Connections of drivers, in the order in which they were met, and pools that have given one. */
const connections = new WeakMap<object, number>()
let count = 0
const withConnections = new WeakSet<object>()

/** A driver knows this connection. */
export function noteConnection(connection: object): void {
  if (!connections.has(connection)) connections.set(connection, ++count)
}

type Listener = (execution: Execution, connection: object) => void

const listeners: Listener[] = []

/** Calls back when somebody has a connection of a pool from now on, under a new name. */
export function whenTaken(listener: Listener): void {
  listeners.push(listener)
}

const isConnection = (resource: unknown): resource is object => typeof resource === 'object' && resource !== null && connections.has(resource)

export function driveByConnectionPools(): void {
  whenDriverIsLoaded('tarn/dist/Pool.js', (exported) => hook(exported as PoolModule, { promiseOf: (operation) => Reflect.get(operation as object, 'promise') as Promise<unknown>, returned: (promise) => ({ promise }) }))
  whenDriverIsLoaded('sequelize-pool/lib/Pool.js', (exported) => hook(exported as PoolModule, { promiseOf: (promise) => promise as Promise<unknown>, returned: (promise) => promise }))
}

/** How a package hands out what `acquire` comes to. */
interface Form {
  promiseOf(acquired: unknown): Promise<unknown>
  returned(promise: Promise<unknown>): unknown
}

/** Pools that an execution has asked. */
const pools = new WeakMap<Execution, Set<Pool>>()

function beginWith(execution: Execution, pool: Pool): void {
  const asked = pools.get(execution) ?? new Set()
  pools.set(execution, asked.add(pool))
  besideSteps(() => sortFree(pool))
}

/** What an execution has of pools. */
const taken = new WeakMap<Execution, Map<object, Taken>>()

function takenOf(execution: Execution): Map<object, Taken> {
  let all = taken.get(execution)
  if (!all) taken.set(execution, (all = new Map()))
  return all
}

/** In each execution connections are given in the same order, however the one before has given them back. */
function sortFree({ free, _availableObjects: available }: Pool): void {
  for (const resources of [free, available]) resources?.sort((one, other) => numberOf(other) - numberOf(one))
}

const numberOf = ({ resource }: Resource): number => connections.get(resource) ?? 0

function hook({ Pool }: PoolModule, { promiseOf, returned }: Form): void {
  const { acquire, release } = Pool.prototype
  Pool.prototype.acquire = function acquires(this: Pool, ...args) {
    '__dpor'
    if (running === null) {
      const acquired = Reflect.apply(acquire, this, args)
      void promiseOf(acquired).then((resource) => isConnection(resource) && withConnections.add(this), () => {})
      return acquired
    }
    if (!withConnections.has(this)) return Reflect.apply(acquire, this, args)
    if (!pools.get(running)?.has(this)) beginWith(running, this)
    const place = takeFrom(running, this, this.max ?? this.maxSize ?? Infinity)
    const question = new Acquiring(place, { acquire: () => promiseOf(Reflect.apply(acquire, this, args)), release: (connection) => Reflect.apply(release, this, [connection]) })
    return returned(askForPromise(running, place.line, question, running.siteOfCall(acquires)))
  }
  Pool.prototype.release = function (this: Pool, ...args) {
    '__dpor'
    const [connection] = args
    const place = running && takenOf(running).get(connection as object)
    if (!running || !place) return Reflect.apply(release, this, args)
    takenOf(running).delete(connection as object)
    place.use.giveBack()
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

  end(execution: Execution, answer: Answer): Answer {
    const { use, line } = this.#place
    if ('error' in answer) {
      use.giveBack()
      return answer
    }
    const connection = answer.value as object
    execution.identities.assign(connection, line.object)
    takenOf(execution).set(connection, this.#place)
    for (const listener of listeners) listener(execution, connection)
    serversOf(execution).whenOver(async () => {
      // What nobody has given back is given back for the execution.
      if (takenOf(execution).delete(connection)) this.#functions.release(connection)
    })
    return answer
  }
}
