import { Reflect } from '../../../engine/intrinsics.ts'
import { besideSteps } from '../../execution/running.ts'
import type { Callback, MysqlFunction } from './client.ts'

/** What the package does now it was told to do from here. */
let isOwnCall = false

export const isToldFromHere = (): boolean => isOwnCall

/** Calls a function of the package. No step runs meanwhile. */
export function apply(fn: MysqlFunction, receiver: unknown, args: readonly unknown[]): unknown {
  isOwnCall = true
  try {
    return besideSteps(() => Reflect.apply(fn, receiver, args))
  } finally {
    isOwnCall = false
  }
}

/** The same with one that answers by a callback: all that that is told. */
export function call(fn: MysqlFunction, receiver: unknown, args: readonly unknown[]): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, ...results) => (error ? reject(error as Error) : resolve(results))
    apply(fn, receiver, [...args, callback])
  })
}
