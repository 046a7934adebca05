import type { ProcessId } from '../../engine/ids.ts'
import type { Continuation } from './process.ts'

/** What can be taken next, first come first: continuations, and beside them the ids of their processes. */
export class ReadyQueue {
  #continuations: Continuation[] = []
  #ids: ProcessId[] = []

  get length(): number {
    return this.#ids.length
  }

  /** The processes that can go on, in the order in which they became ready. */
  get processes(): readonly ProcessId[] {
    return this.#ids
  }

  add(continuation: Continuation): void {
    this.#continuations.push(continuation)
    this.#ids.push((continuation.process?.id ?? -1) as ProcessId)
  }

  takeFirst(): Continuation {
    this.#ids.shift()
    return this.#continuations.shift()!
  }

  take(process: ProcessId): Continuation {
    const ids = this.#ids
    const continuations = this.#continuations
    const index = ids.indexOf(process)
    const taken = continuations[index]!
    for (let i = index + 1; i < ids.length; i++) {
      ids[i - 1] = ids[i]!
      continuations[i - 1] = continuations[i]!
    }
    ids.pop()
    continuations.pop()
    return taken
  }

  clear(): void {
    this.#continuations = []
    this.#ids = []
  }
}
