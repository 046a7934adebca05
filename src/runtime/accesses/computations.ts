import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isDueToItsCall } from '../events/arrivals.ts'
import { unseen } from '../events/promise-hooks.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { nativeThen } from '../execution/native.ts'
import { functionName } from '../execution/values.ts'
import { promisifiedTo } from './files/work.ts'
import type { Fn } from './handler.ts'
import { plannedKey, sharedKey } from './random-keys.ts'
import { plannedAnswer, randomAnswers } from './random-answers.ts'

/**
 * What Node computes in the background: compression, keys, random bytes. It is certain to answer, what it gives depends on the call alone, and nothing
 * that is done outside depends on it.
 */

type Functions = Readonly<Record<string, unknown>>

const builtIn = (name: string): Functions | undefined => globalThis.process?.getBuiltinModule?.(name as 'node:zlib') as unknown as Functions | undefined

/** Of these modules, what there is in a form that answers at once as well. */
const asynchronous = ['node:zlib', 'node:crypto'].flatMap((name) => {
  const module = builtIn(name) ?? {}
  return Object.keys(module).filter((key) => `${key}Sync` in module).map((key) => module[key])
})

const { sign, verify } = builtIn('node:crypto') ?? {}
const { promisify } = globalThis.process?.getBuiltinModule?.('node:util') ?? {}

/** By these functions, and by what makes promises of them. */
const computations = new Map<unknown, Fn>()

for (const fn of [...asynchronous, ...randomAnswers.keys(), sign, verify]) {
  if (typeof fn !== 'function') continue
  const promised = promisify!(fn as Fn)
  promisifiedTo(fn, promised)
  computations.set(fn, fn as Fn).set(promised, fn as Fn)
}

let subtle: object | undefined

/** A method of `crypto.subtle`, which Node makes when it is asked for the first time. */
function isOfSubtle(fn: Fn): boolean {
  if (!globalThis.crypto?.subtle) return false
  subtle ??= Reflect.getPrototypeOf(globalThis.crypto.subtle)!
  return Reflect.getOwnPropertyDescriptor(subtle, functionName(fn))?.value === fn
}

export const isComputation = (fn: Fn): boolean => computations.has(fn) || isOfSubtle(fn)

/** Calls such a function, and waits for it before the next step is chosen. */
export function compute(execution: Execution, { fn, args }: { readonly fn: Fn; readonly args: readonly unknown[] }, call: (args: unknown[]) => unknown): unknown {
  const { foreign } = execution
  const callback = args.at(-1)
  const isAsked = typeof callback === 'function'
  const isKnown = computations.has(fn)
  const answered = isKnown ? plannedAnswer(execution, computations.get(fn)!, args) : plannedKey(execution, fn, args)
  const end = (): void => foreign.came()
  const given = isAsked
    ? [...args.slice(0, -1), function answer(this: unknown, ...results: unknown[]) {
        end()
        answered?.(results[1])
        return Reflect.apply(callback as Fn, this, results)
      }]
    : [...args]
  const shared = isKnown ? undefined : sharedKey(execution, fn, args)
  const result = shared ? shared() : call(given)
  const promised = typeof result === 'object' && result !== null && isPromise(result) ? (result as Promise<unknown>) : undefined
  if (promised) {
    isDueToItsCall(promised)
    unseen(() =>
      nativeThen.call(
        promised,
        (made) => {
          end()
          answered?.(made)
        },
        end,
      ),
    )
  }
  if (isAsked || promised) foreign.expects()
  return result
}
