import { besideSteps } from '../../runtime/index.ts'
import { messageOf } from '../../testing/messages.ts'

/**
 * Vitest 4 listens to the test's signal anew each time that it calls the body, and never stops. Runs the work, and takes off what that
 * listens with first; it is no part of the execution. Of a call that an execution has left unfinished the timeout comes later, and aborts
 * the signal of all: the call whose own timeout it is ends by that itself.
 */
export async function listeningOnce(signal: AbortSignal, work: () => Promise<unknown>): Promise<unknown> {
  // Its own: a test environment may have put another `EventTarget` in the place of the one that it is made of.
  const { addEventListener, removeEventListener } = signal
  let listened: Parameters<EventTarget['addEventListener']> | undefined
  Object.defineProperty(signal, 'addEventListener', {
    configurable: true,
    value: (...args: Parameters<EventTarget['addEventListener']>) => {
      Reflect.deleteProperty(signal, 'addEventListener')
      const [type, listener, options] = args
      const unlessTimedOut = (event: Event): void => {
        if (!isTimeout(signal.reason)) (listener as (event: Event) => void)(event)
      }
      listened = [type, unlessTimedOut, options]
      besideSteps(() => Reflect.apply(addEventListener, signal, [type, unlessTimedOut, options]))
    },
  })
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(signal, 'addEventListener')
    if (listened) Reflect.apply(removeEventListener, signal, listened)
  }
}

const isTimeout = (reason: unknown): boolean => messageOf(reason).startsWith('Test timed out in ')
