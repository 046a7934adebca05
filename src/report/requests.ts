import { Descent } from './descent.ts'
import type { InputCall, InputRecording } from './input.ts'
import { isOfPackage } from './places.ts'
import { isReaction } from './reaction-names.ts'

/** Whose work a process does, to a reader: what a package does for a call of the user's own code is that call's, and so is a reaction that it has begun. */
export class Requests {
  readonly #calls: readonly InputCall[]
  readonly #callOf: readonly (number | null | undefined)[]
  readonly #begunBy: readonly (number | null | undefined)[]
  readonly #descent: Descent
  readonly #names: readonly string[]
  /** Processes that have run the user's own code, and others that have run any. */
  readonly #users = new Set<number>()
  readonly #packages = new Set<number>()

  constructor(recording: Pick<InputRecording, 'steps' | 'names' | 'order' | 'calledBy' | 'calls' | 'callOf' | 'begunBy'>) {
    // Of what came by JSON, null stands for undefined.
    const { steps, names, calls = [], callOf = [], begunBy = [] } = recording
    this.#names = names
    this.#calls = calls
    this.#callOf = callOf
    this.#begunBy = begunBy
    this.#descent = new Descent(recording)
    for (const { process, place, accesses } of steps) {
      const begin = isThen(names[process]) ? undefined : place
      for (const one of [begin, ...accesses.filter(({ callProcess }) => callProcess === undefined || callProcess === process).map((access) => access.place)]) if (one) (isOfPackage(one) ? this.#packages : this.#users).add(process)
    }
  }

  /** The process of the innermost call that the user's own code is of, or has made, which has a name of its own. Itself, where none is known. */
  of(process: number): number {
    const found = this.#ofUser(process)
    if (!isReaction(this.#names[found])) return found
    const caller = this.#callOf.indexOf(this.#begunBy[found] ?? undefined)
    return this.#begunBy[found] != null && caller > 0 ? caller : found
  }

  #ofUser(process: number): number {
    const seen = new Set<number>()
    for (let at: number | undefined = process; at !== undefined && !seen.has(at); at = this.#descent.birthOf(at)?.parent) {
      seen.add(at)
      const found = this.#isOfUser(at) ? at : this.#callerOf(at)
      if (found !== undefined) return found
    }
    return process
  }

  /** The same for all of those; each its own, where two of them that race are of one call. */
  ofAll(racing: readonly number[]): (process: number) => number {
    const isClear = new Set(racing.map((process) => this.of(process))).size === new Set(racing).size
    return isClear ? (process) => this.of(process) : (process) => process
  }

  /** A callback that is no call of an async function is of whoever's code it is. */
  #isOfUser(process: number): boolean {
    const call = this.#callOf[process] ?? undefined
    return call === undefined ? this.#users.has(process) || !this.#packages.has(process) : this.#isCallOfUser(call)
  }

  /** Of the calls within which it began. */
  #callerOf(process: number): number | undefined {
    for (let call = this.#callOf[process] ?? this.#begunBy[process] ?? undefined; call !== undefined; call = this.#calls[call]!.caller ?? undefined) {
      const found = this.#isCallOfUser(call) ? this.#callOf.indexOf(call) : -1
      if (found >= 0) return found
    }
    return undefined
  }

  #isCallOfUser(call: number): boolean {
    const { code, place } = this.#calls[call]!
    return !code || !isOfPackage(code) || (!!place && !isOfPackage(place))
  }
}

/** It calls the `then` of something that is awaited: where that is awaited says nothing of whose code it runs. */
const isThen = (name: string | undefined): boolean => /(?:^|\.)then#\d+$/.test(name ?? '')
