import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { NativePromise } from '../execution/native.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { arrived } from './from-outside.ts'
import { cellOf } from './promise-cell.ts'

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
    cell.isControlled = true
    cell.heardByCaller()
  }
  return promise
}

const settling = new WeakSet<object>()

/** Whether all that a function does is to settle a promise. */
export const settlesPromise = (fn: object): boolean => settling.has(fn)

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

  telling(settle: Settle, as: 'fulfilled' | 'rejected'): Settle {
    const telling = calledByProgram((value: unknown) => {
      '__dpor'
      const execution = this.#execution
      if (running === execution) {
        this.#tell({ as, value })
        settle(value)
      } else if (this.#isFirst) {
        // Something real calls back: it has to wait for its turn.
        this.#isFirst = false
        arrived(execution, this.#site, () => {
          this.#tell({ as, value })
          settle(value)
        })
      }
    })
    settling.add(telling)
    return telling
  }

  #tell(outcome: { as: 'fulfilled' | 'rejected'; value: unknown }): void {
    const cell = this.promise && cellOf(this.#execution, this.promise)
    this.#isFirst = false
    cell?.claim(this.#execution.call?.site ?? this.#site, outcome)
  }
}
