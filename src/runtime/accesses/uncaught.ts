import { whenUncaught } from '../execution/thrown.ts'
import { running } from '../execution/running.ts'
import { invoke } from './invoke.ts'

const process = globalThis.process as NodeJS.Process | undefined
const EVENT = 'uncaughtException'

/**
 * While exploring, what a callback throws is heard by whom the body has put in the place of the test runner, as Node would have it, or
 * beside it where the runner leaves it to others. Else it is an error of the test.
 */
export function watchUncaught({ leavesErrorsToListeners = false }: { readonly leavesErrorsToListeners?: boolean } = {}): () => void {
  const runners = process?.listeners?.(EVENT) ?? []
  return whenUncaught((error) => {
    const listeners = process?.listeners?.(EVENT) ?? []
    const own = listeners.filter((listener) => !runners.includes(listener))
    if (running === null || own.length === 0 || (own.length < listeners.length && !leavesErrorsToListeners)) return false
    invoke(running, process!.emit as (...args: unknown[]) => unknown, process, [EVENT, error, EVENT], running.lastSite)
    return true
  })
}
