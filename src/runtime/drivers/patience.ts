import { nativeClearTimeout, NativePromise, nativeSetTimeout } from '../execution/native.ts'

/** Real milliseconds after which nobody waits any more for a server that was told to give something up. A script of Redis it may end only after five seconds. */
export const patience = 10_000

/** The same where some server has not answered already. */
export const littlePatience = 1_000

/** Whether it settles within so many real milliseconds, in whichever way. */
export function settlesWithin(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  return new NativePromise((resolve) => {
    const timer = nativeSetTimeout(() => resolve(false), milliseconds)
    const isSettled = (): void => {
      nativeClearTimeout(timer)
      resolve(true)
    }
    promise.then(isSettled, isSettled)
  })
}
