import { Reflect } from '../../engine/intrinsics.ts'
import { OutOfTime } from '../execution/errors.ts'
import { whenUncaught } from '../execution/thrown.ts'
import { realProcess } from '../execution/real-process.ts'
import { running } from '../execution/running.ts'
import { invoke } from './invoke.ts'

const process = globalThis.process as NodeJS.Process | undefined
const EVENT = 'uncaughtException'

type Listener = (error: Error, origin: 'uncaughtException' | 'unhandledRejection') => void

/**
 * While exploring, what a callback throws is heard by whom the body has put in the place of the test runner, as Node would have it, or
 * beside it where the runner leaves it to others. Else it is an error of the test, and does not fail the whole run. Callbacks that the platform calls within a
 * step throw to Node.
 */
export function watchUncaught({ leavesErrorsToListeners = false }: { readonly leavesErrorsToListeners?: boolean } = {}): () => void {
  const hasListeners = typeof realProcess?.listeners === 'function'
  const others = hasListeners ? (realProcess.listeners(EVENT) as Listener[]) : []
  const listener: Listener = (error, origin) => {
    // By this a step is given up that is not over in time.
    if (error instanceof OutOfTime) return
    if (running === null) others.forEach((other) => Reflect.apply(other, realProcess, [error, origin]))
    // Else those that the body has put there hear it as well.
    else if (!leavesErrorsToListeners || realProcess.listenerCount(EVENT) === 1) running.uncaughtErrors.push(error)
  }
  if (hasListeners) {
    realProcess.removeAllListeners(EVENT)
    realProcess.on(EVENT, listener)
  }
  // What the program finds may be a copy.
  const runners = process?.listeners?.(EVENT) ?? []
  const unhear = whenUncaught((error) => {
    const listeners = process?.listeners?.(EVENT) ?? []
    const own = listeners.filter((one) => !runners.includes(one))
    if (running === null || own.length === 0 || (own.length < listeners.length && !leavesErrorsToListeners)) return false
    invoke(running, process!.emit as (...args: unknown[]) => unknown, process, [EVENT, error, EVENT], running.lastSite)
    return true
  })
  return () => {
    unhear()
    if (!hasListeners) return
    realProcess.off(EVENT, listener)
    for (const other of others) realProcess.on(EVENT, other)
  }
}
