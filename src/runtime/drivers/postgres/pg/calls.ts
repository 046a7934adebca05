import { Reflect } from '../../../../engine/intrinsics.ts'
import { besideSteps } from '../../../execution/running.ts'
import type { Callback, PgFunction } from './client.ts'

/** Calls a function of the package that answers by a callback. No step runs meanwhile. */
export function call(fn: PgFunction, receiver: unknown, args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, value) => (error ? reject(error as Error) : resolve(value))
    besideSteps(() => Reflect.apply(fn, receiver, [...args, callback]))
  })
}
