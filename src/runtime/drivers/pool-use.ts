import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { noop } from '../execution/native.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { besideSteps } from '../execution/running.ts'
import { OpenLine } from './asked.ts'
import { nameOf } from './names.ts'
import { Room, type Stay } from './pool-room.ts'
import { PoolUsers } from './pool-users.ts'

/** How much of a pool is in use in one execution. Connections are as good as one another: which of them somebody gets decides nothing, as long as there are enough. */
class PoolUse {
  readonly #execution: Execution
  readonly #name: string
  readonly #size: number
  readonly #refusal: PoolOfPackage['refusal']
  readonly object: ObjectId
  #inUse = 0
  readonly #room: Room
  readonly users: PoolUsers
  readonly #waiting: ((turn: ObjectId) => void)[] = []

  constructor(execution: Execution, { size, refusal }: Pick<PoolOfPackage, 'size' | 'refusal'>, object: ObjectId) {
    this.#execution = execution
    this.#name = String(object)
    this.#size = size
    this.#refusal = refusal
    this.object = object
    this.#room = new Room(execution)
    this.users = new PoolUsers(execution, size)
  }

  /** Somebody needs a connection. If there is none now, `goesOn` is called by the step that gives one back, with what that has, or the pool refuses. */
  take(goesOn: (turn: ObjectId) => void, site: SiteId): Place | Refused {
    const { accesses, identities } = this.#execution
    const stay = this.#room.begins()
    if (this.#room.most > this.#size && identities.assumptions.roomy.lose(this.#name)) accesses.startAnew()
    this.#tell()
    this.users.comes(stay, site)
    if (this.#inUse < this.#size) {
      this.#inUse++
      return { isThere: true, stay }
    }
    const refusal = this.#refusal?.(this.#waiting.length)
    if (refusal) {
      this.users.goes(stay)
      this.#room.ends(stay)
      return { refusal }
    }
    this.#waiting.push(goesOn)
    return { isThere: false, stay }
  }

  /** Somebody waits no longer, in the running step. */
  leaves(goesOn: (turn: ObjectId) => void, stay: Stay): void {
    this.#waiting.splice(this.#waiting.indexOf(goesOn), 1)
    this.users.goes(stay)
    this.#room.ends(stay)
    this.#tell()
  }

  /** Somebody gives one back, in the running step. */
  giveBack(stay: Stay): void {
    this.users.goes(stay)
    this.#room.ends(stay)
    this.#tell()
    const next = this.#waiting.shift()
    if (!next) {
      this.#inUse--
      return
    }
    const { accesses, identities } = this.#execution
    const object = identities.fresh()
    accesses.takeTurn(object)
    next(object)
  }

  #tell(): void {
    const { accesses, identities } = this.#execution
    if (!identities.assumptions.roomy.has(this.#name)) accesses.takeTurn(this.object)
  }
}

interface Place {
  readonly isThere: boolean
  readonly stay: Stay
}

interface Refused {
  readonly refusal: Error
}

const usesIn = new PerExecution(() => new Map<object, PoolUse>())

/** A pool of some package. */
export interface PoolOfPackage {
  readonly pool: object
  /** How many connections it may have. */
  readonly size: number
  /** Puts those that nobody has in an order that is always the same: in each execution they are given in that, however the one before has given them back. */
  sortIdle(): void
  /** How long somebody waits for one, who gets an error then; left out where they wait for ever. */
  readonly patience?: { readonly milliseconds: number; error(): Error } | undefined
  /** What it answers at once to whoever comes when all are in use, and so many wait. */
  refusal?(waiting: number): Error | undefined
}

function useOf(execution: Execution, { pool, sortIdle, ...limits }: Omit<PoolOfPackage, 'patience'>): PoolUse {
  const uses = usesIn.of(execution)
  let use = uses.get(pool)
  if (!use) {
    uses.set(pool, (use = new PoolUse(execution, limits, nameOf(execution, pool))))
    besideSteps(sortIdle)
  }
  return use
}

/** A connection of a pool that somebody is going to have, if that does not refuse. */
export interface Taken {
  readonly line: OpenLine
  readonly refusal?: Error
  /** In the running step. */
  giveBack(): void
}

/** It is virtual time that passes. */
const waits = (execution: Execution, { milliseconds, error }: NonNullable<PoolOfPackage['patience']>, end: (error: Error) => void): { clear(): void } =>
  execution.clock.start(execution, { name: 'timeout', callback: () => end(error()), delay: milliseconds, repeats: false, site: execution.lastSite, mayRace: true })

/** @param site where the running step asks for one */
export function takeFrom(execution: Execution, { patience, ...pool }: PoolOfPackage, site = execution.here): Taken {
  const use = useOf(execution, pool)
  const object = execution.identities.freshTaken()
  let timer: { clear(): void } | undefined
  const goesOn = (turn: ObjectId): void => {
    timer?.clear()
    line.open(turn)
  }
  const taken = use.take(goesOn, site)
  const line: OpenLine = new OpenLine({}, object, { isOpen: 'refusal' in taken || taken.isThere })
  if ('refusal' in taken) return { line, refusal: taken.refusal, giveBack: noop }
  const { stay, isThere } = taken
  if (patience && !isThere) timer = waits(execution, patience, (error) => {
    use.users.explain(error, stay, patience.milliseconds)
    use.leaves(goesOn, stay)
    const turn = execution.identities.fresh()
    execution.accesses.takeTurn(turn)
    line.refuse(error, turn)
  })
  // Whoever got none gives none back.
  return { line, giveBack: () => line.refusal ?? use.giveBack(stay) }
}
