import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstrumented } from '../execution/instrumented.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { asProgram, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import type { SettledAs, Settlement } from '../execution/told-access.ts'
import { arrived } from './from-outside.ts'
import { cellOf } from './promise-cell.ts'
import { asWaitedFor } from './thenables.ts'
import { waitsFor } from './waiting-for-older.ts'

export type Settle = (value?: unknown) => void
export type Executor = (resolve: Settle, reject: Settle) => unknown
export type PromiseClass = new (executor: Executor) => Promise<unknown>

/** `new Promise(executor)`: of the platform, but for who calls the functions that settle it, and when. */
export function constructInEvent(execution: Execution, executor: unknown, site: SiteId, newTarget: object): Promise<unknown> {
  if (typeof executor !== 'function') return Reflect.construct(NativePromise, [executor as Executor], newTarget as PromiseClass) as Promise<unknown>
  const claims = new Claims(execution, site)
  const tellingExecutor: Executor = (resolve, reject) => (executor as Executor)(claims.telling(resolve, 'fulfilled'), claims.telling(reject, 'rejected'))
  const promise = Reflect.construct(NativePromise, [tellingExecutor], newTarget as PromiseClass) as Promise<unknown>
  claims.promise = promise
  const cell = cellOf(execution, promise)
  if (cell) {
    cell.site = site
    cell.isControlled = cell.isTold = true
    cell.heardByCaller()
  }
  return promise
}

/** What a function stands for that is given to an executor. */
interface Telling {
  readonly claims: Claims
  readonly as: SettledAs
  readonly native: Settle
}

const settling = new WeakMap<object, Telling>()

/** Whether all that a function does is to settle a promise. */
export const settlesPromise = (fn: object): boolean => settling.has(fn)

/**
 * `then`. Where an async call is waited for by `then(resolve, reject)`, the functions of the platform are registered, as it follows
 * them to name in a stack who waits; the reaction tells what they do.
 */
export function reactInEvent(execution: Execution, promise: Promise<unknown>, args: unknown[], site: SiteId): unknown {
  waitsFor(execution, promise)
  const both = cellOf(execution, promise)?.owner && settlersOfOne(args)
  if (!both) return Reflect.apply(nativeThen, promise, args.map((arg) => returningAsWaitedFor(execution, arg, site)))
  const { claims, resolve, reject } = both
  const derived = Reflect.apply(nativeThen, promise, [resolve, reject]) as object
  cellOf(execution, derived)?.whenBegun(() => claims.tell())
  return derived
}

/** What the reaction returns the platform waits for. */
function returningAsWaitedFor(execution: Execution, callback: unknown, site: SiteId): unknown {
  if (typeof callback !== 'function' || settling.has(callback) || !isInstrumented(callback)) return callback
  return calledByProgram((outcome: unknown) => {
    '__dpor'
    const result: unknown = asProgram(() => Reflect.apply(callback, undefined, [outcome]))
    return running === execution ? asWaitedFor(execution, result, site) : result
  })
}

function settlersOfOne([fulfilled, rejected]: unknown[]): { readonly claims: Claims; readonly resolve: Settle; readonly reject: Settle } | undefined {
  const resolve = typeof fulfilled === 'function' ? settling.get(fulfilled) : undefined
  const reject = typeof rejected === 'function' ? settling.get(rejected) : undefined
  if (resolve?.as !== 'fulfilled' || reject?.as !== 'rejected' || resolve.claims !== reject.claims) return undefined
  return { claims: resolve.claims, resolve: resolve.native, reject: reject.native }
}

/** What runs now is left by an execution, the promises of which are over with it. */
let areOver = false

/** Does such work. */
export function whereTheyAreOver(work: () => void): void {
  areOver = true
  try {
    work()
  } finally {
    areOver = false
  }
}

/** Who wants to settle one promise. */
class Claims {
  promise: Promise<unknown> | undefined
  #isFirst = true
  readonly #execution: Execution
  readonly #site: SiteId

  constructor(execution: Execution, site: SiteId) {
    this.#execution = execution
    this.#site = site
  }

  telling(settle: Settle, as: SettledAs): Settle {
    const telling = calledByProgram((value: unknown) => {
      '__dpor'
      const execution = this.#execution
      if (running === execution) {
        this.tell({ as, value })
        settle(as === 'fulfilled' ? asWaitedFor(execution, value, this.#site) : value)
      } else if (execution.isLeft) {
        if (!areOver) settle(value)
      } else if (this.#isFirst) {
        // Something real calls back: it has to wait for its turn.
        this.#isFirst = false
        arrived(execution, this.#site, () => {
          this.tell({ as, value })
          settle(value)
        })
      }
    })
    settling.set(telling, { claims: this, as, native: settle })
    return telling
  }

  /** @param outcome as far as it is known */
  tell(outcome?: Settlement): void {
    const cell = this.promise && cellOf(this.#execution, this.promise)
    this.#isFirst = false
    cell?.claim(this.#execution.call?.site ?? this.#site, outcome)
  }
}
