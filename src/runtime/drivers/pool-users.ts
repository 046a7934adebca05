import { Object } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { describePlace } from '../execution/errors.ts'
import type { Execution } from '../execution/execution.ts'
import type { Call } from '../execution/process.ts'
import { isInPackage, placeOf } from '../execution/sources.ts'
import type { Stay } from './pool-room.ts'

/** Who has asked for a connection, and where. */
interface User {
  readonly call: Call | null
  readonly process: string
  readonly site: SiteId
}

/** The error of a pool that has made somebody wait for too long says by this, to a reader, who had its connections meanwhile. */
const exhaustion = Symbol.for('vitest-dpor.pool')

/** Who has a connection of a pool, or waits for one. */
export class PoolUsers {
  readonly #execution: Execution
  readonly #size: number
  readonly #users = new Map<Stay, User>()

  constructor(execution: Execution, size: number) {
    this.#execution = execution
    this.#size = size
  }

  /** In the running step. */
  comes(stay: Stay, site: SiteId): void {
    const { call, process } = this.#execution
    // Of what packages do for somebody, the call of that one.
    const own = isInPackage(site) ? ownCall(call) : call
    this.#users.set(stay, { call: own ?? call, process: process.name, site: own && isInPackage(site) ? own.site : site })
  }

  goes(stay: Stay): void {
    this.#users.delete(stay)
  }

  /** The error that one gets who has waited for so many milliseconds. */
  explain(error: Error, waiter: Stay, milliseconds: number): Error {
    const users = [...this.#users].filter(([stay]) => stay !== waiter).slice(0, this.#size)
    const texts = users.map(([, user]) => `${nameOf(user)} since ${describePlace(placeOf(user.site))}`)
    const who = this.#users.get(waiter)
    const value = `Pool exhausted: ${who ? nameOf(who) : 'somebody'} has waited ${milliseconds} ms for a connection, and all ${this.#size} are in use: ${texts.join('; ')}. Nothing else could go on meanwhile.`
    // Packages make errors of their own of it.
    this.#execution.recorder?.exhausts(value)
    return Object.defineProperty(error, exhaustion, { value, configurable: true })
  }
}

/** The innermost one that does not wait in a package. */
function ownCall(call: Call | null): Call | undefined {
  for (let one: Call | undefined = call ?? undefined; one; one = one.caller) if (one.site > 0 && !isInPackage(one.site)) return one
  return undefined
}

/** A call goes on as a process only once it has waited for something. */
function nameOf({ call, process }: User): string {
  for (let one: Call | undefined = call ?? undefined; one; one = one.caller) if (one.process) return one.process.name
  return process
}
