import { besideSteps } from '../../runtime/index.ts'

/**
 * Vitest 4 listens to the test's signal anew each time that it calls the body, and never stops. Runs the work, and takes off what that
 * listens with first; it is no part of the execution.
 */
export async function listeningOnce(signal: AbortSignal, work: () => Promise<unknown>): Promise<unknown> {
  // Its own: a test environment may have put another `EventTarget` in the place of the one that it is made of.
  const { addEventListener, removeEventListener } = signal
  let listened: Parameters<EventTarget['addEventListener']> | undefined
  Object.defineProperty(signal, 'addEventListener', {
    configurable: true,
    value: (...args: Parameters<EventTarget['addEventListener']>) => {
      Reflect.deleteProperty(signal, 'addEventListener')
      listened = args
      besideSteps(() => Reflect.apply(addEventListener, signal, args))
    },
  })
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(signal, 'addEventListener')
    if (listened) Reflect.apply(removeEventListener, signal, listened)
  }
}
