import { afterMacrotask, nativeNow } from './native.ts'
import type { PromiseRecord } from './promise-record.ts'

/** Kinds of work of the event loop that end by themselves and then settle a promise. */
const requests = /Req|Wrap|Timeout|Immediate|Worker|Zlib|Hash|Cipher|Pbkdf|Scrypt|RandomBytes|SignJob|KeyGen/
/** Turns of the event loop after which a promise that nothing real works on counts as never settled. */
const idleTurns = 20

/** Promises of code that is not instrumented. They settle inside a step, or after real work that is waited for. */
export class ForeignPromises {
  readonly #watched = new Set<PromiseRecord>()
  readonly #deadline: () => number
  readonly #baseline: number
  #isClosed = false
  #onChange: (() => void) | undefined

  /** @param baseline what `activeRequests` said before the first execution */
  constructor(deadline: () => number, baseline: number) {
    this.#deadline = deadline
    this.#baseline = baseline
  }

  watch(record: PromiseRecord): void {
    this.#watched.add(record)
  }

  /** False if the promise is no longer waited for, because its execution is over. */
  unwatch(record: PromiseRecord): boolean {
    return this.#watched.delete(record) && !this.#isClosed
  }

  /** A promise was settled outside any step. */
  changed(): void {
    this.#onChange?.()
  }

  get pending(): boolean {
    return this.#watched.size > 0
  }

  /** Whether real work is under way for a promise of this execution. It is waited for, so that timing decides nothing. */
  mayBeInFlight(): boolean {
    return this.#watched.size > 0 && activeRequests() > this.#baseline
  }

  settleInFlight(resume: () => void): void {
    const poll = (): void => {
      if (this.#isClosed) return
      if (this.mayBeInFlight() && nativeNow() < this.#deadline()) afterMacrotask(poll)
      else resume()
    }
    afterMacrotask(poll)
  }

  /** Waits until `isReady`; gives up when nothing real is under way, or at the deadline. */
  wait(isReady: () => boolean, done: (settled: boolean) => void): void {
    let turns = 0
    const poll = (): void => {
      if (this.#isClosed) return
      if (isReady()) return finish(true)
      turns = this.mayBeInFlight() ? 0 : turns + 1
      if (turns > idleTurns || nativeNow() >= this.#deadline()) return finish(false)
      afterMacrotask(poll)
    }
    const finish = (settled: boolean): void => {
      this.#onChange = undefined
      done(settled)
    }
    this.#onChange = () => {
      turns = 0
    }
    afterMacrotask(poll)
  }

  close(): void {
    this.#isClosed = true
    this.#watched.clear()
  }
}

/** Pieces of real work under way in this thread: timers, files, sockets. */
export function activeRequests(): number {
  const list = globalThis.process?.getActiveResourcesInfo?.()
  if (!list) return 0
  let count = 0
  for (const kind of list) if (requests.test(kind) && kind !== 'Immediate') count++
  return count
}
