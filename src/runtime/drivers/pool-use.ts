import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { OpenLine } from './asked.ts'
import { nameOf } from './names.ts'

/** How much of a pool is in use in one execution. Connections are as good as one another: which of them somebody gets decides nothing, as long as there are enough. */
export class PoolUse {
  readonly #execution: Execution
  readonly #name: string
  readonly #size: number
  readonly object: ObjectId
  #inUse = 0
  #asked = 0
  readonly #waiting: ((turn: ObjectId) => void)[] = []

  constructor(execution: Execution, size: number, object: ObjectId) {
    this.#execution = execution
    this.#name = String(object)
    this.#size = size
    this.object = object
  }

  /** Somebody needs a connection. If there is none now, `goesOn` is called by the step that gives one back, with what that has. */
  take(goesOn: (turn: ObjectId) => void): { readonly isThere: boolean } {
    const { accesses, identities } = this.#execution
    // More than there are, if nobody gives one back before.
    if (++this.#asked > this.#size && identities.assumptions.roomy.lose(this.#name)) accesses.startAnew()
    this.#tell()
    if (this.#inUse < this.#size) {
      this.#inUse++
      return { isThere: true }
    }
    this.#waiting.push(goesOn)
    return { isThere: false }
  }

  /** Somebody gives one back, in the running step. */
  giveBack(): void {
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

const byExecution = new WeakMap<Execution, Map<object, PoolUse>>()

function useOf(execution: Execution, pool: object, size: number): PoolUse {
  let uses = byExecution.get(execution)
  if (!uses) byExecution.set(execution, (uses = new Map()))
  let use = uses.get(pool)
  if (!use) uses.set(pool, (use = new PoolUse(execution, size, nameOf(execution, pool))))
  return use
}

/** A connection of a pool that somebody is going to have. */
export interface Taken {
  readonly use: PoolUse
  readonly line: OpenLine
}

/** @param size how many connections the pool may have */
export function takeFrom(execution: Execution, pool: object, size: number): Taken {
  const use = useOf(execution, pool, size)
  const object = execution.identities.fresh()
  const { isThere } = use.take((turn) => line.open(turn))
  const line: OpenLine = new OpenLine({}, object, { isOpen: isThere })
  return { use, line }
}
