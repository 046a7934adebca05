import { Reflect } from '../../../engine/intrinsics.ts'
import { besideSteps } from '../../execution/running.ts'
import type { Callback, MysqlFunction } from './client.ts'

/** Calls a function of the package that answers by a callback, with all that it is told. No step runs meanwhile. */
export function call(fn: MysqlFunction, receiver: unknown, args: readonly unknown[]): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, ...results) => (error ? reject(error as Error) : resolve(results))
    besideSteps(() => Reflect.apply(fn, receiver, [...args, callback]))
  })
}
